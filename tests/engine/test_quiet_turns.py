"""Quiet turns make estimates smaller, and nothing that is proved."""

from __future__ import annotations

import random
from typing import Any

import pytest

import quinconce
from quinconce import Match
from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.scores import PROVED_THRESHOLD
from quinconce.engine.search import FADING_TURNS, faded
from quinconce.engine.workspace import ROOT_QUIET, Workspace

EVEN = "b...b/b..ww/.bbw./...ww/.bbww"  # seven pawns each, nobody can take any
WHITE_AHEAD = "b...b/b..ww/.bbw./...ww/..bww"


def seega_match(board: str, turn: int = 0, quiet: str = "40") -> Match[Any]:
    game = quinconce.game("seega", quiet=quiet)
    return Match(game, game.read(f"{board} turn={turn} phase=2 duty=0"))


def search_after(match: Match[Any], turns: int, depth: int) -> AlphaBetaSearch:
    """A search of a position as if there had been quiet turns before it."""
    search = AlphaBetaSearch(match)
    for number, root in enumerate(search.root_moves):
        if root.quiet_turns:
            search.roots.quiet_turns[number] += turns
    while search.depth < depth:
        search.deepen(len(search.root_moves))
    return search


def workspace_after(match: Match[Any], turns: int) -> Workspace:
    space = search_after(match, turns, 1).workspaces[0]
    assert space.control[ROOT_QUIET] == turns
    return space


def test_an_even_estimate_fades_by_the_turns_before_the_root_whatever_the_way() -> None:
    match = seega_match(EVEN)
    state, space = AlphaBetaSearch(match).state, workspace_after(match, 20)
    assert {faded(100, state, ply, 20 + ply, space) for ply in range(1, 12)} == {75}
    assert {faded(-100, state, ply, 20 + ply, space) for ply in range(1, 12)} == {-75}


def test_what_came_after_a_capture_does_not_fade() -> None:
    match = seega_match(EVEN)
    state, space = AlphaBetaSearch(match).state, workspace_after(match, 20)
    assert {faded(100, state, 9, quiet, space) for quiet in range(9)} == {100}


def test_a_lead_in_pawns_does_not_fade() -> None:
    match = seega_match(WHITE_AHEAD)
    state, space = AlphaBetaSearch(match).state, workspace_after(match, 39)
    assert faded(100, state, 1, 40, space) == 100


def test_without_a_limit_an_estimate_fades_to_the_half() -> None:
    match = seega_match(EVEN, quiet="none")
    state = AlphaBetaSearch(match).state
    for turns, left in ((FADING_TURNS, 50), (10 * FADING_TURNS, 50), (FADING_TURNS // 2, 75)):
        space = workspace_after(match, turns)
        assert faded(100, state, 3, turns + 3, space) == left


@pytest.mark.parametrize("quiet", ["40", "none"])
def test_who_stands_better_sees_less_in_quiet_moves_the_longer_nothing_happens(quiet: str) -> None:
    hopes = [
        search_after(seega_match(EVEN, turn=1, quiet=quiet), turns, 2).root_moves[0].score
        for turns in (0, 10, 20, 30)
    ]
    assert hopes == sorted(hopes, reverse=True)
    assert hopes[0] > hopes[-1] > 0


def proved_scores(match: Match[Any], turns: int) -> dict[str, int]:
    roots = search_after(match, turns, 7).root_moves
    return {root.text: root.score for root in roots if abs(root.score) > PROVED_THRESHOLD}


def test_proofs_are_equal_whatever_quiet_turns_there_were() -> None:
    chance, proved = random.Random(5), 0
    for _position in range(30):
        cells = [*"wwwwwbb", *"." * 17]
        chance.shuffle(cells)
        cells.insert(12, ".")
        board = "/".join("".join(cells[row : row + 5]) for row in range(0, 25, 5))
        match = seega_match(board, chance.randrange(2))
        expected = proved_scores(match, 0)
        assert proved_scores(match, 20) == expected, board
        proved += len(expected)
    assert proved >= 5
