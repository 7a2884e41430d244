"""Engines that think on a Dask cluster; while it is away, games wait."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from quinconce.core.worker_pools import POOL_ATTEMPTS
from quinconce.server.engines import jobs
from quinconce.server.engines.cluster_connection import (
    HINT_PRIORITY,
    MOVE_PRIORITY,
    SLICE_PRIORITY,
    ClusterConnection,
    ClusterLostError,
    WorkersDiedError,
)
from quinconce.server.engines.jobs import MoveChooser
from quinconce.server.engines.pool import ANSWER_TIMEOUT
from quinconce.server.engines.queue import (
    EngineQueue,
    Rank,
    SearchSession,
    SessionLostError,
    Ticket,
)
from quinconce.server.refusals import EngineFailedError, EnginesAwayError

LOG: Final = logging.getLogger("quinconce.server")
ASK_AGAIN_DELAY: Final = 0.2  # seconds before a question that was lost is asked again

T = TypeVar("T")


class ClusterPool(EngineQueue[str]):
    """Engines on a cluster: as many questions at a time as its workers have threads.

    A worker is known by its address.
    """

    def __init__(
        self,
        address: str,
        waiting: int,
        chooser: MoveChooser | None = None,
        *,
        preload: bool = False,
    ) -> None:
        super().__init__(0, waiting, chooser)
        self.is_away = False  # nor is it known to be there, at first
        self._away = asyncio.Event()
        self._back = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connection = ClusterConnection(address, self._hear_capacity, preload=preload)

    async def start(self) -> None:
        """Look for the cluster, now and whenever it is away."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._connection.open()

    async def until_away(self) -> None:
        """Return when nobody on the cluster can think."""
        await self._away.wait()

    def close(self) -> None:
        """Leave the cluster."""
        self._connection.close()

    def _hear_capacity(self, capacity: int) -> None:
        """Take what the connection tells in its own thread to the one where people ask."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._set_capacity, capacity)

    def _set_capacity(self, capacity: int) -> None:
        self.workers = capacity
        self.is_away = not capacity
        (self._away if self.is_away else self._back).set()
        (self._back if self.is_away else self._away).clear()
        self._serve_next()

    def _serve_next(self) -> None:
        super()._serve_next()
        for ticket in self._tickets:
            if ticket.rank > Rank.MOVE and self.is_away:
                ticket.turn.set()  # to be told that nobody thinks

    def _find_worker(self, ticket: Ticket[str]) -> bool:
        """Whole questions are given out by the scheduler; a session stays where its table is."""
        session, threads = ticket.session, self._connection.threads
        if session is None:
            return True
        if session.worker not in threads:
            at_home = Counter(other.worker for other in self._sessions)
            session.worker = min(
                threads, key=lambda worker: at_home[worker] / threads[worker], default=None
            )
        busy = sum(
            other.is_running and other.session.worker == session.worker
            for other in self._tickets
            if other.session
        )
        return session.worker is not None and busy < threads[session.worker]

    async def _forget(self, session: SearchSession[str]) -> None:
        if session.worker:
            with suppress(ClusterLostError, WorkersDiedError, TimeoutError):
                await self._ask_worker(
                    session.worker, MOVE_PRIORITY, jobs.forget_search, session.id
                )

    async def _ask_worker(
        self, worker: str, priority: int, do: Callable[..., T], *about: object
    ) -> T:
        answer = asyncio.wrap_future(self._connection.submit(do, about, priority, {worker}))
        return await asyncio.wait_for(answer, ANSWER_TIMEOUT)

    async def _answer_slice(
        self, session: SearchSession[str], do: Callable[..., T], *about: object
    ) -> T:
        """Ask the worker who keeps a session, and nobody else."""
        if self.is_away or session.worker is None:
            raise EnginesAwayError
        try:
            return await self._ask_worker(session.worker, SLICE_PRIORITY, do, *about)
        except (ClusterLostError, WorkersDiedError, TimeoutError):
            await asyncio.sleep(ASK_AGAIN_DELAY)
            raise SessionLostError from None

    def _queue_limit(self, hint: bool) -> int:
        return super()._queue_limit(hint) + self.workers

    async def _answer(self, ticket: Ticket[str], do: Callable[..., T], *about: object) -> T:
        """Ask until there is an answer; a hint is not waited for while the cluster is away."""
        if ticket.session:
            return await self._answer_slice(ticket.session, do, *about)
        is_hint = ticket.rank is Rank.HINT
        priority = HINT_PRIORITY if is_hint else MOVE_PRIORITY
        failures = 0
        while failures < POOL_ATTEMPTS:
            if self.is_away and is_hint:
                raise EnginesAwayError
            await self._back.wait()
            answer = asyncio.wrap_future(self._connection.submit(do, about, priority))
            try:
                return await asyncio.wait_for(answer, ANSWER_TIMEOUT)
            except ClusterLostError:
                await asyncio.sleep(ASK_AGAIN_DELAY)
            except WorkersDiedError:
                failures += 1
                LOG.warning("workers of the cluster died one after the other: %s", about)
            except TimeoutError:
                failures += 1
                LOG.error("the cluster has not answered in %s s: %s", ANSWER_TIMEOUT, about)
        raise EngineFailedError
