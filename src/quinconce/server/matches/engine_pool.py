"""The worker processes in which engines think, never the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from typing import Final, TypeVar

from quinconce.core.match_data import MatchData
from quinconce.core.worker_pools import POOL_ATTEMPTS, kill_workers, process_pool
from quinconce.server.matches import engine_jobs
from quinconce.server.matches.engine_jobs import EngineQuestion
from quinconce.server.matches.errors import BusyError, EngineFailedError

LOG: Final = logging.getLogger("quinconce.server")
ANSWER_TIMEOUT: Final = 180.0  # seconds, the first compilation included

T = TypeVar("T")
MoveChooser = Callable[[EngineQuestion], str]


class EnginePool:
    """Engines that answer questions, a few at a time."""

    def __init__(
        self,
        workers: int,
        waiting: int,
        chooser: MoveChooser | None = None,
        pool: Callable[[int], Executor] = process_pool,
    ) -> None:
        self.chooser = chooser or engine_jobs.choose_move
        self._workers = workers
        self._max_queue_length = waiting
        self._make_pool = pool
        self._pool: Executor | None = None
        self._queue_length = 0
        self._slots = asyncio.Semaphore(workers)

    async def choose_move(self, question: EngineQuestion, *, hint: bool = False) -> str:
        """A move. Nobody waits behind too many others, and hints go last."""
        return await self.run(self.chooser, question, hint=hint)

    async def accepts_stop(self, match: MatchData, seat: int) -> bool:
        """Whether the engine in a seat agrees to stop."""
        return await self.run(engine_jobs.engine_accepts_stop, match, seat)

    async def run(self, do: Callable[..., T], *about: object, hint: bool = False) -> T:
        """What `do` answers, in a process where engines think."""
        if self._queue_length >= (self._max_queue_length // 2 if hint else self._max_queue_length):
            raise BusyError
        self._queue_length += 1
        try:
            async with self._slots:
                return await self._run_with_retries(do, *about)
        finally:
            self._queue_length -= 1

    async def _run_with_retries(self, do: Callable[..., T], *about: object) -> T:
        for _attempt in range(POOL_ATTEMPTS):
            pool = self._pool or self._make_pool(self._workers)
            self._pool = pool
            try:
                thought = asyncio.wrap_future(pool.submit(do, *about))
                return await asyncio.wait_for(thought, ANSWER_TIMEOUT)
            except BrokenExecutor:
                LOG.warning("a process of the engine died; there will be another")
                self._discard(pool)
            except TimeoutError:
                LOG.error("an engine has not answered in %s s: %s", ANSWER_TIMEOUT, about)
                self._discard(pool)
        raise EngineFailedError

    def _discard(self, pool: Executor) -> None:
        if self._pool is pool:
            self._pool = None
        kill_workers(pool)

    def close(self) -> None:
        """Let all processes go, whatever they think about."""
        if self._pool:
            self._discard(self._pool)
