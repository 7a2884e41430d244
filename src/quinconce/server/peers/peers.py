"""The servers on one database: which one leads, who is present at which, whose engine is asked."""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from quinconce.server.matches.errors import StorageError
from quinconce.server.matches.protocols import Sighting

LOG: Final = logging.getLogger("quinconce.server")
BEAT_SECONDS: Final = 1.0  # between two signs of life
LIFE_SECONDS: Final = 5.0  # without a sign of life after which a server is taken for dead
DOWN_SECONDS: Final = 10.0  # without a server that leads, after which no clock counts the time
LEASE_SECONDS: Final = 3.0  # for which a server leads unless it says so again
CLAIM_SECONDS: Final = 8.0  # for which an engine is asked by one server alone, unless it says so

Place = tuple[str, int]  # a match, and a seat of it or -1 for somebody who watches


class Beat(NamedTuple):
    """What a server learns when it gives a sign of life."""

    leads: bool
    alive: frozenset[str]  # the servers that have given one lately
    pulse: float | None  # when the server that leads last saw to all clocks
    time: float  # of the database


class PeerStore(Protocol):
    """Where servers tell each other what they do."""

    async def beat(
        self, process: str, at: float, claims: Collection[str], lease: float, claim: float
    ) -> Beat:
        """Give a sign of life, lead if nobody else does, and keep the claims of engines."""

    async def leave(self, process: str, at: float) -> None:
        """A server ends: nobody is present there any more, and another may lead at once."""

    async def write_presence(
        self, process: str, come: Collection[Place], gone: Collection[Place], at: float
    ) -> None:
        """Tell who has come and gone, and all servers that they have."""

    async def sightings(
        self, process: str, matches: Collection[str], alive_since: float
    ) -> Sequence[Sighting]:
        """Who is present, or was, at other servers."""

    async def claim(self, match: str, seq: int, process: str, at: float, until: float) -> bool:
        """Whether this server may ask the engine, because no other does."""

    async def forget_dead(self, before: float) -> None:
        """Forget servers that were last alive before, and who was present there."""


class PeerClock(Protocol):
    """The time of day, which may follow that of the database."""

    monotonic: Callable[[], float]

    def __call__(self) -> float:
        """The moment now, in seconds since 1970."""

    def measure(self, asked: float, told: float, answered: float) -> None:
        """The database told its time between two moments of our monotonic clock."""


class Alone:
    """One server on a database: it leads, and knows by itself who is there."""

    is_shared = False

    def __init__(self, clock: PeerClock) -> None:
        self.clock = clock
        self.leads = True

    @property
    def clocks_count(self) -> bool:
        """Whether clocks go on: as long as the server runs."""
        return True

    def note_arrival(self, match: str, seats: Sequence[int]) -> None:
        """Somebody is present in these seats."""

    def note_departure(self, match: str, seats: Sequence[int]) -> None:
        """Somebody is no longer present in these seats."""

    async def claim(self, _match: str, _seq: int) -> bool:
        """Whether this server may ask the engine for a move."""
        return True

    def release(self, match: str) -> None:
        """The engine has answered."""

    async def sightings(self, _matches: Collection[str]) -> Mapping[str, list[Sighting]]:
        """Who is present, or was, at other servers; by match."""
        return {}


class Peers(Alone):
    """A server among others."""

    is_shared = True

    def __init__(self, store: PeerStore, clock: PeerClock) -> None:
        super().__init__(clock)
        self.process = secrets.token_hex(8)
        self.store = store
        self.leads = False
        self.alive: frozenset[str] = frozenset()
        self.pulse: float | None = None  # when clocks were last seen to
        self.beaten_at = -math.inf  # our last beat, whatever time it is for the matches
        self.on_change: Callable[[], None] = lambda: None  # a server has come or gone
        self._claims: set[str] = set()
        self._counts: dict[Place, int] = {}  # the streams that are open here
        self._written: frozenset[Place] = frozenset()  # who is present here, as others know
        self._changed = asyncio.Event()

    # Signs of life.

    @property
    def is_in_touch(self) -> bool:
        """Whether the others take this server for alive."""
        return time.monotonic() - self.beaten_at < LIFE_SECONDS

    @property
    def clocks_count(self) -> bool:
        """Whether clocks go on: not while no server could be reached, or none could write."""
        return self.is_in_touch and (self.leads or not self.was_down)

    @property
    def was_down(self) -> bool:
        """Whether no server has seen to the clocks for a while."""
        return self.pulse is None or self.clock() - self.pulse > DOWN_SECONDS

    async def beat(self) -> None:
        """Give a sign of life, and learn what the others do."""
        monotonic = self.clock.monotonic
        asked = monotonic()
        try:
            told = await self.store.beat(
                self.process, self.clock(), tuple(self._claims), LEASE_SECONDS, CLAIM_SECONDS
            )
        except StorageError:
            self.leads = False
            raise
        self.clock.measure(asked, told.time, monotonic())
        if told.leads and not self.leads:
            LOG.info("this server leads now")
        self.leads, self.pulse = told.leads, told.pulse
        alive, self.alive = self.alive, told.alive | {self.process}
        if alive != self.alive:
            self.on_change()

    def note_beat(self) -> None:
        """Everything has been seen to that a sign of life asks for."""
        self.beaten_at = time.monotonic()

    async def say_goodbye(self) -> None:
        """End, so that the others need not wait for the next beat."""
        self.leads = False
        await self.store.leave(self.process, self.clock())

    async def forget_dead(self, age: float) -> None:
        """Forget servers that died long ago."""
        await self.store.forget_dead(self.clock() - age)

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
        """Tell the others of whoever has come and gone here, as soon as somebody has."""
        await self._changed.wait()
        self._changed.clear()
        here = frozenset(self._counts)
        come, gone = here - self._written, self._written - here
        if come or gone:
            try:
                await self.store.write_presence(self.process, come, gone, self.clock())
            except StorageError:
                self._changed.set()
                raise
            self._written = here

    async def sightings(self, matches: Collection[str]) -> Mapping[str, list[Sighting]]:
        found: dict[str, list[Sighting]] = {match: [] for match in matches}
        if matches:
            since = self.clock() - LIFE_SECONDS
            for sighting in await self.store.sightings(self.process, matches, since):
                found[sighting.match].append(sighting)
        return found

    # Engines.

    async def claim(self, match: str, seq: int) -> bool:
        now = self.clock()
        if not await self.store.claim(match, seq, self.process, now, now + CLAIM_SECONDS):
            return False
        self._claims.add(match)
        return True

    def release(self, match: str) -> None:
        self._claims.discard(match)
