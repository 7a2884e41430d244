"""The servers on one database: which one leads, who is present at which, whose engine is asked."""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Final

from quinconce.server.matches.live import LiveMatches, News
from quinconce.server.matches.protocols import Sighting
from quinconce.server.peers.bulletins import BulletinBoard
from quinconce.server.peers.clocks import DOWN_SECONDS, ForwardClock, SharedClock
from quinconce.server.peers.store import LeaseTerms, Place, SharedStore
from quinconce.server.refusals import StorageError
from quinconce.server.settings import DAY, HOUR, Settings
from quinconce.server.storage.connection import ServerDatabase
from quinconce.server.storage.store import Store

LOG: Final = logging.getLogger("quinconce.server")
BEAT_SECONDS: Final = 1.0  # between two signs of life
PRESENCE_SECONDS: Final = 0.2  # between two words on who has come and gone
LIFE_SECONDS: Final = 5.0  # without a sign of life after which a server is taken for dead
LEASE_SECONDS: Final = 3.0  # for which a server leads unless it says so again
CLAIM_SECONDS: Final = 8.0  # for which an engine is asked by one server alone, unless it says so
QUICK_ANSWER: Final = 0.1  # seconds in which the database tells its time well enough at the start
MAX_QUESTIONS: Final = 10  # for the time, until one is answered so quickly


class Alone:
    """One server on a database: it leads, and knows by itself who is there."""

    is_shared = False
    beat_seconds = 5.0  # between two signs of life
    resume_seconds = DAY  # between two looks at engines whose server has died: there is no other

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.matches = store
        self.clock = clock
        self.leads = True
        self.time_jumped = False  # whether time that nobody saw to has passed since the last beat
        self.beaten_at = -math.inf  # our last beat, whatever time it is for the matches
        self.pulse: float | None = None  # when clocks were last seen to
        self.usage: SharedStore | None = None  # of limits that all servers count together
        self.chores: list[tuple[Callable[[], Awaitable[None]], float]] = []  # and their pauses

    @property
    def is_in_touch(self) -> bool:
        """Whether the others take this server for alive; alone, once it has seen to the clocks."""
        return self.beaten_at > -math.inf

    @property
    def hears_others(self) -> bool:
        """Whether news of the others arrives."""
        return True

    @property
    def clocks_count(self) -> bool:
        """Whether clocks go on: once the time in which no server ran has been given back."""
        return self.is_in_touch

    @property
    def was_down(self) -> bool:
        """Whether no server has seen to the clocks for a while."""
        return True

    def listen(self, live_matches: LiveMatches, news: News) -> None:
        """Hear the other servers from now on, and tell those who follow a match."""

    async def learn_time(self) -> None:
        """Learn what time it is, before anything is decided."""

    async def beat(self) -> None:
        """Give a sign of life, and learn when the last one was given."""
        self.leads = True
        if not self.is_in_touch:
            self.pulse = await self.matches.last_heartbeat()

    def note_beat(self) -> None:
        """Everything has been seen to that a sign of life asks for."""
        self.beaten_at = time.monotonic()

    async def say_goodbye(self) -> None:
        """End, so that the others need not wait for the next beat."""

    async def close(self) -> None:
        """Hear the others no longer."""

    def note_arrival(self, match: str, seats: Sequence[int]) -> None:
        """Somebody is present in these seats."""

    def note_departure(self, match: str, seats: Sequence[int]) -> None:
        """Somebody is no longer present in these seats."""

    async def sightings(self, _matches: Collection[str]) -> Mapping[str, list[Sighting]]:
        """Who is present, or was, at other servers; by match."""
        return {}

    async def claim(self, _name: str, _seq: int) -> bool:
        """Whether this server may do something that one does for all."""
        return True

    def release(self, name: str) -> None:
        """It is done."""


class Peers(Alone):
    """A server among others."""

    is_shared = True
    beat_seconds = BEAT_SECONDS
    resume_seconds = BEAT_SECONDS

    def __init__(
        self,
        store: Store,
        database: ServerDatabase,
        clock: SharedClock,
        database_now: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(store, clock)
        self.shared_clock = clock
        self.process = store.process = secrets.token_hex(8)
        self.database = database
        self.store = self.usage = SharedStore(store, database_now)
        self.chores = [(self.tell_presence, PRESENCE_SECONDS), (self.forget_dead, HOUR)]
        self.leads = False
        self.alive: frozenset[str] = frozenset()
        self.bulletins: BulletinBoard | None = None
        self._claims: set[str] = set()
        self._counts: dict[Place, int] = {}  # the streams that are open here
        self._written: frozenset[Place] = frozenset()  # who is present here, as others know
        self._changed = asyncio.Event()

    # Signs of life.

    @property
    def is_in_touch(self) -> bool:
        return time.monotonic() - self.beaten_at < LIFE_SECONDS

    @property
    def clocks_count(self) -> bool:
        """Whether clocks go on: not while no server could be reached, or none could write."""
        return self.is_in_touch and (self.leads or not self.was_down)

    @property
    def was_down(self) -> bool:
        return self.pulse is None or self.clock() - self.pulse > DOWN_SECONDS

    async def learn_time(self) -> None:
        monotonic = self.shared_clock.monotonic
        for _question in range(MAX_QUESTIONS):
            asked = monotonic()
            there = await self.store.time()
            answered = monotonic()
            self.shared_clock.measure(asked, there, answered)
            if answered - asked <= QUICK_ANSWER:
                return

    async def beat(self) -> None:
        monotonic = self.shared_clock.monotonic
        asked = monotonic()
        try:
            terms = LeaseTerms(LEASE_SECONDS, CLAIM_SECONDS, LIFE_SECONDS)
            beat = await self.store.beat(self.process, tuple(self._claims), terms)
        except StorageError:
            self.leads = False
            raise
        self.time_jumped = self.shared_clock.measure(asked, beat.time, monotonic())
        if beat.leads and not self.leads:
            LOG.info("this server leads now")
        self.leads, self.pulse = beat.leads, beat.pulse
        alive, self.alive = self.alive, beat.alive | {self.process}
        if alive != self.alive and self.bulletins:
            self.bulletins.refresh_presence()

    async def say_goodbye(self) -> None:
        self.leads = False
        await self.store.leave(self.process)

    async def forget_dead(self) -> None:
        """Forget servers that died long ago; of several servers, one sees to it."""
        if self.leads:
            await self.store.forget_dead(DAY)

    # News.

    @property
    def hears_others(self) -> bool:
        return self.bulletins is not None and self.bulletins.line.connected

    def listen(self, live_matches: LiveMatches, news: News) -> None:
        self.bulletins = BulletinBoard(self.database.engine, self.process, live_matches, news)
        self.bulletins.start()

    async def close(self) -> None:
        if self.bulletins:
            await self.bulletins.close()

    # Who is present.

    def note_arrival(self, match: str, seats: Sequence[int]) -> None:
        for seat in seats:
            self._counts[match, seat] = self._counts.get((match, seat), 0) + 1
        self._changed.set()

    def note_departure(self, match: str, seats: Sequence[int]) -> None:
        for seat in seats:
            self._counts[match, seat] -= 1
            if not self._counts[match, seat]:
                del self._counts[match, seat]
        self._changed.set()

    async def tell_presence(self) -> None:
        """Tell the others who has come and gone here, as soon as somebody has."""
        await self._changed.wait()
        self._changed.clear()
        here = frozenset(self._counts)
        come, gone = here - self._written, self._written - here
        if come or gone:
            try:
                await self.store.write_presence(self.process, come, gone)
            except StorageError:
                self._changed.set()
                raise
            self._written = here

    async def sightings(self, matches: Collection[str]) -> Mapping[str, list[Sighting]]:
        found: dict[str, list[Sighting]] = {match: [] for match in matches}
        if matches:
            for sighting in await self.store.sightings(self.process, matches, LIFE_SECONDS):
                found[sighting.match].append(sighting)
        return found

    # Engines.

    async def claim(self, name: str, seq: int) -> bool:
        if not await self.store.claim(name, seq, self.process, CLAIM_SECONDS):
            return False
        self._claims.add(name)
        return True

    def release(self, name: str) -> None:
        self._claims.discard(name)


def find_peers(store: Store, settings: Settings) -> Alone:
    """The other servers on a database; with a file of its own, a server is alone."""
    if not isinstance(store.database, ServerDatabase):
        return Alone(store, ForwardClock(settings.now, settings.monotonic))
    clock = SharedClock(settings.now, settings.monotonic)
    return Peers(store, store.database, clock, settings.database_now)
