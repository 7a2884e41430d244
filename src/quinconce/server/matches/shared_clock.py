"""The time of the database, which all servers on it follow, without asking it at every move."""

from __future__ import annotations

from collections.abc import Callable


class SharedClock:
    """The time of day as the database has it; it only goes forward."""

    def __init__(self, now: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self.monotonic = monotonic
        self._offset = now() - monotonic()  # until the database was asked
        self._last = 0.0

    def measure(self, asked: float, told: float, answered: float) -> None:
        """The database told its time between two moments of our monotonic clock.

        However late the answer came, the offset lies between two bounds: one that is already there
        is kept, since a slow answer says nothing better.
        """
        self._offset = min(max(self._offset, told - answered), told - asked)

    def __call__(self) -> float:
        """The moment now, in seconds since 1970."""
        self._last = max(self._last, self.monotonic() + self._offset)
        return self._last
