"""What the tests of every game do: play moves, and ask why one is refused."""

from __future__ import annotations

from typing import Any

import pytest

import quinconce
from quinconce import IllegalMoveError, Match


def played(name: str, moves: str = "", **options: Any) -> Match[Any]:
    """A match after these moves."""
    match = Match(quinconce.game(name, **options))
    for text in moves.split():
        match.play(text)
    return match


def why(match: Match[Any], text: str) -> str:
    """The reason for which a move is refused."""
    with pytest.raises(IllegalMoveError) as refused:
        match.play(text)
    return refused.value.why
