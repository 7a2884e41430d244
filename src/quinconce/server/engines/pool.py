"""The processes of this machine in which engines think."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from typing import Final, TypeVar

from quinconce.core.worker_pools import POOL_ATTEMPTS, kill_workers, process_pool
from quinconce.server.engines import jobs
from quinconce.server.engines.jobs import MoveChooser
from quinconce.server.engines.queue import EngineQueue, SearchSession, SessionLostError, Ticket
from quinconce.server.refusals import EngineFailedError

LOG: Final = logging.getLogger("quinconce.server")
ANSWER_TIMEOUT: Final = 180.0  # seconds, the loading of what is proved included

T = TypeVar("T")


class Worker:
    """A process of this machine that thinks, and that can be told from the others."""

    def __init__(self) -> None:
        self.executor: Executor | None = None
        self.ticket: Ticket[Worker] | None = None  # whose turn it is
        self.sessions: set[SearchSession[Worker]] = set()  # whose tables are here
        self.unfinished = 0  # jobs at which it is or will be, though nobody may wait for them

    @property
    def burden(self) -> tuple[int, int]:
        """How much there is that may be in the way of a question."""
        return self.unfinished, len(self.sessions)


class EnginePool(EngineQueue[Worker]):
    """Engines in processes of this machine, each with one question at a time."""

    def __init__(
        self,
        workers: int,
        waiting: int,
        chooser: MoveChooser | None = None,
        pool: Callable[[int], Executor] = process_pool,
    ) -> None:
        super().__init__(workers, waiting, chooser)
        self._make_pool = pool
        self._processes = [Worker() for _each in range(workers)]

    async def start(self) -> None:
        """Do nothing yet: processes come when they are asked."""

    async def preload(self) -> None:
        """Let all processes load the engine before anybody asks."""
        try:
            loads = []
            for worker in self._processes:
                executor = await asyncio.to_thread(self._open_pool, worker)
                loads.append(self._submit(worker, executor, jobs.load_engine))
            await asyncio.wait_for(asyncio.gather(*map(asyncio.wrap_future, loads)), ANSWER_TIMEOUT)
        except (BrokenExecutor, OSError, RuntimeError, TimeoutError) as error:
            LOG.warning("the engine could not be loaded ahead: %r", error)

    def close(self) -> None:
        """Let all processes go, whatever they think about."""
        executors = [worker.executor for worker in self._processes if worker.executor]
        for worker in self._processes:
            worker.executor = None
        for executor in executors:
            kill_workers(executor, wait=True)

    def _find_worker(self, ticket: Ticket[Worker]) -> bool:
        free = [worker for worker in self._processes if worker.ticket is None]
        session = ticket.session
        if session:  # what was cancelled may still be under way
            home = session.worker
            free = [w for w in free if home in (None, w) and not w.unfinished]
        if not free:
            return False
        worker = min(free, key=lambda worker: worker.burden)
        worker.ticket, ticket.worker = ticket, worker
        if session:
            session.worker = worker
            worker.sessions.add(session)
        return True

    def _free_worker(self, ticket: Ticket[Worker]) -> None:
        if ticket.worker:
            ticket.worker.ticket = None

    async def _answer(self, ticket: Ticket[Worker], do: Callable[..., T], *about: object) -> T:
        worker = ticket.worker
        assert worker
        for _attempt in range(POOL_ATTEMPTS):
            executor = self._open_pool(worker)
            try:
                answer = asyncio.wrap_future(self._submit(worker, executor, do, *about))
                return await asyncio.wait_for(answer, ANSWER_TIMEOUT)
            except BrokenExecutor:
                LOG.warning("a process of the engine died; there will be another")
                self._discard(worker, executor)
            except TimeoutError:
                LOG.error("an engine has not answered in %s s: %s", ANSWER_TIMEOUT, about)
                self._discard(worker, executor)
            if ticket.session:
                raise SessionLostError
        raise EngineFailedError

    async def _forget(self, session: SearchSession[Worker]) -> None:
        if worker := session.worker:
            worker.sessions.discard(session)
            with suppress(BrokenExecutor, RuntimeError):
                if worker.executor:
                    self._submit(worker, worker.executor, jobs.forget_search, session.id)

    def _open_pool(self, worker: Worker) -> Executor:
        worker.executor = worker.executor or self._make_pool(1)
        return worker.executor

    def _submit(
        self, worker: Worker, executor: Executor, do: Callable[..., T], *about: object
    ) -> Future[T]:
        """Hand a job over to a worker."""
        loop = asyncio.get_running_loop()

        def tell_end(_job: Future[T]) -> None:
            with suppress(RuntimeError):  # nobody is left to tell
                loop.call_soon_threadsafe(self._end_job, worker)

        job = executor.submit(do, *about)
        worker.unfinished += 1
        job.add_done_callback(tell_end)
        return job

    def _end_job(self, worker: Worker) -> None:
        worker.unfinished -= 1
        self._serve_next()

    def _discard(self, worker: Worker, executor: Executor) -> None:
        if worker.executor is executor:
            worker.executor = None
        kill_workers(executor)
