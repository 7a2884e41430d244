"""A solved game with positions that occurred twice: the same as when it is solved once more."""

from __future__ import annotations

import random
from typing import Any

import pytest
from solutions import solution_of

import quinconce
from benchmarks.check_history import Comparison, decided_position, dithering_match
from quinconce.core.value import Value
from quinconce.solvers.repeated_positions import values_with_history
from quinconce.solvers.retrograde import Solution

DIADEMA = quinconce.game("diadema")
MOST = 50_000  # positions of a region that is solved again here; benchmarks look at larger ones


def few_or_many(few: int, many: int) -> pytest.MarkDecorator:
    """How many cases a test looks at, at least: few mostly, many in the long run."""
    cases = [pytest.param(few, marks=pytest.mark.slow), pytest.param(many, marks=pytest.mark.long)]
    return pytest.mark.parametrize("least", cases)


def shortest_way(solved: Solution, position: Any, chance: random.Random) -> list[Any]:
    """The positions after the first on a way to the end, as the table plays it."""
    way = []
    while plies := solved.known_value(position).plies:
        after = [after for _text, after in DIADEMA.moves(position)]
        near = [one for one in after if solved.known_value(one).plies == plies - 1]
        position = chance.choice(near)
        way.append(position)
    return way[:-1]


@few_or_many(10, 30)
def test_matches_with_repetitions_have_the_values_of_the_game_solved_again(least: int) -> None:
    solved = solution_of(DIADEMA)
    comparison, chance = Comparison(solved, MOST), random.Random(5)
    while comparison.drawn < least or comparison.moves < least + 10:
        for match in dithering_match(DIADEMA, solved, chance):
            comparison.compare(match, chance, 0.02)
    assert comparison.different == 0, comparison


class BoundedProof:
    """Whether the winner of a position still wins within some plies: a search of all ways.

    The table helps it only where it cannot be wrong: nothing is won sooner than it says.
    """

    def __init__(self, solved: Solution, barred: set[Any]) -> None:
        self.solved = solved
        self.barred = barred
        self.known: dict[tuple[Any, int], bool] = {}

    def wins_within(self, position: Any, plies: int) -> bool:
        value = self.solved.known_value(position)
        if position in self.barred or value.plies is None or value.plies > plies:
            return False
        if value.plies == 0:
            return True
        if (position, plies) not in self.known:
            after = [after for _text, after in DIADEMA.moves(position)]
            some = any if value.result == "win" else all
            wanted = "loss" if value.result == "win" else "win"
            self.known[position, plies] = some(
                self.solved.known_value(one).result == wanted and self.wins_within(one, plies - 1)
                for one in after
            )
        return self.known[position, plies]


@few_or_many(2, 5)
def test_a_longer_way_round_is_found_with_its_exact_length(least: int) -> None:
    """Any set of positions may be barred: here some on the winner's shortest ways."""
    solved = solution_of(DIADEMA)
    chance, seen = random.Random(6), {"drawn": 0, "longer": 0, "same": 0}
    while min(seen["drawn"], seen["longer"]) < least:
        position = decided_position(DIADEMA, solved, chance)
        plies = solved.value(position).plies or 0
        if plies > 8:
            continue
        ways = [shortest_way(solved, position, chance) for _way in range(5)]
        barred = {chance.choice(way[:3]) for way in ways} - {position}
        values = values_with_history(solved, [position], barred)
        assert values
        (found,) = values
        proof = BoundedProof(solved, barred)
        if found.plies is None:
            assert not proof.wins_within(position, plies + 4), (position, barred)
        else:
            assert proof.wins_within(position, found.plies), (position, barred)
            assert not proof.wins_within(position, found.plies - 1), (position, barred)
        seen["drawn" if not found.plies else "longer" if found.plies > plies else "same"] += 1


def test_without_repetitions_the_table_says_it_all() -> None:
    solved = solution_of(DIADEMA)
    chance = random.Random(7)
    positions = [decided_position(DIADEMA, solved, chance) for _position in range(5)]
    values = list(map(solved.value, positions))
    assert values_with_history(solved, positions, set()) == values
    assert values_with_history(solved, positions, {DIADEMA.start()}) == values
    assert values_with_history(solved, positions[:1], positions[:1]) == [Value("draw")]
