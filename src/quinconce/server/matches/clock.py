"""The clock of a match: minutes and an increment, or days a move; a pure function of its events."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from quinconce.core.phrase import _
from quinconce.server.settings import DAY, MINUTE


class TimeControl(Struct, frozen=True, forbid_unknown_fields=True):
    """What was agreed: minutes for the whole match and seconds added a move, or days a move."""

    minutes: Annotated[float, Meta(gt=0, le=1440)] | None = None
    increment: Annotated[float, Meta(ge=0, le=600)] = 0.0  # seconds
    days: Annotated[float, Meta(gt=0, le=60)] | None = None

    def check(self) -> None:
        """ValueError if this is no clock."""
        if (self.minutes is None) == (self.days is None):
            raise ValueError(_("a clock has minutes for the match or days a move: give one"))
        if self.days is not None and self.increment:
            raise ValueError(_("a clock with days a move has no increment"))

    @property
    def initial_seconds(self) -> float:
        """The seconds that everybody has at first."""
        return (self.minutes or 0) * MINUTE or (self.days or 0) * DAY


class Clock:
    """The seconds that every seat has left, and whose clock runs since when."""

    def __init__(self, terms: TimeControl, seats: int) -> None:
        self.terms = terms
        self.left = [terms.initial_seconds] * seats
        self.running: int | None = None
        self.since = 0.0

    def switch_to(self, seat: int | None, at: float) -> None:
        """The clock of this seat runs from now on, and no other."""
        self.charge(at)
        self.running = seat

    def charge(self, at: float) -> None:
        """Count the time that has passed against the seat whose clock runs."""
        if self.running is not None:
            self.left[self.running] = self.left_at(at)[self.running]
        self.since = max(self.since, at)

    def skip_downtime(self, seconds: float) -> None:
        """Time in which the server was down counts for nobody."""
        self.since += seconds

    def credit_move(self, seat: int) -> None:
        """A seat has moved in time."""
        if self.terms.days is None:
            self.left[seat] += self.terms.increment
        else:
            self.left[seat] = self.terms.initial_seconds

    def left_at(self, now: float) -> list[float]:
        """What everybody has left at a moment, never less than nothing."""
        left = list(self.left)
        if self.running is not None:
            left[self.running] = max(0.0, left[self.running] - max(0.0, now - self.since))
        return left

    def deadline(self) -> float | None:
        """When the running clock will have run out."""
        return None if self.running is None else self.since + self.left[self.running]

    def seat_out_of_time(self, now: float) -> int | None:
        """The seat that has run out of time, if one has."""
        deadline = self.deadline()
        return self.running if deadline is not None and now >= deadline else None
