"""The services that every route is handed, opened together and closed together."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from concurrent.futures import Executor

from quinconce.core.match import MatchData
from quinconce.core.worker_pools import process_pool
from quinconce.server.matches.analyses import Analyses
from quinconce.server.matches.background import BackgroundTasks
from quinconce.server.matches.engine_dispatch import make_engines
from quinconce.server.matches.engine_pool import MoveChooser
from quinconce.server.matches.engine_turns import EngineTurns
from quinconce.server.matches.forward_clock import ForwardClock
from quinconce.server.matches.live import LiveMatch, LiveMatches
from quinconce.server.matches.news import News
from quinconce.server.matches.peers import Alone, PeerClock, Peers
from quinconce.server.matches.picture_pool import PicturePool
from quinconce.server.matches.remarks import Remarks
from quinconce.server.matches.reviews import Reviews, engine_reviewer
from quinconce.server.matches.shared_clock import SharedClock
from quinconce.server.security.rate_limits import RateLimits
from quinconce.server.settings import HOUR, Settings
from quinconce.server.storage.connection import ServerDatabase
from quinconce.server.storage.database import database_url, migrate, open_database
from quinconce.server.storage.peer_news import PeerNews
from quinconce.server.storage.review_store import ReviewStore
from quinconce.server.storage.shared_store import SharedStore
from quinconce.server.storage.store import Store
from quinconce.server.storage.study_store import StudyStore
from quinconce.server.studies.studies import Studies


class Services:
    """What a server consists of."""

    def __init__(
        self,
        settings: Settings,
        chooser: MoveChooser | None = None,
        pool: Callable[[int], Executor] = process_pool,
        reviewer: Callable[[MatchData], str] | None = None,
    ) -> None:
        self.settings = settings
        self.news = News()
        self.rng = random.SystemRandom()
        self.rate_limits = RateLimits(settings.limits, settings.monotonic)
        self.database = open_database(database_url(settings.database))
        self.store = Store(self.database)
        self.peers = find_peers(self.store, settings)
        self.live_matches = LiveMatches(self.store, settings, self.peers)
        self.now = self.live_matches.now
        self.studies = Studies(StudyStore(self.store), settings, self.now)
        self.peer_news: PeerNews | None = None
        if isinstance(self.database, ServerDatabase) and isinstance(self.peers, Peers):
            self.rate_limits.shared = SharedStore(self.store, self.now)
            self.peer_news = PeerNews(self.database, self.peers, self.live_matches, self.news)
        self.engines = make_engines(settings, chooser, pool)
        self.engine_turns = EngineTurns(self.live_matches, self.engines)
        self.analyses = Analyses(settings.limits)
        self.remarks = Remarks(self.live_matches, self.engines)
        self.reviews = Reviews(
            self.live_matches,
            ReviewStore(self.store),
            engine_reviewer(self.engines, reviewer),
            self.news.tell,
        )
        self.background = BackgroundTasks(self.live_matches, self.engine_turns, self.reviews)
        self.background.chores.append((self.delete_unused_studies, HOUR))
        self.pictures = PicturePool(pool)
        self.shutting_down = False  # whether streams shall end
        self.live_matches.listeners += [self.broadcast, self.engine_turns.schedule]

    def broadcast(self, live: LiveMatch) -> None:
        """Tell every stream that there is news."""
        self.news.tell(live.id)

    async def delete_unused_studies(self) -> None:
        """Delete old studies; of several servers, one sees to it."""
        if self.peers.leads:
            await self.studies.delete_unused()

    def end_streams(self) -> None:
        """Everything that would never end by itself ends now."""
        self.shutting_down = True
        self.news.tell_all()
        self.analyses.end_all()

    async def open(self) -> None:
        """Bring the database up to date and take up what was going on."""
        await migrate(self.database)
        await self.background.start()
        if self.peer_news:
            self.peer_news.start()

    async def close(self) -> None:
        """Leave everything as the next server wants to find it."""
        if self.peer_news:
            await self.peer_news.close()
        await self.background.close()
        await self.remarks.close()
        await self.reviews.close()
        await self.pictures.close()
        await self.engine_turns.close()
        await self.store.close()


def find_peers(store: Store, settings: Settings) -> Alone:
    """The other servers on a database; with a file of its own, a server is alone."""
    if not isinstance(store.database, ServerDatabase):
        return Alone(ForwardClock(settings.now, settings.monotonic))
    clock: PeerClock = ForwardClock(settings.now, settings.monotonic)
    if settings.now is time.time:  # the time that a test sets is not the database's
        clock = SharedClock(settings.now, settings.monotonic)
    peers = Peers(SharedStore(store, clock), clock)
    store.process = peers.process
    return peers
