"""The queue of questions to engines, and the processes in which they think.

Moves that players wait for go first, always; then hints and other whole questions; then long
thoughts, one slice each in turn. A long thought stays with its process, which keeps its table.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from enum import IntEnum
from itertools import count
from typing import Final, NamedTuple, TypeVar

from quinconce.core.match import MatchData
from quinconce.core.worker_pools import POOL_ATTEMPTS, kill_workers, process_pool
from quinconce.server import metrics
from quinconce.server.matches import engine_jobs, thought_jobs
from quinconce.server.matches.engine_jobs import EngineQuestion
from quinconce.server.matches.errors import BusyError, EngineFailedError
from quinconce.server.matches.task_errors import forget_error
from quinconce.server.matches.thought_jobs import Slicer

LOG: Final = logging.getLogger("quinconce.server")
ANSWER_TIMEOUT: Final = 180.0  # seconds, the first compilation included
MAX_KEYS: Final = 1000  # who have had a slice and are remembered, so that nobody comes too soon

T = TypeVar("T")
MoveChooser = Callable[[EngineQuestion], str]


class ThoughtLostError(Exception):
    """Whoever was at a slice is gone, and what was kept there too; it is worth asking again."""


class Rank(IntEnum):
    """Who goes first of those who wait."""

    MOVE = 0
    HINT = 1
    SLICE = 2


class Thought:
    """A long thought of whoever `key` stands for; its slices are made where its table is."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.id = secrets.token_hex(8)  # the same on no server of a cluster
        self.worker: Worker | str | None = None  # none before the first slice
        self.slice: asyncio.Task[object] | None = None  # the one that was asked for last


class Ticket:
    """A place in the queue of a pool, for whoever `key` stands for."""

    def __init__(self, key: str | None, rank: Rank, thought: Thought | None = None) -> None:
        self.key = key
        self.rank = rank
        self.thought = thought  # of which this is a slice
        self.worker: Worker | None = None  # who answers, once it is this one's turn
        self.turn = asyncio.Event()  # set when it is this one's turn

    @property
    def is_running(self) -> bool:
        """Whether somebody thinks about the question."""
        return self.turn.is_set()


class Worker:
    """A process of this machine that thinks, and that can be told from the others."""

    def __init__(self) -> None:
        self.executor: Executor | None = None
        self.ticket: Ticket | None = None  # whose turn it is
        self.thoughts: set[Thought] = set()  # whose tables are here
        self.unfinished = 0  # jobs at which it is or will be, though nobody may wait for them

    @property
    def burden(self) -> tuple[int, int]:
        """How much there is that may be in the way of a question."""
        return self.unfinished, len(self.thoughts)


class PoolLoad(NamedTuple):
    """How much a pool has to do."""

    waiting: int  # questions that wait for their turn
    thinking: int  # questions that are thought about
    thoughts: int = 0  # long thoughts that are under way


class EnginePool:
    """Engines that answer questions, a few at a time: moves, then hints and the rest, then slices.

    `slicer` makes a slice of a long thought.
    """

    is_away = False  # whether nobody can think just now
    slicer: Slicer = staticmethod(thought_jobs.think_slice)

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
        self._staff = [Worker() for _each in range(workers)]
        self._tickets: list[Ticket] = []  # in the order in which they came
        self._thoughts: set[Thought] = set()
        self._slice_numbers = count(1)
        self._last_slices: dict[str, int] = {}  # the number of the last slice that a key has had
        self._chores: set[asyncio.Task[None]] = set()

    # Whole questions.

    async def choose_move(
        self, question: EngineQuestion, *, hint: bool = False, key: str | None = None
    ) -> str:
        """A move. Nobody waits behind too many others, and hints go last."""
        return await self.run(self.chooser, question, hint=hint, key=key)

    async def run(
        self, do: Callable[..., T], *about: object, hint: bool = False, key: str | None = None
    ) -> T:
        """What `do` answers, in a process where engines think; `key` says who asks."""
        if len(self._whole_questions) >= self._queue_limit(hint):
            raise BusyError
        ticket = Ticket(key, Rank.HINT if hint else Rank.MOVE)
        return await self._wait_and_answer(ticket, do, *about)

    async def _wait_and_answer(self, ticket: Ticket, do: Callable[..., T], *about: object) -> T:
        self._tickets.append(ticket)
        self._serve_next()
        try:
            await ticket.turn.wait()
            return await self._answer(ticket, do, *about)
        finally:
            self._tickets.remove(ticket)
            if ticket.worker:
                ticket.worker.ticket = None
            self._serve_next()

    def _queue_limit(self, hint: bool) -> int:
        return self._max_queue_length // 2 if hint else self._max_queue_length

    @property
    def _whole_questions(self) -> list[Ticket]:
        return [ticket for ticket in self._tickets if ticket.rank < Rank.SLICE]

    # Slices of long thoughts.

    def begin_thought(self, key: str) -> Thought:
        """A long thought of whoever `key` stands for; those of one key take turns as one."""
        thought = Thought(key)
        self._thoughts.add(thought)
        return thought

    async def run_slice(self, thought: Thought, do: Callable[..., T], *about: object) -> T:
        """What `do` answers in a moment, where the thought is at home, when it is its turn.

        A slice that runs is not stopped when nobody waits for it any more: no other begins there
        before it ends. ThoughtLostError if the process died, and its memory with it.
        """
        ticket = Ticket(thought.key, Rank.SLICE, thought)
        work = asyncio.ensure_future(self._wait_and_answer(ticket, do, *about))
        thought.slice = work
        work.add_done_callback(forget_error)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            if not ticket.is_running:
                work.cancel()
            raise

    def end_thought(self, thought: Thought) -> None:
        """Let a thought go: after the slice that runs, its process forgets it."""
        self._thoughts.discard(thought)
        chore = asyncio.create_task(self._forget(thought))
        self._chores.add(chore)
        chore.add_done_callback(self._chores.discard)

    async def _forget(self, thought: Thought) -> None:
        if thought.slice:
            await asyncio.wait({thought.slice})
        worker = thought.worker
        if isinstance(worker, Worker):
            worker.thoughts.discard(thought)
            with suppress(BrokenExecutor, RuntimeError):
                if worker.executor:
                    self._submit(worker, worker.executor, thought_jobs.forget_thought, thought.id)

    # Whose turn it is.

    def _serve_next(self) -> None:
        """Give free workers to those who wait: by rank, and slices in turn by their keys."""
        free = self.workers - sum(ticket.is_running for ticket in self._tickets)
        waiting = [ticket for ticket in self._tickets if not ticket.is_running]
        for ticket in sorted(waiting, key=self._order):
            if free <= 0:
                return
            if self._find_worker(ticket):
                free -= 1
                if ticket.thought:
                    self._note_slice(ticket.thought.key)
                ticket.turn.set()

    def _note_slice(self, key: str) -> None:
        metrics.count_slice()
        self._last_slices.pop(key, None)  # the last stands last
        self._last_slices[key] = next(self._slice_numbers)
        if len(self._last_slices) > MAX_KEYS:
            del self._last_slices[next(iter(self._last_slices))]

    def _order(self, ticket: Ticket) -> tuple[Rank, int]:
        key = ticket.thought.key if ticket.thought else ""
        return ticket.rank, self._last_slices.get(key, 0)

    def _find_worker(self, ticket: Ticket) -> bool:
        """Give a ticket a worker who is free; a thought goes where it was before."""
        free = [worker for worker in self._staff if worker.ticket is None]
        thought = ticket.thought
        if thought and isinstance(thought.worker, Worker):
            free = [worker for worker in free if worker is thought.worker]
        if thought:  # what was cancelled may still be under way
            free = [worker for worker in free if not worker.unfinished]
        if not free:
            return False
        worker = min(free, key=lambda worker: worker.burden)
        worker.ticket, ticket.worker = ticket, worker
        if thought:
            thought.worker = worker
            worker.thoughts.add(thought)
        return True

    @property
    def is_idle(self) -> bool:
        """Whether nobody waits for an answer."""
        return not self._tickets

    @property
    def load(self) -> PoolLoad:
        """How much there is to do."""
        whole = self._whole_questions
        thinking = sum(ticket.is_running for ticket in whole)
        return PoolLoad(len(whole) - thinking, thinking, len(self._thoughts))

    def ahead_of(self, key: str) -> int | None:
        """How many come before somebody: 0 while they are answered, None if they ask nothing."""
        queue = sorted(self._whole_questions, key=lambda t: (not t.is_running, t.rank))
        for place, ticket in enumerate(queue):
            if ticket.key == key:
                return 0 if ticket.is_running else place
        return None

    # Processes.

    async def start(self) -> None:
        """Look for those who think; processes of this machine come when they are asked."""

    async def preload(self, processes: int, forms: Sequence[MatchData] = ()) -> None:
        """Let processes load the engine, and what some games need, before anybody asks."""
        try:
            loads = []
            for worker in self._staff[:processes]:
                executor = await asyncio.to_thread(self._open_pool, worker)
                loads.append(self._submit(worker, executor, engine_jobs.load_engine, forms))
            await asyncio.wait_for(asyncio.gather(*map(asyncio.wrap_future, loads)), ANSWER_TIMEOUT)
        except (BrokenExecutor, OSError, RuntimeError, TimeoutError) as error:
            LOG.warning("the engine could not be loaded ahead: %r", error)

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

    async def _answer(self, ticket: Ticket, do: Callable[..., T], *about: object) -> T:
        worker = ticket.worker
        assert worker
        for _attempt in range(POOL_ATTEMPTS):
            executor = self._open_pool(worker)
            try:
                thought = asyncio.wrap_future(self._submit(worker, executor, do, *about))
                return await asyncio.wait_for(thought, ANSWER_TIMEOUT)
            except BrokenExecutor:
                LOG.warning("a process of the engine died; there will be another")
                self._discard(worker, executor)
            except TimeoutError:
                LOG.error("an engine has not answered in %s s: %s", ANSWER_TIMEOUT, about)
                self._discard(worker, executor)
            if ticket.thought:
                raise ThoughtLostError
        raise EngineFailedError

    def _discard(self, worker: Worker, executor: Executor) -> None:
        if worker.executor is executor:
            worker.executor = None
        kill_workers(executor)

    def close(self) -> None:
        """Let all processes go, whatever they think about."""
        executors = [worker.executor for worker in self._staff if worker.executor]
        for worker in self._staff:
            worker.executor = None
        for executor in executors:
            kill_workers(executor, wait=True)
