"""Work that would hold the event loop, in threads beside it; in each, addresses take turns.

Python runs one thread at a time: a thread more makes nothing faster, and lets the loop wait longer
for its turn. There are as many as there are people who must not wait for each other: those who
play, those who open a page or make a match, those who look at a position, and those who send a
tree or a long line.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from quinconce.core.cancellation import cancellable
from quinconce.server.refusals import AskerGoneError, QueueFullError

# Work of as many moves takes some twentieths of a second; more is done in another thread.
SHORT_MOVES: Final = 200
# What may wait in one thread: for each person at an address, and for all addresses together. Work
# of any size is let in where nothing else of its address waits.
JOBS_PER_PERSON, MOVES_PER_PERSON = 32, 20_000
TOTAL_JOBS, TOTAL_MOVES = 1000, 200_000
RETRY_AFTER: Final = 5  # seconds

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Asker(NamedTuple):
    """Who waits for something: an address, how many people it counts for, and what they send."""

    address: str = ""
    people: int = 1
    receive: Callable[[], Awaitable[Any]] | None = None  # as ASGI has it


NOBODY: Final = Asker()  # the server itself
ASKER: Final[ContextVar[Asker]] = ContextVar("asker", default=NOBODY)


# Where there are no threads, as in a page, work is done at once by whoever asks for it.
AT_ONCE: Final[ContextVar[bool]] = ContextVar("at_once", default=False)


@contextmanager
def asked_by(asker: Asker) -> Iterator[None]:
    """What is done within it is done for somebody."""
    token = ASKER.set(asker)
    try:
        yield
    finally:
        ASKER.reset(token)


class Job:
    """Something to be done in a thread, for an address, which costs as much as some moves."""

    def __init__(self, asker: Asker, cost: float, do: Callable[[], Any]) -> None:
        self.asker = asker
        self.cost = cost
        self.do = do
        self.future: Future[Any] = Future()
        self.dropped = False

    def run(self) -> None:
        """Do it, unless it was dropped; if it is dropped meanwhile, it ends between two moves."""
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            with cancellable(lambda: self.dropped):
                result = self.do()
        except BaseException as error:
            self.future.set_exception(error)
        else:
            self.future.set_result(result)


class Waiting:
    """The jobs of one address that wait in a lane, and how much the lane has done for it."""

    def __init__(self, served: float) -> None:
        self.jobs: deque[Job] = deque()
        self.cost = 0.0
        self.served = served


class Lane:
    """One thread and the jobs that wait for it. The address that had least of it comes next."""

    def __init__(self, name: str, *, bounded: bool = True) -> None:
        self.bounded = bounded
        self._name = f"quinconce-{name}"
        self._thread: Executor | None = None  # started with the first job
        self._waiting: dict[str, Waiting] = {}  # by address
        self._served = 0.0  # how much the address had that was served last
        self._lock = threading.Lock()

    def __len__(self) -> int:
        with self._lock:
            return sum(len(each.jobs) for each in self._waiting.values())

    def add(self, job: Job) -> None:
        """Let a job wait for its turn; QueueFullError if too much waits already."""
        with self._lock:
            address = job.asker.address
            waiting = self._waiting.get(address) or Waiting(self._served)
            if self.bounded and job.asker != NOBODY:
                self._check_room(waiting, job)
            self._waiting[address] = waiting
            waiting.jobs.append(job)
            waiting.cost += job.cost
            thread = self._thread = self._thread or new_thread(self._name)
        thread.submit(self._run_next)

    def _check_room(self, waiting: Waiting, job: Job) -> None:
        people = job.asker.people
        jobs = sum(len(each.jobs) for each in self._waiting.values())
        cost = sum(each.cost for each in self._waiting.values())
        own = len(waiting.jobs) >= JOBS_PER_PERSON * people or (
            waiting.jobs and waiting.cost + job.cost > MOVES_PER_PERSON * people
        )
        if own or jobs >= TOTAL_JOBS or (cost and cost + job.cost > TOTAL_MOVES):
            raise QueueFullError(retry_after=RETRY_AFTER)

    def drop(self, job: Job) -> None:
        """Nobody waits for a job any more: it is not begun, or ends soon."""
        job.dropped = True
        job.future.cancel()
        with self._lock:
            waiting = self._waiting.get(job.asker.address)
            if waiting and job in waiting.jobs:
                waiting.jobs.remove(job)
                self._forget(waiting, job)

    def _run_next(self) -> None:
        if job := self._next():
            job.run()

    def _next(self) -> Job | None:
        with self._lock:
            if not self._waiting:  # what waited was dropped
                return None
            waiting = min(self._waiting.values(), key=lambda each: each.served)
            job = waiting.jobs.popleft()
            self._served = waiting.served
            waiting.served += max(1.0, job.cost) / job.asker.people
            self._forget(waiting, job)
            return job

    def _forget(self, waiting: Waiting, job: Job) -> None:
        waiting.cost -= job.cost
        if not waiting.jobs:
            del self._waiting[job.asker.address]


def new_thread(name: str) -> Executor:
    """A thread that does one thing after the other."""
    from concurrent.futures import ThreadPoolExecutor  # not where there are none

    return ThreadPoolExecutor(1, name)


PLAYERS: Final = Lane("players", bounded=False)
PAGES: Final = Lane("pages")
SHORT_WORK: Final = Lane("short")
LONG_WORK: Final = Lane("long")


async def run_quick(
    do: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """What a player waits for, and takes some milliseconds. Once asked for, it is done.

    Nothing but this is awaited while the lock of a match is held.
    """
    if AT_ONCE.get():
        return do(*args, **kwargs)
    job = Job(ASKER.get(), 1, partial(do, *args, **kwargs))
    PLAYERS.add(job)
    result: Result = await asyncio.wrap_future(job.future)
    return result


async def run_brief(
    do: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """What a page or a new match needs: it takes some milliseconds, whatever was sent.

    QueueFullError if too much waits; AskerGoneError, and it is dropped, if its asker leaves.
    """
    return await run_in(PAGES, 1, partial(do, *args, **kwargs))


async def run_slow(
    moves: float,
    do: Callable[Arguments, Result],
    /,
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> Result:
    """What takes as long as so many moves take to be checked or drawn.

    QueueFullError if too much waits; AskerGoneError, and it is dropped, if its asker leaves.
    """
    lane = SHORT_WORK if moves <= SHORT_MOVES else LONG_WORK
    return await run_in(lane, moves, partial(do, *args, **kwargs))


async def run_in(lane: Lane, cost: float, do: Callable[[], Result]) -> Result:
    """Do something in a lane, as long as its asker waits for it."""
    if AT_ONCE.get():
        return do()
    job = Job(ASKER.get(), cost, do)
    lane.add(job)
    try:
        result: Result = await while_asked(asyncio.wrap_future(job.future))
        return result
    except (asyncio.CancelledError, AskerGoneError):
        lane.drop(job)
        raise


async def while_asked(awaited: Awaitable[Result]) -> Result:
    """What is awaited; AskerGoneError, and it is cancelled, as soon as its asker leaves."""
    receive = ASKER.get().receive
    if receive is None:
        return await awaited
    work = asyncio.ensure_future(awaited)
    gone = asyncio.ensure_future(wait_until_gone(receive))
    try:
        await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return work.result()
        raise AskerGoneError
    finally:
        for task in (work, gone):
            task.cancel()


async def wait_until_gone(receive: Callable[[], Awaitable[Any]]) -> None:
    """Return once whoever has sent a request no longer waits for its answer."""
    while (await receive())["type"] != "http.disconnect":
        pass


def forget_error(task: asyncio.Future[Any]) -> None:
    """Those who wait are told why a task failed; if nobody waits any more, nobody is."""
    if not task.cancelled():
        task.exception()
