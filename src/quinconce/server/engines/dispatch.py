"""Who answers for an engine: processes of this machine, a cluster, or one in place of the other."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import Executor
from contextlib import aclosing, contextmanager
from typing import Any, Final, NamedTuple, TypeVar

from quinconce.core.game import Game
from quinconce.core.match import Match, MatchData
from quinconce.engine.levels import level_by_number
from quinconce.engine.slices import AnalysisReport
from quinconce.server.engines import jobs
from quinconce.server.engines.cluster import ClusterPool
from quinconce.server.engines.jobs import EngineQuestion, MoveChooser
from quinconce.server.engines.pool import EnginePool
from quinconce.server.engines.queue import EngineQueue
from quinconce.server.engines.source import EngineActivity, EngineSource, Outage
from quinconce.server.refusals import EnginesAwayError
from quinconce.server.settings import Settings

LOG: Final = logging.getLogger("quinconce.server")

T = TypeVar("T")


class OpenQuestion(NamedTuple):
    """Somebody has asked an engine something."""

    match: MatchData
    level: int | None = None


class Engines:
    """The engines that think in one place; with `preload`, they load what they need before."""

    def __init__(self, queue: EngineQueue[Any], *, preload: bool = False) -> None:
        self.queue = queue
        self.preload = preload
        self._asked: dict[str, OpenQuestion] = {}  # by who waits: a match, as a rule

    @property
    def pools(self) -> list[EngineQueue[Any]]:
        """All that think."""
        return [self.queue]

    # What can be asked.

    async def choose_move(
        self, question: EngineQuestion, *, hint: bool = False, key: str | None = None
    ) -> str:
        """A move."""
        with self._waiting(key, OpenQuestion(question.match, question.level)):
            return await self.queue.choose_move(question, hint=hint, key=key)

    async def accepts_stop(self, match: MatchData, seat: int, *, key: str | None = None) -> bool:
        """Whether the engine in a seat agrees to stop."""
        with self._waiting(key, OpenQuestion(match)):
            return await self.queue.run(jobs.engine_accepts_stop, match, seat, key=key)

    async def run(self, do: Callable[..., T], *about: object) -> T:
        """What `do` answers; it goes after the turns of engines."""
        return await self.queue.run(do, *about, hint=True)

    async def think(
        self, match: MatchData, *, lines: int = 3, seconds: float | None = None
    ) -> AsyncGenerator[AnalysisReport, None]:
        """Deepening reports of a search session, in slices behind all that players wait for.

        It ends at a limit or when nothing can change; until what it needs is loaded, reports have
        no lines. Closing it stops it and frees its memory.
        """
        found = self.queue.analyse(match, lines, seconds)
        async with aclosing(found):
            async for report in found:
                yield report

    async def think_whole(self, do: Callable[..., T | None], *about: object) -> T:
        """What `do` answers at last, asked slice by slice with the name of its session."""
        return await self.queue.run_sliced(do, *about)

    # What happens there.

    async def expect(self, game: Game[Any]) -> None:
        """Load what is proved of a game that somebody is about to play, unless others wait."""
        if self.preload and self.queue.is_idle:
            await self.queue.run(jobs.load_proofs, MatchData.of(Match(game)), hint=True)

    def activity(self, key: str) -> EngineActivity | None:
        """What the engine does that somebody waits for; None if they have asked for nothing."""
        if (asked := self._asked.get(key)) is None:
            return None
        ahead = self.queue.ahead_of(key) or 0
        if asked.level is None:
            return EngineActivity(None, None, ahead)
        level = level_by_number(asked.level, asked.match.rules().form_id)
        return EngineActivity(level, asked.level, ahead)

    @property
    def outage(self) -> Outage | None:
        """What there is to do until those who think are there again; None if they are there."""
        return "waiting" if self.queue.is_away else None

    # From start to end.

    async def start(self) -> None:
        """Look for those who think, and let processes of this machine load the engine."""
        await self.queue.start()
        if self.preload and isinstance(self.queue, EnginePool):
            await self.queue.preload()

    def close(self) -> None:
        """Let all processes go."""
        self.queue.close()

    @contextmanager
    def _waiting(self, key: str | None, asked: OpenQuestion) -> Iterator[None]:
        if key is None:
            yield
            return
        self._asked[key] = asked
        try:
            yield
        finally:
            if self._asked.get(key) is asked:
                del self._asked[key]


class HelpedEngines:
    """Engines on a cluster, whose questions processes of this machine answer while it is away."""

    def __init__(self, cluster: ClusterPool, local: Engines) -> None:
        self.cluster = cluster
        self.remote = Engines(cluster, preload=local.preload)
        self.local = local
        self._local_start: asyncio.Task[None] | None = None

    @property
    def pools(self) -> list[EngineQueue[Any]]:
        """All that think, here and on the cluster."""
        return [*self.remote.pools, *self.local.pools]

    async def choose_move(
        self, question: EngineQuestion, *, hint: bool = False, key: str | None = None
    ) -> str:
        """A move."""
        return await self._ask(lambda engines: engines.choose_move(question, hint=hint, key=key))

    async def accepts_stop(self, match: MatchData, seat: int, *, key: str | None = None) -> bool:
        """Whether the engine in a seat agrees to stop."""
        return await self._ask(lambda engines: engines.accepts_stop(match, seat, key=key))

    async def run(self, do: Callable[..., T], *about: object) -> T:
        """What `do` answers; it goes after the turns of engines."""
        return await self._ask(lambda engines: engines.run(do, *about))

    async def think(
        self, match: MatchData, *, lines: int = 3, seconds: float | None = None
    ) -> AsyncGenerator[AnalysisReport, None]:
        """Deepening reports, of the cluster; while it is away, of processes of this machine."""
        while True:
            engines = self._present_engines()
            found = engines.think(match, lines=lines, seconds=seconds)
            try:
                async with aclosing(found):
                    async for report in found:
                        yield report
                return
            except EnginesAwayError:
                if engines is self.local:
                    raise

    async def think_whole(self, do: Callable[..., T | None], *about: object) -> T:
        """What `do` answers at last, on the cluster or, while it is away, here."""
        while True:
            engines = self._present_engines()
            try:
                return await engines.think_whole(do, *about)
            except EnginesAwayError:
                if engines is self.local:
                    raise

    async def expect(self, game: Game[Any]) -> None:
        """Load what is proved of a game that somebody is about to play."""
        await self._ask(lambda engines: engines.expect(game))

    def activity(self, key: str) -> EngineActivity | None:
        """What the engine does that somebody waits for, here or on the cluster."""
        here = self.local.activity(key) if self.outage else None
        return here or self.remote.activity(key)

    @property
    def outage(self) -> Outage | None:
        """Whether processes of this machine help out."""
        return "helped" if self.cluster.is_away else None

    async def start(self) -> None:
        """Look for the cluster."""
        await self.remote.start()

    def close(self) -> None:
        """Leave the cluster, and let all processes go."""
        self.remote.close()
        self.local.close()

    def _present_engines(self) -> Engines:
        if not self.cluster.is_away:
            return self.remote
        self._local_start = self._local_start or asyncio.create_task(self._start_local())
        return self.local

    async def _start_local(self) -> None:
        try:
            await self.local.start()
        except Exception:
            LOG.exception("the engines of this machine cannot be made ready ahead")

    async def _ask(self, ask: Callable[[Engines], Coroutine[Any, Any, T]]) -> T:
        """The answer of the cluster; once it is away, the first of it and of this machine."""
        remote = asyncio.ensure_future(ask(self.remote))
        away = asyncio.ensure_future(self.cluster.until_away())
        try:
            await asyncio.wait({remote, away}, return_when=asyncio.FIRST_COMPLETED)
            if not self.cluster.is_away:
                return await remote
            return await first_answer(remote, ask(self._present_engines()))
        finally:
            remote.cancel()
            away.cancel()


async def first_answer(*answers: Awaitable[T]) -> T:
    """The first answer; if one fails, the next; if all do, the last error is raised."""
    tasks = {asyncio.ensure_future(answer) for answer in answers}
    done: set[asyncio.Task[T]] = set()
    try:
        while tasks and not any(task.exception() is None for task in done):
            done, tasks = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
    return min(done, key=lambda task: task.exception() is not None).result()


def make_engines(
    settings: Settings, chooser: MoveChooser | None, pool: Callable[[int], Executor]
) -> EngineSource:
    """The engines of a server, in processes of this machine or on a cluster."""
    if settings.engines is None:
        return make_local_engines(settings, chooser, pool)
    preload = settings.preload
    cluster = ClusterPool(settings.engines, settings.limits.engine_queue, chooser, preload=preload)
    if not settings.local_engines:
        return Engines(cluster, preload=preload)
    return HelpedEngines(cluster, make_local_engines(settings, chooser, pool))


def make_local_engines(
    settings: Settings, chooser: MoveChooser | None, pool: Callable[[int], Executor]
) -> Engines:
    """Engines in processes of this machine."""
    processes = EnginePool(settings.workers, settings.limits.engine_queue, chooser, pool)
    return Engines(processes, preload=settings.preload)
