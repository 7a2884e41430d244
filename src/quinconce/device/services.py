"""The services of a device: those of a server, with another store, another engine and no peers."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from quinconce.device.engine import DeviceEngines, report_slice
from quinconce.device.kept import DeviceReviews, DeviceStudies
from quinconce.device.store import AloneOnDevice, DeviceMatches, DeviceStore, Entries, Kept
from quinconce.server.engines.analyses import Analyses
from quinconce.server.engines.fair_play import FairPlay
from quinconce.server.engines.jobs import MoveChooser
from quinconce.server.engines.remarks import Remarks
from quinconce.server.engines.service import EngineService
from quinconce.server.engines.turns import EngineTurns
from quinconce.server.matches.live import LiveMatch, LiveMatches, News
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.refusals import RefusalError, StorageError
from quinconce.server.reviews.reviews import ReportSlicer, Reviews
from quinconce.server.security.rate_limits import RateLimits
from quinconce.server.settings import Settings
from quinconce.server.studies.studies import Studies
from quinconce.server.views.match import ViewCaches

LOG: Final = logging.getLogger("quinconce.device")
TICK_SECONDS: Final = 0.2  # between two looks at the clocks that run


class DeviceLiveMatches(LiveMatches):
    """Live matches; no clock runs out in one that is not whole."""

    store: DeviceMatches

    async def flag_expired_clock(self, live: LiveMatch) -> None:
        """Record a timeout and announce it, if the running clock has run out."""
        if self.store.is_whole(live.id):
            await super().flag_expired_clock(live)


class DeviceServices:
    """What answers are handed on a device."""

    def __init__(
        self,
        store: DeviceStore,
        now: Callable[[], float] = time.time,
        chooser: MoveChooser | None = None,
        report_slicer: ReportSlicer = report_slice,
    ) -> None:
        self.settings = Settings(now=now)
        self.now = now
        self.rng = random.SystemRandom()
        self.entries = Entries(store)
        self.store = DeviceMatches(self.entries)
        self.review_store = DeviceReviews(self.entries, self.store)
        self.study_store = DeviceStudies(self.entries)
        self.rate_limits = RateLimits(self.settings.limits, self.settings.monotonic)
        self.news = News()
        self.live_matches: LiveMatches = DeviceLiveMatches(
            self.store, self.settings, AloneOnDevice(now, self.store.is_whole)
        )
        self.engines = EngineService(DeviceEngines(chooser), FairPlay(self.live_matches))
        self.engine_turns = EngineTurns(self.live_matches, self.engines)
        self.analyses = Analyses(self.settings.limits, self.engines)
        self.remarks = Remarks(self.live_matches, self.engines)
        self.reviews = Reviews(
            self.live_matches, self.review_store, self.engines, self.news.tell, report_slicer
        )
        self.studies = Studies(self.study_store, self.settings, now)
        self.caches = ViewCaches()
        self.shutting_down = False
        self.live_matches.listeners += [
            lambda live: self.news.tell(live.id),
            self.engine_turns.schedule,
        ]
        self.entries.readers.append(self._compare)
        self._behind: set[str] = set()  # live matches of which another tab has written events
        self._clocks: asyncio.Task[None] | None = None

    def _compare(self, _found: Kept) -> None:
        """Note the live matches that know other events than the store has."""
        for match, live in self.live_matches.loaded.items():
            told = self.store.told.get(match, [])
            if told != live.state.events:
                self._behind.add(match)
            if told[: live.state.seq] != live.state.events:  # another tab has put some aside
                live.state = OnlineMatch(live.row.setup)
                live.engine_asked_seq = None
                self.live_matches.deadlines.pop(match, None)
                self.caches = ViewCaches()

    async def refresh(self) -> None:
        """Read what the store holds; those who follow a match are told what another tab did.

        If the store cannot be read, all is as before, and `entries.trouble` says why.
        """
        was_unread = self.entries.trouble is not None
        try:
            await self.entries.refresh()
        except StorageError:
            return
        behind, self._behind = self._behind, set()
        for match in behind:
            if match in self.store.kept:
                await self.take_up(match)
                self.live_matches.announce(match)
            else:
                self.live_matches.evict(match)
                self.news.tell(match)
        if was_unread:
            await self.reviews.resume()

    async def take_up(self, match: str) -> None:
        """Load a match; an engine that is to move is asked."""
        with suppress(RefusalError):
            async with self.live_matches.current(match) as live:
                self.engine_turns.schedule(live)

    async def open(self) -> None:
        """Take everything up where it was left."""
        await self.refresh()
        await self.reviews.resume()
        self._clocks = asyncio.create_task(self._watch_clocks())

    async def _watch_clocks(self) -> None:
        """Flag clocks that run out, as long as there are any."""
        live_matches = self.live_matches
        while True:
            await live_matches.clock_runs.wait()
            late = [m for m, at in live_matches.deadlines.items() if at <= self.now()]
            for match in filter(self.store.is_whole, late):
                try:
                    await self.take_up(match)
                except Exception:
                    LOG.exception("the clock of match %s", match)
            if not live_matches.deadlines:
                live_matches.clock_runs.clear()
            await asyncio.sleep(TICK_SECONDS)

    async def close(self) -> None:
        """End everything that would go on by itself."""
        self.shutting_down = True
        self.news.tell_all()
        self.analyses.end_all()
        await self.remarks.close()
        await self.reviews.close()
        tasks = [*self.engine_turns.tasks, *([self._clocks] if self._clocks else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
