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

    def measure(self, asked: float, told: float, answered: float) -> None:
        """Whoever follows this machine's time does not care what a database has told."""

    def __call__(self) -> float:
        """The moment now, in seconds since 1970."""
        now, ticks = self.time_of_day(), self.monotonic()
        self.offset = max(self.offset, now - ticks)
        return ticks + self.offset
