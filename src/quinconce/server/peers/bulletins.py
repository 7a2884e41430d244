"""News from other servers on the same database: heard, and passed on to who follows a match."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

import msgspec
from sqlalchemy.ext.asyncio import AsyncEngine

from quinconce.server import metrics
from quinconce.server.matches.live import LiveMatches, News
from quinconce.server.matches.protocols import ReviewProgress
from quinconce.server.refusals import RefusalError
from quinconce.server.storage.store import CHANNEL, Bulletin, driver_error_line

LOG: Final = logging.getLogger("quinconce.server")
CHECK_SECONDS: Final = 2.0  # between two questions whether the connection still works
RETRY_SECONDS: Final = 0.3  # before it is made anew
CONNECT_SECONDS: Final = 5.0  # in which it has to be there


class BulletinBoard:
    """Hears the other servers as long as this one runs."""

    def __init__(
        self, engine: AsyncEngine, process: str, live_matches: LiveMatches, news: News
    ) -> None:
        self.process = process
        self.live_matches = live_matches
        self.news = news
        self.line = BulletinLine(engine, self._hear, self._look_again)
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin to listen."""
        self._start(self.line.run())

    async def close(self) -> None:
        """Listen no longer."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _hear(self, bulletin: Bulletin) -> None:
        if bulletin.at:
            metrics.observe_news_lag(max(0.0, self.live_matches.now() - bulletin.at))
        if bulletin.process != self.process:
            self._start(self._pass_on(bulletin))

    async def _pass_on(self, bulletin: Bulletin) -> None:
        """Let a match catch up, then wake who follows it."""
        match = bulletin.match
        try:
            if bulletin.kind == "event":
                await self.live_matches.catch_up(match, bulletin.seq)
            elif bulletin.kind == "gone":
                self.live_matches.evict(match)
            elif bulletin.kind == "review":
                self._note_review(bulletin)
            elif live := self.live_matches.loaded.get(match):
                await self.live_matches.refresh_presence([live])
        except RefusalError:
            pass  # it is gone, or the database is: who follows it looks again by themselves
        except Exception:
            LOG.exception("match %s cannot catch up", match)
        self.news.tell(match)

    def _note_review(self, bulletin: Bulletin) -> None:
        live = self.live_matches.loaded.get(bulletin.match)
        if live:
            live.review = ReviewProgress(bulletin.seq, bulletin.of, bulletin.state)

    def refresh_presence(self) -> None:
        """A server has come or gone: learn who is present at the others."""
        self._start(self._refresh_presence())

    def _look_again(self) -> None:
        """The line is there, perhaps again: nobody knows what was said meanwhile."""
        self._start(self._catch_up_all())

    async def _catch_up_all(self) -> None:
        followed = [live.id for live in self.live_matches.loaded.values() if live.watchers]
        try:
            known = await self.live_matches.store.last_seqs(followed)
            for match in followed:
                if match in known:
                    await self.live_matches.catch_up(match, known[match])
                else:
                    self.live_matches.evict(match)
        except RefusalError:
            pass
        except Exception:
            LOG.exception("not every match could catch up")
        await self._refresh_presence()

    async def _refresh_presence(self) -> None:
        """Learn who is present at other servers, one of which has come or gone."""
        followed = [live for live in self.live_matches.loaded.values() if live.watchers]
        with suppress(RefusalError):
            await self.live_matches.refresh_presence(followed)
        self.news.tell_all()


class BulletinLine:
    """The one connection on which a server hears the others; it heals by itself."""

    def __init__(
        self,
        engine: AsyncEngine,
        hear: Callable[[Bulletin], None],
        heal: Callable[[], None],
    ) -> None:
        self.engine = engine
        self.hear = hear
        self.heal = heal
        self.connected = False

    async def run(self) -> None:
        """Listen for ever; whenever the connection is lost, make another."""
        while True:
            try:
                await self._listen()
            except Exception as error:
                if self.connected:
                    LOG.warning(
                        "news of other servers is interrupted: %s", driver_error_line(error)
                    )
            self.connected = False
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        """Listen until the connection ends."""
        async with asyncio.timeout(CONNECT_SECONDS):
            connection = await self.engine.connect()
        raw: Any = (await connection.get_raw_connection()).driver_connection
        try:
            ended = asyncio.Event()
            raw.add_termination_listener(lambda _connection: ended.set())
            async with asyncio.timeout(CONNECT_SECONDS):
                await raw.add_listener(CHANNEL, self._on_notice)
            self.connected = True
            self.heal()
            while not ended.is_set():
                try:
                    await asyncio.wait_for(ended.wait(), CHECK_SECONDS)
                except TimeoutError:
                    await raw.execute("SELECT 1", timeout=CONNECT_SECONDS)
        finally:
            raw.terminate()  # to close it kindly takes an answer, which may never come
            await connection.invalidate()  # it is not for anybody else
            await connection.close()

    def _on_notice(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        try:
            bulletin = msgspec.json.decode(payload, type=Bulletin)
        except msgspec.DecodeError:
            return  # of a newer server, or of somebody else
        self.hear(bulletin)
