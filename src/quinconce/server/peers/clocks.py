"""Clocks: the time of day that only goes forward, the database's time, the time of expiry."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from quinconce.server.settings import DAY, HOUR

STEP_SECONDS: Final = 0.2  # by which one measurement moves the time at most
# Without a server that leads, after which no clock counts the time.
DOWN_SECONDS: Final = 10.0
CATCH_UP: Final = 24.0  # seconds by which expiry follows the time of day, a second that servers run


class ForwardClock:
    """The time of day; where the machine's clock is set back, it goes on as if it were not.

    Set forward, by somebody or by a machine that slept, it follows.
    """

    def __init__(self, now: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self.time_of_day = now
        self.monotonic = monotonic
        self.offset = -math.inf  # of the time of day from the clock that never goes back

    def __call__(self) -> float:
        """The moment now, in seconds since 1970."""
        now, ticks = self.time_of_day(), self.monotonic()
        self.offset = max(self.offset, now - ticks)
        return ticks + self.offset


class SharedClock:
    """The time of day as the database has it; it only goes forward.

    What this machine takes for the time of day counts for nothing: it only says where the first
    measurement begins, and there is no time before that.
    """

    def __init__(self, now: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self.monotonic = monotonic
        self.is_measured = False
        self._is_settled = False  # whether an answer was quick enough to be certain
        self._offset = now() - monotonic()
        self._last = -math.inf

    def measure(self, asked: float, there: float, answered: float) -> bool:
        """The database gave its time between two moments of our monotonic clock.

        However late the answer came, the offset lies between two bounds: one that is already there
        is kept, since a slow answer says nothing better. Answers are followed at once until one was
        quick, and then in small steps. If the database is far ahead, this machine slept or the
        database was set: then it is followed at once too, and True comes back, because no clock of
        a match may count that time.
        """
        change = min(max(self._offset, there - answered), there - asked) - self._offset
        jumps = self._is_settled and change > DOWN_SECONDS
        if self._is_settled and not jumps:
            change = min(max(change, -STEP_SECONDS), STEP_SECONDS)
        self._offset += change
        self.is_measured = True
        self._is_settled = self._is_settled or answered - asked <= STEP_SECONDS
        return jumps

    def __call__(self) -> float:
        """The moment now, in seconds since 1970; RuntimeError before the first measurement."""
        if not self.is_measured:
            raise RuntimeError("the database has not told its time yet")
        self._last = max(self._last, self.monotonic() + self._offset)
        return self._last


class ExpiryClock:
    """Whether it is certain enough what time it is, to delete what is old.

    A machine may start with a clock that is years ahead. So a sign of life is stored that follows
    the time of day by at most a day for each hour in which a server runs, and nothing is deleted
    while the two are far apart, nor in the first hour.
    """

    def __init__(self, now: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self.now = now
        self.monotonic = monotonic
        self.started_at = self.signed_at = monotonic()

    def is_certain(self, sign: float) -> bool:
        """Whether things may be deleted, by the sign of life that was last stored."""
        return self.monotonic() - self.started_at >= HOUR and abs(self.now() - sign) <= DAY

    def next_sign(self, sign: float) -> float:
        """The sign of life to be stored now, which follows the last one."""
        ran, self.signed_at = self.monotonic() - self.signed_at, self.monotonic()
        return min(self.now(), sign + CATCH_UP * ran)
