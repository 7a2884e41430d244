"""How sharp games are, counted by compiled code, held against the plain rules."""

from __future__ import annotations

from typing import Any

import pytest
from solutions import solution_of

import quinconce
from quinconce.core.registry import game
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.endgames.tables import endgame_table, statistics_by_pieces
from quinconce.solvers.sharpness import FaultlessPly, count_sole_moves, faultless_plies


@pytest.mark.slow
def test_sole_moves_are_as_many_as_a_second_program_counts() -> None:
    solved = solution_of(quinconce.game("diadema"))
    found = count_sole_moves(solved)
    assert found.wins == 238_056
    assert found.distant_wins < found.wins
    assert found.draws > 0


def test_faultless_play_is_that_of_the_plain_rules() -> None:
    solved = solution_of(quinconce.game("diadema"))
    rules = solved.game
    here: set[Any] = {rules.start()}
    plies = []
    for _ply in range(4):
        after, counts = set(), [len(here), 0, 0, 0]
        for position in here:
            value = solved.value(position).result
            worths = {text: each.result for text, each in solved.move_values(position).items()}
            keeping = [text for text, each in worths.items() if each == value]
            after |= {rules.after(position, text) for text in keeping}
            counts[1] += len(worths)
            counts[2] += len(keeping)
            counts[3] += len(keeping) < len(worths)
        plies.append(FaultlessPly(*counts))
        here = after
    assert faultless_plies(solved, 4) == plies
    assert [ply.risky > 0 for ply in plies] == [False, False, False, True]


@pytest.mark.slow
@pytest.mark.parametrize("reach", ["slide", "step"])
def test_the_shares_of_endings_are_those_of_the_values(reach: str) -> None:
    rules = game("seega", reach=reach)
    table = endgame_table(rules, 3)
    assert table
    numbers = kernel_for(rules)
    state = numbers.encode(rules.start())
    first, last = (int(calls.endgame_layer_start(state, n)) for n in (3, 4))
    counts = dict.fromkeys(("win", "draw", "loss"), 0)
    longest = 0
    for number in range(first, last):
        here = calls.from_index(state, number)
        position = numbers.decode(here)
        if int(calls.index(here)) != number or rules.outcome(position):
            continue
        value = table.value(position)
        assert value
        counts[value.result] += 1
        longest = max(longest, value.plies or 0)
    (share,) = (
        each for each in statistics_by_pieces(table) if each.stronger == 2 and each.weaker == 1
    )
    # Both sides to move: who is stronger may be either.
    assert share.won + share.lost == counts["win"] + counts["loss"]
    assert (share.drawn, share.longest) == (counts["draw"], longest)
    assert share.won > 0
