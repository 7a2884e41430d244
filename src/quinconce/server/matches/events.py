"""What can happen in a match: every event has a number, a time, a seat it is of, and an act."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

Matter = Literal["stop", "takeback", "hints", "engine", "rematch"]


class Act(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """What was done. Its kind is stored: the tag of an act never changes, whatever its class."""


class Move(Act, frozen=True, tag="move"):
    """A move was played."""

    move: str


class Agree(Act, frozen=True, tag="agree"):
    """A seat wants something of the others, or what another has asked for.

    `about` is the seat that the engine shall play, where that is the matter.
    """

    matter: Matter
    about: int | None = None


class Refuse(Act, frozen=True, tag="refuse"):
    """A seat does not want what was asked for; or no longer, if it asked itself."""

    matter: Matter


class Resign(Act, frozen=True, tag="resign"):
    """A seat gives up."""


class ClaimSeat(Act, frozen=True, tag="claim"):
    """Somebody has come and sat down."""

    name: str = ""


class Rename(Act, frozen=True, tag="name"):
    """A seat is called something else."""

    name: str


class Return(Act, frozen=True, tag="back"):
    """Somebody whose seat was lent to the engine plays on."""


# What follows from the acts of people, or is done by the server.


class Takeback(Act, frozen=True, tag="takeback"):
    """All moves from this ply on are taken back."""

    ply: int


class StandIn(Act, frozen=True, tag="hand"):
    """The engine plays on in a seat: lent until its owner is back, or for good."""

    about: int
    level: int
    lent: bool


class Timeout(Act, frozen=True, tag="timeout"):
    """A seat has run out of time."""


class Downtime(Act, frozen=True, tag="clock"):
    """The server was down for a number of seconds, which no clock counts."""

    lost: float


class Rematch(Act, frozen=True, tag="rematch"):
    """The match that follows this one, with seats swapped."""

    match: str


class End(Act, frozen=True, tag="end"):
    """The match is over; the moves and what was said have decided it."""

    winners: list[int]
    reason: str
    by: str | None = None


AnyAct = (
    Move
    | Agree
    | Refuse
    | Resign
    | ClaimSeat
    | Rename
    | Return
    | Takeback
    | StandIn
    | Timeout
    | Downtime
    | Rematch
    | End
)


class Event(msgspec.Struct, frozen=True):
    """One thing that happened; a number is never used twice in a match."""

    seq: int
    at: float  # seconds since 1970
    seat: int | None  # None for the server itself
    act: AnyAct

    @property
    def kind(self) -> str:
        """The kind of act, as it is stored."""
        return str(self.act.__struct_config__.tag)

    def as_dict(self) -> dict[str, Any]:
        """As streams tell it: everything on one level."""
        fields: dict[str, Any] = {"seq": self.seq, "at": self.at, "seat": self.seat}
        return fields | msgspec.to_builtins(self.act)  # type: ignore[no-any-return]


ACT_DECODER: Final = msgspec.json.Decoder(AnyAct)


def encode(act: AnyAct) -> str:
    """An act as it is stored."""
    return msgspec.json.encode(act).decode()


def decode(text: str) -> AnyAct:
    """The act that `encode` wrote."""
    act: AnyAct = ACT_DECODER.decode(text)
    return act


def is_retry(stored: AnyAct, wish: AnyAct) -> bool:
    """Whether a wish is one that was granted already: its answer was lost and it is sent again."""
    if isinstance(stored, Move) and isinstance(wish, Move):
        # The border is forgiving, so what is stored may be spelt better than what was sent.
        return stored.move.casefold() == "".join(wish.move.split()).casefold()
    return stored == wish
