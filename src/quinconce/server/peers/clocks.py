"""The time of day by which the clocks of matches are counted: it only goes forward."""

from __future__ import annotations

import math
from collections.abc import Callable


class ForwardClock:
    """The time of day; where the machine's clock is set back, it goes on as if it were not.

    Set forward, by somebody or by a machine that slept, it follows.
    """

    def __init__(self, now: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self.time_of_day = now
        self.monotonic = monotonic
        self.offset = -math.inf  # of the time of day from the clock that never goes back

    def measure(self, asked: float, there: float, answered: float) -> None:
        """Do nothing: the time of a database changes nothing here."""

    def __call__(self) -> float:
        """The moment now, in seconds since 1970."""
        now, ticks = self.time_of_day(), self.monotonic()
        self.offset = max(self.offset, now - ticks)
        return ticks + self.offset


class SharedClock:
    """The time of day as the database has it; it only goes forward."""

    def __init__(self, now: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self.monotonic = monotonic
        self._offset = now() - monotonic()  # until the database was asked
        self._last = 0.0

    def measure(self, asked: float, there: float, answered: float) -> None:
        """The database gave its time between two moments of our monotonic clock.

        However late the answer came, the offset lies between two bounds: one that is already there
        is kept, since a slow answer says nothing better.
        """
        self._offset = min(max(self._offset, there - answered), there - asked)

    def __call__(self) -> float:
        """The moment now, in seconds since 1970."""
        self._last = max(self._last, self.monotonic() + self._offset)
        return self._last


PeerClock = ForwardClock | SharedClock
