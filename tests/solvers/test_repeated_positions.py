"""A solved game with positions that occurred twice: the same as when it is solved once more."""

from __future__ import annotations

import random
from typing import Any

import pytest

import quinconce
from benchmarks.check_history import Comparison, RegionSolver, decided_position, dithering_match
from quinconce.core.value import Value
from quinconce.solvers.repeated_positions import values_with_history
from quinconce.solvers.retrograde import Solution, solution

DIADEMA = quinconce.game("diadema")
MOST = 50_000  # positions of a region that is solved again here; benchmarks look at larger ones


@pytest.fixture(scope="module")
def solved() -> Solution:
    found = solution(DIADEMA)
    assert found
    return found


def winners_ways(solved: Solution, position: Any, chance: random.Random) -> Any:
    """A position on a way to the end, on which the winner is in a hurry and the loser is not."""
    plies = solved.value(position).plies or 0
    for _ply in range(chance.randrange(1, max(2, plies - 1))):
        known = dict(DIADEMA.moves(position))
        values = {text: solved.value(after) for text, after in known.items()}
        most = solved.value(position)
        best = [text for text in known if values[text].one_ply_earlier() == most]
        position = known[chance.choice(best)]
    return position


def test_matches_with_repetitions_have_the_values_of_the_game_solved_again(
    solved: Solution,
) -> None:
    comparison, chance = Comparison(solved, MOST), random.Random(5)
    while comparison.drawn < 30 or comparison.moves < 60:
        for match in dithering_match(DIADEMA, solved, chance):
            comparison.compare(match, chance, 0.02)
    assert comparison.different == 0, comparison


def test_a_longer_way_round_is_found_with_its_exact_length(solved: Solution) -> None:
    """Any set of positions may be barred: here many on the winner's shortest ways."""
    chance, solver = random.Random(6), RegionSolver(solved, MOST)
    drawn = longer = 0
    while drawn < 8 or longer < 8:
        position = decided_position(DIADEMA, solved, chance)
        barred = {winners_ways(solved, position, chance) for _way in range(40)} - {position}
        found = values_with_history(solved, [position], barred)
        exact = solver.value(position, barred)
        if exact is None:  # too large a region to list
            continue
        assert found == [exact], (DIADEMA.write(position), barred)
        drawn += exact == Value("draw")
        longer += exact.result != "draw" and exact != solved.value(position)


def test_without_repetitions_the_table_says_it_all(solved: Solution) -> None:
    chance = random.Random(7)
    positions = [decided_position(DIADEMA, solved, chance) for _position in range(5)]
    values = list(map(solved.value, positions))
    assert values_with_history(solved, positions, set()) == values
    assert values_with_history(solved, positions, {DIADEMA.start()}) == values
    assert values_with_history(solved, positions[:1], positions[:1]) == [Value("draw")]
