"""Positions of all games: what they share, what is counted in one, and how a game ends there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol, Self, TypeVar

from quinconce.core.phrase import Phrase, _

# The reasons every game knows; a game adds its own in `Game.reasons`.
REASONS: Final[Mapping[str, Phrase]] = {
    "repetition": _("the same position came up a third time"),
    "passes": _("every player passed"),
    "resignation": _("resignation"),
    "agreement": _("the players agreed to stop"),
    "time": _("time ran out"),
}

# What can stop a game whose result is then counted: the words behind `Outcome.by`.
STOP_REASONS: Final[Mapping[str, Phrase]] = {
    "quiet": _("too many turns without a capture"),
    "repetition": REASONS["repetition"],
    "agreement": REASONS["agreement"],
}


class Position(Protocol):
    """A NamedTuple of the board, one letter a cell, and whole numbers, the turn among them."""

    @property
    def board(self) -> str: ...
    @property
    def turn(self) -> int: ...  # the step of the game's cycle of turns
    @property
    def _fields(self) -> tuple[str, ...]: ...
    def _replace(self, *args: Any, **fields: Any) -> Self: ...


P = TypeVar("P", bound=Position)


class PositionField(NamedTuple):
    """A number of a position beside its board: what it is called, and what its values mean."""

    name: str
    label: Phrase
    values: Mapping[int, Phrase]


class Tally(NamedTuple):
    """What is counted, by a name for programs; how much; and both in words."""

    what: str  # "reserve", "pieces", "taken"
    n: int
    words: Phrase


class Outcome(NamedTuple):
    """The end of a game: the winning seats (none for a draw) and the reason.

    >>> from quinconce import Match, game
    >>> outcome = Match(game("buts")).resign(1)
    >>> outcome
    Outcome(winners=(0,), reason='resignation', by=None)
    """

    winners: tuple[int, ...]
    reason: str
    by: str | None = None  # what stopped the game, where the reason alone does not say it
