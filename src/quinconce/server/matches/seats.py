"""Seats: who shall sit where, and who sits there now."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from quinconce.core.phrase import _
from quinconce.engine.levels import LEVEL_NUMBERS

SeatKind = Literal["me", "here", "friend", "engine"]
SCREEN_KINDS: Final = (
    "me",
    "here",
)  # one browser holds these seats, and speaks for all of them at once
MAX_NAME_LENGTH: Final = 40


class SeatSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall sit there, when a match is set up."""

    kind: SeatKind
    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] = ""
    level: Annotated[int, Meta(ge=LEVEL_NUMBERS[0], le=LEVEL_NUMBERS[-1])] | None = None

    def check(self) -> None:
        """ValueError if nobody can sit like this."""
        if (self.level is None) == (self.kind == "engine"):
            raise ValueError(_("an engine has a level, and nobody else has one"))


class Occupant(Struct, frozen=True):
    """Who sits there now."""

    kind: SeatKind
    name: str
    level: int | None
    claimed: bool  # whether somebody has come
    lent: bool = False  # to the engine, until its owner is back


def clean_name(name: str) -> str:
    """A display name without what cannot be shown, on one line."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:MAX_NAME_LENGTH]
