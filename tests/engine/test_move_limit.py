"""The engine where there are more moves than can be listed: it thinks about some, and plays."""

from __future__ import annotations

from typing import Any

import pytest
from many_moves import BEFORE_MANY, LEADS_TO_MANY, OPTIONS

import quinconce
from quinconce import Match
from quinconce.core.move_limit import MOVE_LIMIT, read_position
from quinconce.engine import analyse, choose
from quinconce.engine.move_choice import accepts_offer
from quinconce.engine.workspace import SEARCHED_MOVES
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for


@pytest.fixture(scope="module")
def crowded_match() -> Match[Any]:
    rules = quinconce.game("seega", **OPTIONS)
    match = Match(rules, read_position(rules, BEFORE_MANY))
    match.play(LEADS_TO_MANY)
    return match


@pytest.mark.slow
def test_a_level_chooses_a_legal_move(crowded_match: Match[Any]) -> None:
    game, position = crowded_match.game, crowded_match.position
    assert game.successor(position, choose(crowded_match, 1, seed=1)) is not None


# The first depth is always searched whole, and here it takes a quarter of a minute.
@pytest.mark.long
def test_an_analysis_has_a_line_of_legal_moves(crowded_match: Match[Any]) -> None:
    *_earlier, last = analyse(crowded_match, nodes=200)
    position = crowded_match.position
    for text in last.lines[0].moves:
        position = crowded_match.game.after(position, text)


@pytest.mark.long
def test_an_offer_is_answered(crowded_match: Match[Any]) -> None:
    assert isinstance(accepts_offer(crowded_match, 0), bool)


def test_a_kernel_fills_the_rows_of_a_search_and_leaves_out_the_rest(
    crowded_match: Match[Any],
) -> None:
    kernel = kernel_for(crowded_match.game)
    state, rows = kernel.encode(crowded_match.position), kernel.new_rows(1, SEARCHED_MOVES)[0]
    with pytest.raises(OverflowError):
        calls.successors(state, rows)
    assert rows.shape[0] == SEARCHED_MOVES == MOVE_LIMIT
    for row in range(0, MOVE_LIMIT, 400):
        crowded_match.game.check(kernel.decode(calls.load(state, rows, row)))
