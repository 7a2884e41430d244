"""The services that every route is handed, opened together and closed together."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import Executor

from quinconce.core.worker_pools import process_pool
from quinconce.server import metrics
from quinconce.server.background import BackgroundTasks
from quinconce.server.engines.analyses import Analyses
from quinconce.server.engines.dispatch import make_engines
from quinconce.server.engines.fair_play import FairPlay
from quinconce.server.engines.jobs import MoveChooser, report_slice
from quinconce.server.engines.remarks import Remarks
from quinconce.server.engines.service import EngineService
from quinconce.server.engines.turns import EngineTurns
from quinconce.server.matches.live import LiveMatch, LiveMatches, News
from quinconce.server.peers.leases import find_peers
from quinconce.server.reviews.reviews import ReportSlicer, Reviews
from quinconce.server.reviews.store import ReviewStore
from quinconce.server.security.rate_limits import RateLimits
from quinconce.server.settings import Settings
from quinconce.server.storage.database import database_url, migrate, open_database
from quinconce.server.storage.store import Store
from quinconce.server.studies.store import StudyStore
from quinconce.server.studies.studies import Studies
from quinconce.server.views.match import ViewCaches
from quinconce.server.views.picture_pool import PicturePool


class Services:
    """What a server consists of."""

    def __init__(
        self,
        settings: Settings,
        chooser: MoveChooser | None = None,
        pool: Callable[[int], Executor] = process_pool,
        report_slicer: ReportSlicer = report_slice,
    ) -> None:
        self.settings = settings
        self.news = News()
        self.rng = random.SystemRandom()
        self.rate_limits = RateLimits(settings.limits, settings.monotonic)
        self.database = open_database(database_url(settings.database), settings.database_timeout)
        self.store = Store(self.database)
        self.peers = find_peers(self.store, settings)
        self.live_matches = LiveMatches(self.store, settings, self.peers)
        self.live_matches.count_move = metrics.count_move
        self.now = self.live_matches.now
        self.studies = Studies(StudyStore(self.store), settings, self.now)
        self.rate_limits.shared = self.peers.usage
        self.engines = EngineService(
            make_engines(settings, chooser, pool), FairPlay(self.live_matches)
        )
        self.engine_turns = EngineTurns(self.live_matches, self.engines)
        self.analyses = Analyses(settings.limits, self.engines)
        self.remarks = Remarks(self.live_matches, self.engines)
        self.reviews = Reviews(
            self.live_matches,
            ReviewStore(self.store),
            self.engines,
            self.news.tell,
            report_slicer,
        )
        self.background = BackgroundTasks(
            self.live_matches, self.peers, self.engine_turns, self.reviews
        )
        self.background.expirations.append(self.studies.delete_unused)
        self.pictures = PicturePool(pool)
        self.caches = ViewCaches()
        self.shutting_down = False  # whether streams shall end
        self.live_matches.listeners += [self.broadcast, self.engine_turns.schedule]

    def broadcast(self, live: LiveMatch) -> None:
        """Tell every stream that there is news."""
        self.news.tell(live.id)

    def end_streams(self) -> None:
        """Everything that would never end by itself ends now."""
        self.shutting_down = True
        self.news.tell_all()
        self.analyses.end_all()

    def kill_workers(self) -> None:
        """Let all worker processes go, whatever they are at."""
        self.engines.source.close()
        self.pictures.kill_workers()

    async def open(self) -> None:
        """Bring the database up to date and take up what was going on."""
        await migrate(self.database)
        await self.background.start()
        self.peers.listen(self.live_matches, self.news)

    async def close(self) -> None:
        """Leave everything as the next server wants to find it."""
        await self.peers.close()
        await self.background.close()
        await self.remarks.close()
        await self.reviews.close()
        await self.pictures.close()
        await self.engine_turns.close()
        await self.store.close()
