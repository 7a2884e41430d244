"""The connection to the database: runs whole pieces of work, and never on the event loop."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar
from weakref import WeakSet

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

BEGIN: Final = "begin"  # the option of a connection that says how its transactions begin
SQLITE_READERS: Final = 2  # threads: a long read does not keep a short one waiting
# How a database that is away, or goes away meanwhile, makes itself felt.
LOST: Final = (InterfaceError, InternalError, OperationalError, OSError, TimeoutError)
# The classes of PostgreSQL's errors that pass: connection, rollback, resources, shutdown, system.
PASSING: Final = ("08", "40", "53", "57", "58")
PATIENCE: Final = 3.0  # seconds for which one waits for a database that is away: it may restart
RETRY_SECONDS: Final = 0.1
TIME_LIMIT: Final = 10.0  # seconds in which a database server does a piece of work
CLOSE_SECONDS: Final = 3.0  # in which a database server finishes what was begun, and says goodbye
T = TypeVar("T")
Work = Callable[[Connection], T]


class Database(ABC):
    """A database, spoken to in pieces of work: plain functions of an SQLAlchemy connection.

    What was begun is finished, even if the request that wanted it is cancelled.
    """

    def __init__(self, sync_engine: Engine) -> None:
        self.sync_engine = sync_engine
        self.url = sync_engine.url
        self.pending: set[asyncio.Future[Any]] = set()

    async def read(self, work: Work[T]) -> T:
        """What some work finds."""
        return await self._finish(self._begin_read(work))

    async def write(self, work: Work[T]) -> T:
        """Do some work in one transaction, which is on the disk when this returns."""
        return await self._finish(self._begin_write(work))

    async def write_at_leisure(self, work: Work[T]) -> T:
        """Do some work in one transaction, however long it takes: a migration."""
        return await self.write(work)

    async def _finish(self, task: asyncio.Future[T]) -> T:
        self.pending.add(task)
        task.add_done_callback(self._note_end)
        return await asyncio.shield(task)

    def _note_end(self, task: asyncio.Future[Any]) -> None:
        self.pending.discard(task)
        if not task.cancelled():
            task.exception()  # whoever wanted it may be gone

    async def close(self) -> None:
        """Finish what was begun, and let go."""
        await asyncio.gather(*self.pending, return_exceptions=True)
        await self._dispose()

    @abstractmethod
    def _begin_read(self, work: Work[T]) -> asyncio.Future[T]:
        """Begin to read."""

    @abstractmethod
    def _begin_write(self, work: Work[T]) -> asyncio.Future[T]:
        """Begin to write."""

    @abstractmethod
    async def _dispose(self) -> None:
        """Close all connections."""


class SqliteDatabase(Database):
    """SQLite, in threads of its own: the way to a thread and back is gone once a piece of work.

    It has one writer anyway; to wait for that one's thread is fairer than to wait in SQLite.
    """

    def __init__(self, sync_engine: Engine) -> None:
        super().__init__(sync_engine)
        # Who only reads at first and then writes would be refused if another process wrote.
        self._writing = sync_engine.execution_options(**{BEGIN: "IMMEDIATE"})
        self._writer = ThreadPoolExecutor(1, "sqlite-writer")
        self._readers = ThreadPoolExecutor(SQLITE_READERS, "sqlite-reader")

    def _begin_read(self, work: Work[T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(
            self._readers, self._run, self.sync_engine, work
        )

    def _begin_write(self, work: Work[T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(
            self._writer, self._run, self._writing, work
        )

    @staticmethod
    def _run(engine: Engine, work: Work[T]) -> T:
        with engine.begin() as connection:
            return work(connection)

    async def _dispose(self) -> None:
        self._writer.shutdown(wait=True)
        self._readers.shutdown(wait=True)
        self.sync_engine.dispose()


def is_lost(error: Exception) -> bool:
    """Whether an error says that the database server is away, and not that the work is wrong."""
    if isinstance(error, LOST) or getattr(error, "connection_invalidated", False):
        return True
    cause = getattr(error, "orig", None) or error
    return str(getattr(cause, "sqlstate", None) or "").startswith(PASSING)


class ServerDatabase(Database):
    """A database server, such as PostgreSQL, awaited on the event loop.

    A connection may die in silence: one on which work takes longer than `time_limit` is cut.
    """

    def __init__(self, engine: AsyncEngine, time_limit: float = TIME_LIMIT) -> None:
        super().__init__(engine.sync_engine)
        self.engine = engine
        self.time_limit = time_limit
        self._probe: asyncio.Task[None] | None = None  # asks whether the database is back
        self._in_use: set[Any] = set()  # connections of the driver
        self._known: WeakSet[Any] = WeakSet()  # those that were ever in use
        self._closing = False

    def _begin_read(self, work: Work[T]) -> asyncio.Future[T]:
        return asyncio.ensure_future(self._run(work, self.time_limit, reads=True))

    def _begin_write(self, work: Work[T]) -> asyncio.Future[T]:
        return asyncio.ensure_future(self._run(work, self.time_limit, reads=False))

    async def write_at_leisure(self, work: Work[T]) -> T:
        return await self._finish(asyncio.ensure_future(self._run(work, None, reads=False)))

    @asynccontextmanager
    async def _connect(self, time_limit: float | None) -> AsyncIterator[AsyncConnection]:
        """A connection for a piece of work.

        Past its time it is cut, and not cancelled: to cancel, the driver waits for an answer too.
        """
        async with asyncio.timeout(self.time_limit):
            connection = await self.engine.connect()
        raw: Any = (await connection.get_raw_connection()).driver_connection
        timer = None
        if time_limit is not None:
            timer = asyncio.get_running_loop().call_later(time_limit, raw.terminate)
        self._in_use.add(raw)
        self._known.add(raw)
        try:
            yield connection
        finally:
            await connection.close()
            self._in_use.discard(raw)
            if timer:
                timer.cancel()

    async def _run(self, work: Work[T], time_limit: float | None, *, reads: bool) -> T:
        """Run some work, again if the connection was lost; OperationalError if that goes on.

        Who writes is not run again once it was committed: nobody knows whether that was heard.
        """
        end = asyncio.get_running_loop().time() + PATIENCE
        while True:
            committed = False
            if self._probe:
                await asyncio.shield(self._probe)
            try:
                async with self._connect(time_limit) as connection:
                    found = await connection.run_sync(work)
                    committed = not reads
                    await connection.commit()
                    return found
            except Exception as error:
                if not is_lost(error):
                    raise
                if committed or self._closing or asyncio.get_running_loop().time() >= end:
                    raise OperationalError(None, None, error) from None
            self._probe = self._probe or asyncio.create_task(self._wait_until_back(end))

    async def _wait_until_back(self, end: float) -> None:
        """Wait until the database answers: one asks for all, lest it be stormed when it starts."""
        try:
            while not self._closing and asyncio.get_running_loop().time() < end:
                try:
                    async with self._connect(self.time_limit):
                        return
                except Exception as error:
                    if not is_lost(error):
                        return  # who has work will be told
                await asyncio.sleep(RETRY_SECONDS)
        finally:
            self._probe = None

    async def close(self) -> None:
        """Finish what was begun, and let go; what takes long because nobody answers is cut."""
        if self.pending:
            await asyncio.wait(self.pending, timeout=CLOSE_SECONDS)
        self._closing = True
        for raw in self._in_use:
            raw.terminate()
        await super().close()

    async def _dispose(self) -> None:
        if self._probe:
            await self._probe
        closing = (asyncio.wait_for(raw.close(), CLOSE_SECONDS) for raw in self._known)
        await asyncio.gather(*closing, return_exceptions=True)  # some may not answer
        await self.engine.dispose()
