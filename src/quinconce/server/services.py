"""The house: everything that a server needs, opened together and closed together."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import Executor

from litestar.channels import ChannelsPlugin

from quinconce.core.worker_pools import processes
from quinconce.server.matches.background import Upkeep
from quinconce.server.matches.engine_pool import Chooser, Engines
from quinconce.server.matches.engine_turns import Turns
from quinconce.server.matches.live import Live, Room
from quinconce.server.security.rate_limits import Rations
from quinconce.server.settings import Settings
from quinconce.server.storage.database import brought_up_to_date, located, opened
from quinconce.server.storage.store import Store


class House:
    """The rooms of a server, handed to every route."""

    def __init__(
        self,
        settings: Settings,
        channels: ChannelsPlugin,
        chooser: Chooser | None = None,
        pool: Callable[[int], Executor] = processes,
    ) -> None:
        self.settings = settings
        self.now = settings.now
        self.channels = channels
        self.chance = random.SystemRandom()
        self.rations = Rations(settings.limits, settings.now)
        self.engine = opened(located(settings.database))
        self.store = Store(self.engine)
        self.live = Live(self.store, settings)
        self.engines = Engines(settings.workers, settings.limits.thinking, chooser, pool)
        self.turns = Turns(self.live, self.engines)
        self.upkeep = Upkeep(self.live, self.turns)
        self.leaving = False  # whether streams shall end
        self.live.announcers += [self.broadcast, self.turns.wake]

    def broadcast(self, room: Room) -> None:
        """Tell every stream that there is news; what it is they read from the store."""
        self.channels.publish({"match": room.id, "seq": room.course.seq}, room.id)

    def nudge(self, match: str) -> None:
        """Let every stream of a match look again: somebody has come or gone."""
        self.channels.publish({"match": match}, match)

    def leave(self) -> None:
        """Everything that would never end by itself ends now."""
        self.leaving = True
        for match, room in self.live.rooms.items():
            if room.watchers:
                self.nudge(match)

    async def open(self) -> None:
        """Bring the database up to date and take up what was going on."""
        await brought_up_to_date(self.engine)
        await self.upkeep.start()

    async def close(self) -> None:
        """Leave everything as the next server wants to find it."""
        await self.turns.close()
        await self.upkeep.close()
        await self.store.close()
