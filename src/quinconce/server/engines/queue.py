"""The queue of questions to engines: who is answered next, and who waits.

Moves that players wait for go first, always; then hints and other whole questions; then the slices
of search sessions, one each in turn. Of one rank, addresses take turns, and the matches and pages
of an address among themselves. A session stays with its worker, who keeps its table.
"""

from __future__ import annotations

import asyncio
import secrets
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from enum import IntEnum
from typing import Generic, TypeVar

from quinconce.core.match import MatchData
from quinconce.core.worker_pools import POOL_ATTEMPTS
from quinconce.engine.slices import AnalysisReport, end_after
from quinconce.server import metrics
from quinconce.server.engines import jobs
from quinconce.server.engines.jobs import EngineQuestion, MoveChooser, SearchQuestion, Slicer
from quinconce.server.engines.shares import MAX_FULL_ADDRESSES, AddressTurns
from quinconce.server.engines.source import PoolLoad
from quinconce.server.off_loop import ASKER, forget_error
from quinconce.server.refusals import BusyError, EngineFailedError

T = TypeVar("T")
WorkerT = TypeVar("WorkerT")


class SessionLostError(Exception):
    """The worker of a session is gone, and what it kept too; it is worth asking again."""


class Rank(IntEnum):
    """Who goes first of those who wait."""

    MOVE = 0
    HINT = 1
    SLICE = 2


class SearchSession(Generic[WorkerT]):
    """A long search; its slices are made by the worker who has its table."""

    def __init__(self) -> None:
        self.id = secrets.token_hex(8)  # the same on no server of a cluster
        self.worker: WorkerT | None = None  # none before the first slice
        self.slice: asyncio.Task[object] | None = None  # the one that was asked for last


class Ticket(Generic[WorkerT]):
    """A place in the queue, for `key`, if anybody asks how many come before."""

    def __init__(
        self,
        rank: Rank,
        key: str | None = None,
        session: SearchSession[WorkerT] | None = None,
    ) -> None:
        self.rank = rank
        self.key = key
        self.asker = ASKER.get()
        self.session = session  # of which this is a slice
        self.worker: WorkerT | None = None  # who answers, once it is this one's turn
        self.turn = asyncio.Event()  # set when it is this one's turn

    @property
    def is_running(self) -> bool:
        """Whether an engine thinks about the question."""
        return self.turn.is_set()


class EngineQueue(ABC, Generic[WorkerT]):
    """Those who wait for an engine, served by `workers` at a time.

    `slicer` makes a slice of an analysis.
    """

    is_away = False  # whether no engine can think just now
    slicer: Slicer = staticmethod(jobs.think_slice)

    def __init__(self, workers: int, waiting: int, chooser: MoveChooser | None = None) -> None:
        self.chooser = chooser or jobs.choose_move
        self.workers = workers
        self._max_queue_length = waiting
        self._tickets: list[Ticket[WorkerT]] = []  # in the order in which they came
        self._sessions: set[SearchSession[WorkerT]] = set()
        self._turns = {rank: AddressTurns() for rank in Rank}
        self._chores: set[asyncio.Task[None]] = set()

    # Who thinks.

    @abstractmethod
    def _find_worker(self, ticket: Ticket[WorkerT]) -> bool:
        """Give a ticket a worker who is free; a session goes where it was before."""

    @abstractmethod
    async def _answer(self, ticket: Ticket[WorkerT], do: Callable[..., T], *about: object) -> T:
        """What `do` answers; SessionLostError if it was a slice and its worker is gone."""

    @abstractmethod
    async def _forget(self, session: SearchSession[WorkerT]) -> None:
        """Let the worker of a session forget it."""

    @abstractmethod
    async def start(self) -> None:
        """Look for those who think."""

    @abstractmethod
    def close(self) -> None:
        """Let those go who think."""

    # Whole questions.

    async def choose_move(
        self, question: EngineQuestion, *, hint: bool = False, key: str | None = None
    ) -> str:
        """A move. Nobody waits behind too many others, and hints go last."""
        return await self.run(self.chooser, question, hint=hint, key=key)

    async def run(
        self, do: Callable[..., T], *about: object, hint: bool = False, key: str | None = None
    ) -> T:
        """What `do` answers, where engines think; `key` says who asks.

        BusyError if too many questions of the address wait, or of all addresses.
        """
        ticket: Ticket[WorkerT] = Ticket(Rank.HINT if hint else Rank.MOVE, key)
        whole, limit = self._whole_questions, self._queue_limit(hint)
        own = sum(other.asker.address == ticket.asker.address for other in whole)
        if own >= limit or len(whole) >= MAX_FULL_ADDRESSES * limit:
            raise BusyError
        return await self._wait_and_answer(ticket, do, *about)

    async def _wait_and_answer(
        self, ticket: Ticket[WorkerT], do: Callable[..., T], *about: object
    ) -> T:
        self._tickets.append(ticket)
        self._serve_next()
        try:
            await ticket.turn.wait()
            return await self._answer(ticket, do, *about)
        finally:
            self._tickets.remove(ticket)
            self._free_worker(ticket)
            self._serve_next()

    def _free_worker(self, ticket: Ticket[WorkerT]) -> None:
        """The question of a ticket is answered, or nobody waits for it."""

    def _queue_limit(self, hint: bool) -> int:
        return self._max_queue_length // 2 if hint else self._max_queue_length

    @property
    def _whole_questions(self) -> list[Ticket[WorkerT]]:
        return [ticket for ticket in self._tickets if ticket.rank < Rank.SLICE]

    # Search sessions.

    async def analyse(
        self, match: MatchData, lines: int, seconds: float | None
    ) -> AsyncGenerator[AnalysisReport, None]:
        """Deepening reports until a limit is reached, nothing can change, or the reader leaves.

        A session that was lost with its worker begins again, and tells nothing until it is as deep
        as before. EngineFailedError if that happens again and again.
        """
        session = self._open_session()
        question = SearchQuestion(session.id, match, lines)
        last: AnalysisReport | None = None
        failures = 0
        try:
            while last is None or not last.done:
                try:
                    found = await self._run_slice(session, self.slicer, question)
                except SessionLostError:
                    failures += 1
                    if failures == POOL_ATTEMPTS:
                        raise EngineFailedError from None
                    continue
                failures = 0
                found = end_after(found, seconds)
                if last is None or found.done or is_news(found, last):
                    last = found
                    yield found
        finally:
            self._close_session(session)

    async def run_sliced(self, do: Callable[..., T | None], *about: object) -> T:
        """What `do` answers at last, asked slice by slice with the name of the session.

        It begins again if its worker dies; EngineFailedError if that happens again and again.
        """
        session = self._open_session()
        failures = 0
        try:
            while failures < POOL_ATTEMPTS:
                try:
                    found = await self._run_slice(session, do, session.id, *about)
                except SessionLostError:
                    failures += 1
                else:
                    if found is not None:
                        return found
            raise EngineFailedError
        finally:
            self._close_session(session)

    def _open_session(self) -> SearchSession[WorkerT]:
        session: SearchSession[WorkerT] = SearchSession()
        self._sessions.add(session)
        return session

    async def _run_slice(
        self, session: SearchSession[WorkerT], do: Callable[..., T], *about: object
    ) -> T:
        """What `do` answers in a moment, at the worker of the session, when it is its turn.

        A slice that runs is not stopped when nobody waits for it any more: no other begins there
        before it ends.
        """
        ticket = Ticket(Rank.SLICE, session=session)
        work = asyncio.ensure_future(self._wait_and_answer(ticket, do, *about))
        session.slice = work
        work.add_done_callback(forget_error)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            if not ticket.is_running:
                work.cancel()
            raise

    def _close_session(self, session: SearchSession[WorkerT]) -> None:
        """Let a session go: after the slice that runs, its worker forgets it."""
        self._sessions.discard(session)
        chore = asyncio.create_task(self._forget_after_slice(session))
        self._chores.add(chore)
        chore.add_done_callback(self._chores.discard)

    async def _forget_after_slice(self, session: SearchSession[WorkerT]) -> None:
        if session.slice:
            await asyncio.wait({session.slice})
        await self._forget(session)

    # Whose turn it is.

    def _serve_next(self) -> None:
        """Give free workers to those who wait: by rank and by address."""
        free = self.workers - sum(ticket.is_running for ticket in self._tickets)
        waiting = [ticket for ticket in self._tickets if not ticket.is_running]
        while free > 0 and waiting:
            ticket = min(waiting, key=self._order)
            waiting.remove(ticket)
            if self._find_worker(ticket):
                free -= 1
                self._turns[ticket.rank].take(ticket.asker)
                if ticket.session:
                    metrics.count_slice()
                ticket.turn.set()

    def _order(self, ticket: Ticket[WorkerT]) -> tuple[Rank, float]:
        """Of equal ones the first to come is first; a session comes again after each slice."""
        return ticket.rank, self._turns[ticket.rank].order(ticket.asker)

    @property
    def is_idle(self) -> bool:
        """Whether nobody waits for an answer."""
        return not self._tickets

    @property
    def load(self) -> PoolLoad:
        """How much there is to do."""
        whole = self._whole_questions
        thinking = sum(ticket.is_running for ticket in whole)
        return PoolLoad(len(whole) - thinking, thinking, len(self._sessions))

    def ahead_of(self, key: str) -> int | None:
        """How many come before somebody: 0 while they are answered, None if they ask nothing."""
        whole = self._whole_questions
        rounds: Counter[tuple[str, Rank]] = Counter()  # of its address, in which each has its turn
        queue_order = {}
        for ticket in whole:
            round_of = (ticket.asker.address, ticket.rank)
            queue_order[ticket] = (not ticket.is_running, ticket.rank, rounds[round_of])
            rounds[round_of] += not ticket.is_running
        queue = sorted(whole, key=queue_order.__getitem__)
        for place, ticket in enumerate(queue):
            if ticket.key == key:
                return 0 if ticket.is_running else place
        return None


def is_news(found: AnalysisReport, last: AnalysisReport) -> bool:
    """Whether a report says more than the last one; one that has begun again may say less."""
    return bool(found.lines) and (
        not last.lines
        or found.depth > last.depth
        or (found.depth == last.depth and found.lines != last.lines)
    )
