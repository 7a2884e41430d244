"""Games and endgames that are solved: what there is for certain, for tests to compare with."""

from __future__ import annotations

from typing import Any

from quinconce import Game
from quinconce.solvers.endgames.tables import EndgameTable, endgame_table
from quinconce.solvers.retrograde import Solution, solution


def solution_of(game: Game[Any]) -> Solution:
    """A game solved backwards; AssertionError if it cannot be."""
    found = solution(game)
    assert found
    return found


def endgames_of(game: Game[Any], pieces: int) -> EndgameTable:
    """The endgames with at most so many pieces; AssertionError if they have no table."""
    found = endgame_table(game, pieces)
    assert found
    return found
