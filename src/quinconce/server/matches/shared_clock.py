"""The time of the database, which all servers on it follow, without asking it at every move."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

SAMPLES: Final = 8  # the last measurements, of which the quickest is the best


class Sample(NamedTuple):
    """A measurement: how long the answer took, and how far our clock was from the database's."""

    delay: float
    offset: float


class SharedClock:
    """The time of day as the database has it; it only goes forward."""

    def __init__(self, now: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self.monotonic = monotonic
        self._offset = now() - monotonic()  # until the database was asked
        self._samples: deque[Sample] = deque(maxlen=SAMPLES)
        self._last = 0.0

    def measure(self, asked: float, told: float, answered: float) -> None:
        """The database told its time between two moments of our monotonic clock."""
        self._samples.append(Sample(answered - asked, told - (asked + answered) / 2))
        self._offset = min(self._samples).offset

    def __call__(self) -> float:
        """The moment now, in seconds since 1970."""
        self._last = max(self._last, self.monotonic() + self._offset)
        return self._last
