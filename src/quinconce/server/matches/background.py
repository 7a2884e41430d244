"""What a server does by itself: clocks that run out, signs of life, old matches, waking up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from quinconce.server.errors import RefusalError
from quinconce.server.matches.engine_turns import Turns
from quinconce.server.matches.live import Live
from quinconce.server.settings import HOUR
from quinconce.server.storage.schema import MATCHES

LOG: Final = logging.getLogger("quinconce.server")
TICK: Final = 0.2  # seconds
PULSE: Final = 5.0
OVERDUE: Final = 1.0  # after which news is told by the clockwork, if whoever made it could not


class Upkeep:
    """The clockwork of a house."""

    def __init__(self, live: Live, turns: Turns) -> None:
        self.live = live
        self.turns = turns
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Take up everything where the last server left it, and keep it going."""
        await self.resume_clocks()
        self.tasks.append(asyncio.create_task(self.resume_engines()))
        for step, pause in ((self.tick, TICK), (self.pulse, PULSE), (self.expire, HOUR)):
            self.tasks.append(asyncio.create_task(self._again(step, pause)))

    async def close(self) -> None:
        """A last sign of life."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.pulse()

    async def _again(self, step: Callable[[], Awaitable[None]], pause: float) -> None:
        while True:
            try:
                await step()
            except Exception:  # a full disk today is no reason to stop for ever
                LOG.exception("upkeep failed")
            await asyncio.sleep(pause)

    async def resume_clocks(self) -> None:
        """Clocks do not count the time since the last sign of life."""
        store, now = self.live.store, self.live.now()
        seen = await store.last_pulse()
        running = (MATCHES.c.waits != "nobody", MATCHES.c.clocked == 1)
        for kept in await store.matches(*running):
            try:
                room = await self.live.room(kept.id)
                async with room.lock:
                    await self.live.resume(room, seen, now)
            except Exception:
                LOG.exception("match %s cannot be taken up", kept.id)

    async def resume_engines(self) -> None:
        """Engines that are to move are asked again."""
        for kept in await self.live.store.matches(MATCHES.c.waits == "engine"):
            try:
                async with self.live.entered(kept.id) as room:
                    self.turns.wake(room)
            except Exception:
                LOG.exception("match %s cannot be taken up", kept.id)

    async def tick(self) -> None:
        """Whoever has run out of time is told so; news that nobody could tell is told."""
        now = self.live.now()
        for match in [match for match, at in self.live.deadlines.items() if at <= now]:
            try:
                async with self.live.entered(match):
                    pass  # to enter a room is to look at its clock
            except RefusalError:
                self.live.forget(match)
            self.live.announce(match)
        for match in [m for m, at in self.live.unannounced.items() if at <= now - OVERDUE]:
            self.live.announce(match)

    async def pulse(self) -> None:
        """A sign of life, if a clock runs."""
        if self.live.deadlines:
            await self.live.store.pulse(self.live.now())

    async def expire(self) -> None:
        """Matches in which nobody has moved are not kept for ever."""
        before = self.live.now() - self.live.settings.unstarted
        old = (MATCHES.c.moves == 0, MATCHES.c.touched < before)
        for kept in await self.live.store.matches(*old):
            self.live.forget(kept.id)
        count = await self.live.store.forget(*old)
        if count:
            LOG.info("%s matches without a move have expired", count)
