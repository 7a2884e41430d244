"""Fair shares: those who wait take turns by their addresses, however much one of them asks for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from quinconce.server.caches import BoundedCache
from quinconce.server.off_loop import Asker

MAX_ADDRESSES: Final = 1000  # that have had a turn and are remembered

# How many addresses may have as many questions in the queue as one may have.
MAX_FULL_ADDRESSES: Final = 8


class AddressTurns:
    """Whose turn it is: of the address that has had least since it began to wait."""

    def __init__(self) -> None:
        self._now = 0.0  # the turns of the address that was served last, before its turn
        self._had: BoundedCache[str, float] = BoundedCache(MAX_ADDRESSES)

    def order(self, asker: Asker) -> float:
        """Who has the least comes next. One who comes anew has had as much as who is served."""
        return max(self._now, self._had.peek(asker.address) or 0.0)

    def take(self, asker: Asker) -> None:
        """Count a turn; several people at an address have more of them."""
        self._now = self.order(asker)
        self._had[asker.address] = self._now + 1 / asker.people


class FairSlots:
    """At most some at a time, and the others wait; addresses take turns."""

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._waiting: list[tuple[Asker, asyncio.Event]] = []  # in the order in which they came
        self._turns = AddressTurns()

    @asynccontextmanager
    async def hold(self, asker: Asker) -> AsyncIterator[None]:
        """One of the slots, as soon as it is this asker's turn."""
        place = (asker, asyncio.Event())
        self._waiting.append(place)
        self._serve_next()
        try:
            await place[1].wait()
            yield
        finally:
            if place in self._waiting:
                self._waiting.remove(place)
            else:
                self._free += 1
            self._serve_next()

    def _serve_next(self) -> None:
        while self._free and self._waiting:
            place = min(self._waiting, key=lambda place: self._turns.order(place[0]))
            self._waiting.remove(place)
            self._turns.take(place[0])
            self._free -= 1
            place[1].set()
