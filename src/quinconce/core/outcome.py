"""How a game ended: who won, why, and what stopped it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

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


class Outcome(NamedTuple):
    """The end of a game: the winning seats (none for a draw) and the reason."""

    winners: tuple[int, ...]
    reason: str
    by: str | None = None  # what stopped the game, where the reason alone does not say it
