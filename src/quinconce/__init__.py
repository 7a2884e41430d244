"""Quinconce: a house for abstract strategy games, to play, replay, write down and script."""

from quinconce.core.errors import (
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    MoveError,
    RecordError,
)
from quinconce.core.game import Game, perft
from quinconce.core.match import Match
from quinconce.core.outcome import Outcome
from quinconce.core.record import Record, Seat
from quinconce.core.registry import game, names
from quinconce.draw import Picture, picture, picture_of

__all__ = [
    "Game",
    "GameOverError",
    "IllegalMoveError",
    "InvalidMoveError",
    "Match",
    "MoveError",
    "Outcome",
    "Picture",
    "Record",
    "RecordError",
    "Seat",
    "game",
    "names",
    "perft",
    "picture",
    "picture_of",
]
