"""The queue of questions to engines, and the processes in which they think."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor
from typing import Final, NamedTuple, TypeVar

from quinconce.core.match_data import MatchData
from quinconce.core.worker_pools import POOL_ATTEMPTS, kill_workers, process_pool
from quinconce.server.matches import engine_jobs
from quinconce.server.matches.engine_jobs import EngineQuestion
from quinconce.server.matches.errors import BusyError, EngineFailedError

LOG: Final = logging.getLogger("quinconce.server")
ANSWER_TIMEOUT: Final = 180.0  # seconds, the first compilation included

T = TypeVar("T")
MoveChooser = Callable[[EngineQuestion], str]


class Ticket:
    """A place in the queue of a pool, for whoever `key` stands for."""

    def __init__(self, key: str | None, hint: bool) -> None:
        self.key = key
        self.hint = hint
        self.turn = asyncio.Event()  # set when it is this one's turn

    @property
    def is_running(self) -> bool:
        """Whether somebody thinks about the question."""
        return self.turn.is_set()


class PoolLoad(NamedTuple):
    """How much a pool has to do."""

    waiting: int  # questions that wait for their turn
    thinking: int  # questions that are thought about


class EnginePool:
    """Engines that answer questions, a few at a time: moves first, then hints and the rest."""

    is_away = False  # whether nobody can think just now

    def __init__(
        self,
        workers: int,
        waiting: int,
        chooser: MoveChooser | None = None,
        pool: Callable[[int], Executor] = process_pool,
    ) -> None:
        self.chooser = chooser or engine_jobs.choose_move
        self.workers = workers
        self._max_queue_length = waiting
        self._make_pool = pool
        self._pool: Executor | None = None
        self._tickets: list[Ticket] = []  # in the order in which they came

    async def choose_move(
        self, question: EngineQuestion, *, hint: bool = False, key: str | None = None
    ) -> str:
        """A move. Nobody waits behind too many others, and hints go last."""
        return await self.run(self.chooser, question, hint=hint, key=key)

    async def run(
        self, do: Callable[..., T], *about: object, hint: bool = False, key: str | None = None
    ) -> T:
        """What `do` answers, in a process where engines think; `key` says who asks."""
        if len(self._tickets) >= self._queue_limit(hint):
            raise BusyError
        ticket = Ticket(key, hint)
        self._tickets.append(ticket)
        self._serve_next()
        try:
            await ticket.turn.wait()
            return await self._answer(ticket, do, *about)
        finally:
            self._tickets.remove(ticket)
            self._serve_next()

    def _queue_limit(self, hint: bool) -> int:
        return self._max_queue_length // 2 if hint else self._max_queue_length

    def _serve_next(self) -> None:
        """Give free workers to those who wait: moves before hints, else in the order they came."""
        free = self.workers - sum(ticket.is_running for ticket in self._tickets)
        waiting = sorted(
            (ticket for ticket in self._tickets if not ticket.is_running), key=lambda t: t.hint
        )
        for ticket in waiting[: max(0, free)]:
            ticket.turn.set()

    @property
    def is_idle(self) -> bool:
        """Whether nobody waits for an answer."""
        return not self._tickets

    @property
    def load(self) -> PoolLoad:
        """How much there is to do."""
        thinking = sum(ticket.is_running for ticket in self._tickets)
        return PoolLoad(len(self._tickets) - thinking, thinking)

    def ahead_of(self, key: str) -> int | None:
        """How many come before somebody: 0 while they are answered, None if they ask nothing."""
        queue = sorted(self._tickets, key=lambda t: (not t.is_running, t.hint))
        for place, ticket in enumerate(queue):
            if ticket.key == key:
                return 0 if ticket.is_running else place
        return None

    async def start(self) -> None:
        """Look for those who think; processes of this machine come when they are asked."""

    async def preload(self, processes: int, forms: Sequence[MatchData] = ()) -> None:
        """Let processes load the engine, and what some games need, before anybody asks."""
        try:
            pool = await asyncio.to_thread(self._open_pool)
            loads = [pool.submit(engine_jobs.load_engine, forms) for _each in range(processes)]
            await asyncio.wait_for(asyncio.gather(*map(asyncio.wrap_future, loads)), ANSWER_TIMEOUT)
        except (BrokenExecutor, OSError, RuntimeError, TimeoutError) as error:
            LOG.warning("the engine could not be loaded ahead: %r", error)

    def _open_pool(self) -> Executor:
        self._pool = self._pool or self._make_pool(self.workers)
        return self._pool

    async def _answer(self, _ticket: Ticket, do: Callable[..., T], *about: object) -> T:
        for _attempt in range(POOL_ATTEMPTS):
            pool = self._open_pool()
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
        pool, self._pool = self._pool, None
        if pool:
            kill_workers(pool, wait=True)
