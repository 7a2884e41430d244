"""What a server does by itself: expired clocks, overdue news, the heartbeat, old matches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from quinconce.server.engines.turns import EngineTurns
from quinconce.server.matches.live import LiveMatches
from quinconce.server.peers.clocks import ExpiryClock
from quinconce.server.peers.leases import Alone
from quinconce.server.refusals import MatchNotFoundError, StorageError, UnreachableError
from quinconce.server.reviews.reviews import Reviews
from quinconce.server.settings import HOUR

LOG: Final = logging.getLogger("quinconce.server")
TICK_SECONDS: Final = 0.2
HEARTBEAT_SECONDS: Final = 5.0
FAREWELL_SECONDS: Final = 3.0  # in which a database hears of a server's end, or never does
ANNOUNCE_AFTER: Final = 1.0  # seconds after which news is announced whose sender vanished


class BackgroundTasks:
    """The tasks that run as long as the server does."""

    def __init__(
        self, live_matches: LiveMatches, peers: Alone, engine_turns: EngineTurns, reviews: Reviews
    ) -> None:
        self.live_matches = live_matches
        self.engine_turns = engine_turns
        self.reviews = reviews
        self.store = live_matches.store
        self.peers = peers
        self.expiry = ExpiryClock(live_matches.now, live_matches.monotonic)
        self.has_signed = False  # whether a sign of life was stored when this server started
        self.tasks: list[asyncio.Task[None]] = []
        self.expirations = [self.delete_unstarted]  # what deletes old things of a kind

    async def start(self) -> None:
        """Take up everything where the last server left it, and keep it going."""
        await self.peers.learn_time()
        with suppress(StorageError, UnreachableError):
            await self.sign_life()  # before a heartbeat leaves the time of day in the database
            self.has_signed = True
        with suppress(StorageError):
            await self.beat()
        self.tasks.append(asyncio.create_task(self.start_engines()))
        matches, peers = self.live_matches, self.peers
        # On several servers, the clocks of all are looked at, and not only those in memory.
        self._repeat(
            self.flag_expired_clocks, TICK_SECONDS, None if peers.is_shared else matches.clock_runs
        )
        self._repeat(self.announce_overdue, TICK_SECONDS, matches.has_unannounced)
        for step, pause in (
            (self.beat, peers.beat_seconds),
            (self.resume_engines, peers.resume_seconds),
            (self.delete_expired, HOUR),
            (matches.guard_older_matches, HOUR),
            (self.reviews.resume, HEARTBEAT_SECONDS),
            *peers.chores,
        ):
            self._repeat(step, pause)

    async def beat(self) -> None:
        """Give a sign of life; the server that leads sees to the clocks.

        One that has led without a break knows that no time was lost, however late it is.
        """
        peers = self.peers
        led = peers.leads and peers.is_in_touch
        await peers.beat()
        led = led and not peers.time_jumped
        if peers.leads:
            peers.leads = led  # until the clocks have been seen to, lest they be forgotten
            if not led and peers.was_down:
                await self.resume_clocks(peers.pulse)
            peers.leads = True
            await self.record_heartbeat()
        peers.note_beat()

    async def close(self) -> None:
        """Stop, with a last heartbeat."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        with suppress(StorageError, TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                if self.peers.leads:
                    await self.record_heartbeat()
                await self.peers.say_goodbye()

    def _repeat(
        self, step: Callable[[], Awaitable[None]], pause: float, cause: asyncio.Event | None = None
    ) -> None:
        """Do something again and again, with pauses; while there is a cause, if it needs one."""
        self.tasks.append(asyncio.create_task(self._go_on(step, pause, cause)))

    async def _go_on(
        self, step: Callable[[], Awaitable[None]], pause: float, cause: asyncio.Event | None
    ) -> None:
        while True:
            if cause:
                await cause.wait()
            try:
                await step()
            except (StorageError, UnreachableError):
                pass  # the store has said so in the log
            except Exception:  # a full disk today is no reason to stop for ever
                LOG.exception("upkeep failed")
            await asyncio.sleep(pause)

    async def resume_clocks(self, last_heartbeat: float | None) -> None:
        """Let no clock count the time since the last heartbeat."""
        await self.live_matches.resume_clocks(last_heartbeat)
        for match in await self.store.unsummed_clock_matches():
            try:
                async with self.live_matches.locked(match) as live:
                    await self.live_matches.skip_downtime(live, last_heartbeat)
            except (StorageError, UnreachableError):
                raise  # of the database, and not of this match
            except Exception:
                LOG.exception("match %s cannot be taken up", match)

    async def start_engines(self) -> None:
        """Load the engines."""
        try:
            await self.engine_turns.engines.source.start()
        except Exception:
            LOG.exception("the engines cannot be made ready ahead")

    async def resume_engines(self) -> None:
        """Ask engines that are to move and that no server asks: the one that did may have died."""
        if not self.peers.leads:
            return
        for match in await self.store.engine_matches(self.live_matches.now()):
            try:
                async with self.live_matches.locked(match) as live:
                    self.engine_turns.schedule(live)
            except (StorageError, UnreachableError):
                return  # they are asked when the database is back
            except Exception:
                LOG.exception("match %s cannot be taken up", match)

    async def flag_expired_clocks(self) -> None:
        """Flag every clock that has run out, and announce it."""
        for match in await self._overdue_matches():
            with self._evict_if_gone(match):
                async with self.live_matches.current(match):
                    pass
        if not self.live_matches.deadlines:
            self.live_matches.clock_runs.clear()

    async def _overdue_matches(self) -> Sequence[str]:
        """Alone, a server has all running clocks in memory; else the one that leads asks."""
        now = self.live_matches.now()
        if not self.peers.is_shared:
            return [match for match, at in self.live_matches.deadlines.items() if at <= now]
        return await self.store.overdue_matches(now) if self.peers.leads else ()

    async def announce_overdue(self) -> None:
        """Announce events whose sender vanished before announcing them."""
        since = self.live_matches.monotonic() - ANNOUNCE_AFTER
        for match in [m for m, at in self.live_matches.unannounced.items() if at <= since]:
            with self._evict_if_gone(match):
                async with self.live_matches.locked(match):
                    pass  # a commit that went on by itself is loaded before it is announced
                self.live_matches.announce(match)
        if not self.live_matches.unannounced:
            self.live_matches.has_unannounced.clear()

    @contextmanager
    def _evict_if_gone(self, match: str) -> Iterator[None]:
        try:
            yield
        except MatchNotFoundError:
            self.live_matches.evict(match)

    async def record_heartbeat(self) -> None:
        """Record that a server is alive, if a clock runs here or may run at another server."""
        if self.peers.is_shared or self.live_matches.deadlines:
            self.peers.pulse = self.live_matches.now()
            await self.store.record_heartbeat(self.peers.pulse)

    async def delete_expired(self) -> None:
        """Delete what is old, if it is certain what time it is; of several servers, one does it."""
        if self.peers.leads and self.has_signed and await self.sign_life():
            for delete in self.expirations:
                await delete()

    async def sign_life(self) -> bool:
        """Store a sign of life; whether things may be deleted, by the one before."""
        life = await self.store.last_life()
        if life is None:
            life = self.live_matches.now()
        certain = self.expiry.is_certain(life)
        await self.store.record_life(self.expiry.next_sign(life))
        return certain

    async def delete_unstarted(self) -> None:
        """Delete old matches in which nobody has moved."""
        before = self.live_matches.now() - self.live_matches.settings.expire_after
        gone = await self.store.delete_unstarted(before)
        for match in gone:
            self.live_matches.evict(match)
        if gone:
            LOG.info("%s matches without a move have expired", len(gone))
