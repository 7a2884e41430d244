"""What bridges are given, read in one way everywhere: games, numbers, limits and seats."""

from __future__ import annotations

from contextlib import suppress
from operator import index
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.phrase import _, quote
from quinconce.core.registry import game as game_by_name

MOST_PLIES: Final = 10_000_000  # of a limit: OpenSpiel counts touches in 32 bits


def game_of(game: Game[Any] | str, **options: object) -> Game[Any]:
    """A game, or the one with this name and these options; ValueError if there is none."""
    if not isinstance(game, Game):
        return game_by_name(game, **{name: plain_number(options[name]) for name in options})
    if options:
        raise ValueError(
            _("{game} has its options: give others with its name", game=quote(repr(game)))
        )
    return game


def whole_number(given: object) -> int | None:
    """A whole number of any kind as a plain one; None for anything else, and for True and False.

    NumPy's will do too, and arrays of one without a shape.
    """
    if not isinstance(given, bool) and getattr(given, "shape", ()) == ():
        with suppress(TypeError):
            return index(given)  # type: ignore[arg-type]
    return None


def plain_number(given: Any) -> Any:
    """A whole number of any kind as a plain one, and anything else as it is."""
    number = whole_number(given)
    return given if number is None else number


def parse_count(name: str, given: object) -> int:
    """A number from 1; ValueError, with the name of the argument, for anything else."""
    number = whole_number(given)
    if number is None or number < 1:
        raise ValueError(
            _("{name} is {wrong}, but must be a number from 1").fill(name=name, wrong=quote(given))
        )
    return number


def parse_max_plies(given: object) -> int | None:
    """A limit of moves, or None for no limit; ValueError for anything else."""
    number = whole_number(given)
    if given is not None and (number is None or not 1 <= number <= MOST_PLIES):
        raise ValueError(
            _(
                "max_plies is {wrong}, but must be a number from 1 to {last}, or None",
                wrong=quote(given),
                last=MOST_PLIES,
            )
        )
    return number


def parse_seat(game: Game[Any], given: object) -> int:
    """A seat of a game; ValueError if it has no such seat."""
    number = whole_number(given)
    if number is None or number not in range(game.seats):
        raise ValueError(
            _(
                "there is no seat {seat}: they go from 0 to {last}",
                seat=quote(given),
                last=game.seats - 1,
            )
        )
    return number
