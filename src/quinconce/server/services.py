"""The services that every route is handed, opened together and closed together."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import Executor

from quinconce.core.worker_pools import process_pool
from quinconce.server.matches.background import BackgroundTasks
from quinconce.server.matches.engine_dispatch import make_engines
from quinconce.server.matches.engine_pool import MoveChooser
from quinconce.server.matches.engine_turns import EngineTurns
from quinconce.server.matches.live import LiveMatch, LiveMatches
from quinconce.server.matches.news import News
from quinconce.server.security.rate_limits import RateLimits
from quinconce.server.settings import Settings
from quinconce.server.storage.database import database_url, migrate, open_database
from quinconce.server.storage.store import Store


class Services:
    """What a server consists of."""

    def __init__(
        self,
        settings: Settings,
        chooser: MoveChooser | None = None,
        pool: Callable[[int], Executor] = process_pool,
    ) -> None:
        self.settings = settings
        self.now = settings.now
        self.news = News()
        self.rng = random.SystemRandom()
        self.rate_limits = RateLimits(settings.limits, settings.monotonic)
        self.database = open_database(database_url(settings.database))
        self.store = Store(self.database)
        self.live_matches = LiveMatches(self.store, settings)
        self.engines = make_engines(settings, chooser, pool)
        self.engine_turns = EngineTurns(self.live_matches, self.engines)
        self.background = BackgroundTasks(self.live_matches, self.engine_turns)
        self.shutting_down = False  # whether streams shall end
        self.live_matches.listeners += [self.broadcast, self.engine_turns.schedule]

    def broadcast(self, live: LiveMatch) -> None:
        """Tell every stream that there is news."""
        self.news.tell(live.id)

    def end_streams(self) -> None:
        """Everything that would never end by itself ends now."""
        self.shutting_down = True
        self.news.tell_all()

    async def open(self) -> None:
        """Bring the database up to date and take up what was going on."""
        await migrate(self.database)
        await self.background.start()

    async def close(self) -> None:
        """Leave everything as the next server wants to find it."""
        await self.background.close()
        await self.engine_turns.close()
        await self.store.close()
