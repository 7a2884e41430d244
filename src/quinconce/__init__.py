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
    from quinconce.bridges.notebook import BoardWidget
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
    "widget",
]


def __getattr__(name: str) -> Any:
    """Load `Voice` when it is first asked for: a program in English needs no catalogue."""
    if name != "Voice":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from quinconce.words import Voice

    return Voice


def widget(
    match: Match[Any], *, level: int = 5, flipped: bool = False, language: str | None = None
) -> BoardWidget:
    """A board in a notebook that one can click on; `widget(match).match` has the moves made there.

    `level` is the engine's, if one lets it move; `language` is "en" or "fr". The board needs
    anywidget, which `pip install quinconce[notebook]` installs; without it this is an ImportError.

    >>> match = Match(game("diam"))
    >>> board = widget(match, level=3)
    >>> board.play("r@1")  # as if it were clicked
    >>> match.moves
    ['r@1']
    """
    try:
        from quinconce.bridges.notebook import BoardWidget
    except ModuleNotFoundError as error:
        why = "a board in a notebook needs the package anywidget: pip install quinconce[notebook]"
        raise ImportError(why) from error
    return BoardWidget(match, level=level, flipped=flipped, language=language)
