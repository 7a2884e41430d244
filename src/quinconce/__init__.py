"""Quinconce: abstract strategy games to play, replay, analyse, write down and script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quinconce.core.board import Board
from quinconce.core.errors import (
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    MoveError,
    RecordError,
)
from quinconce.core.game import Game, perft
from quinconce.core.match import Match
from quinconce.core.option import Option
from quinconce.core.position import Outcome
from quinconce.core.record import Record, Seat
from quinconce.core.registry import game, names
from quinconce.core.variations import Variations
from quinconce.draw import Picture, picture, picture_of

if TYPE_CHECKING:
    from quinconce.words import Voice

__all__ = [
    "Board",
    "Game",
    "GameOverError",
    "IllegalMoveError",
    "InvalidMoveError",
    "Match",
    "MoveError",
    "Option",
    "Outcome",
    "Picture",
    "Record",
    "RecordError",
    "Seat",
    "Variations",
    "Voice",
    "game",
    "names",
    "perft",
    "picture",
    "picture_of",
]


def __getattr__(name: str) -> Any:
    """Load `Voice` when it is first asked for: a program in English needs no catalogue."""
    if name != "Voice":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from quinconce.words import Voice

    return Voice
