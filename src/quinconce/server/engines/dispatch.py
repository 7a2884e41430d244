"""Who answers for an engine: compiled code once it is there, plain Python until then.

A game that was never played on this machine has to be compiled first, which takes seconds. The
warm-up does so in the background. Meanwhile the same functions run as plain Python, slowly, in
processes of their own; what they cannot do in time waits for the warm-up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import Executor
from contextlib import aclosing, contextmanager
from typing import Any, Final, Literal, NamedTuple, TypeVar

from quinconce.core.match import MatchData
from quinconce.core.registry import names
from quinconce.core.worker_pools import plain_process_pool
from quinconce.engine.levels import Level, level_by_number
from quinconce.engine.slices import AnalysisReport
from quinconce.engine.warmup import Step, Warmup, all_steps, default_forms, every_form, form_of
from quinconce.puzzles.puzzle import games_with_puzzles
from quinconce.server.engines import jobs
from quinconce.server.engines.cluster import ClusterPool
from quinconce.server.engines.jobs import EngineQuestion, MoveChooser
from quinconce.server.engines.pool import EnginePool
from quinconce.server.engines.queue import EngineQueue
from quinconce.server.refusals import EnginesAwayError
from quinconce.server.settings import Settings

LOG: Final = logging.getLogger("quinconce.server")
READY_POLL: Final = 0.1  # seconds between two looks whether something is compiled
PLAIN_WORKERS: Final = 2  # processes with plain Python: one may think for long
PLAY_SHARE: Final = 0.8  # of all that is compiled for a stage after the first, what play needs

T = TypeVar("T")

# While the cluster is away: everybody waits for it, or processes of this machine help out.
Outage = Literal["waiting", "helped"]


class EngineActivity(NamedTuple):
    """What the engine that somebody waits for is doing."""

    level: Level | None  # at which it thinks of a move; None if that is not what it does
    number: int | None  # of the level
    ahead: int  # how many questions come before
    share: float | None  # how much is compiled of what it needs; None if all is
    waits: bool  # whether it does nothing until that is compiled


class OpenQuestion(NamedTuple):
    """Somebody has asked an engine something."""

    step: Step  # what has to be compiled for it
    level: int | None


def server_steps() -> list[Step]:
    """What a server compiles ahead: what players need, then the judge of puzzles."""
    puzzles = [form_of(game) for name in names() for game in games_with_puzzles(name)]
    return [*all_steps(), *(Step(form, "puzzles") for form in puzzles)]


def form_of_match(match: MatchData) -> MatchData:
    """The form of the game that is played."""
    return MatchData(match.game, match.options)


class Engines:
    """All engines of a server; without a warm-up, every question goes to compiled code."""

    def __init__(
        self,
        compiled: EngineQueue[Any],
        plain: EnginePool | None = None,
        warmup: Warmup | None = None,
    ) -> None:
        self.compiled = compiled
        self.plain = plain
        self.warmup = warmup
        self._asked: dict[str, OpenQuestion] = {}  # by who waits: a match, as a rule

    @property
    def pools(self) -> list[EngineQueue[Any]]:
        """All that think."""
        return [pool for pool in (self.plain, self.compiled) if pool]

    # What can be asked.

    async def choose_move(
        self, question: EngineQuestion, *, hint: bool = False, key: str | None = None
    ) -> str:
        """A move, soon: in plain Python, if that is faster than to wait for compiled code.

        Where something is proved, plain Python refuses at full strength, and compiled code answers.
        """
        step = Step(form_of_match(question.match), "play")
        with self._waiting(key, OpenQuestion(step, question.level)):
            if self.is_ready(step):
                return await self.compiled.choose_move(question, hint=hint, key=key)
            await self.prefer(step)
            if level_by_number(question.level).is_full_strength:
                await self.prefer(Step(step.form, "proofs"))
            compiled = self._when_ready(step, self.compiled.chooser, question, hint=hint, key=key)
            if self.plain is None:
                return await compiled
            return await first_answer(
                self.plain.choose_move(question, hint=hint, key=key), compiled
            )

    async def accepts_stop(self, match: MatchData, seat: int, *, key: str | None = None) -> bool:
        """Whether the engine in a seat agrees to stop; it waits until it is compiled."""
        step = Step(form_of_match(match), "play")
        with self._waiting(key, OpenQuestion(step, None)):
            await self.prefer(step)
            return await self._when_ready(step, jobs.engine_accepts_stop, match, seat, key=key)

    async def run(self, do: Callable[..., T], *about: object, step: Step) -> T:
        """What `do` answers, once what it needs is compiled; it goes after the turns of engines."""
        await self.prefer(step)
        return await self._when_ready(step, do, *about, hint=True)

    async def think(
        self,
        match: MatchData,
        *,
        key: str,
        lines: int = 3,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> AsyncGenerator[AnalysisReport, None]:
        """Deepening reports of a search session, in slices behind all that players wait for.

        It ends at a limit or when nothing can change; until what it needs is loaded, reports have
        no lines. Closing it stops it and frees its memory. Sessions of one key take turns as one.
        """
        step = Step(form_of_match(match), "proofs")
        await self.prefer(step)
        await self._until_ready(step)
        found = self.compiled.analyse(match, key, lines, nodes, seconds)
        async with aclosing(found):
            async for report in found:
                yield report

    async def think_whole(
        self, do: Callable[..., T | None], *about: object, key: str, step: Step
    ) -> T:
        """What `do` answers at last, asked slice by slice with the name of its session."""
        await self.prefer(step)
        await self._until_ready(step)
        return await self.compiled.run_sliced(do, *about, key=key)

    # What is ready.

    def is_ready(self, step: Step) -> bool:
        """Whether compiled code can answer, or nobody will compile it ahead."""
        return self.warmup is None or not self.warmup.is_open(step)

    async def prefer(self, step: Step) -> None:
        """Let this be compiled next, with what comes before it."""
        if self.warmup and not self.is_ready(step):
            await asyncio.to_thread(self.warmup.prefer, Step(step.form, "play"), step)

    async def expect(self, step: Step, question: EngineQuestion | None = None) -> None:
        """Get ready for what somebody is about to ask for; without a warm-up, by a question."""
        await self.prefer(step)
        if self.warmup is None:
            if question:
                await self.choose_move(question, hint=True)
        elif self.is_ready(step) and self.compiled.is_idle:
            await self.compiled.run(jobs.load_proofs, (step.form,), hint=True)

    def share(self, step: Step) -> float | None:
        """How much is compiled of what a step needs, from 0 to 1; None if nothing is missing."""
        if self.warmup is None or self.is_ready(step):
            return None
        first = self.warmup.share(Step(step.form, "play"))
        if step.stage == "play":
            return first
        return PLAY_SHARE * first + (1 - PLAY_SHARE) * self.warmup.share(step)

    def activity(self, key: str) -> EngineActivity | None:
        """What the engine does that somebody waits for; None if they have asked for nothing."""
        if (asked := self._asked.get(key)) is None:
            return None
        share = self.share(asked.step)
        ahead = [n for pool in self.pools if (n := pool.ahead_of(key)) is not None]
        form = asked.step.form.rules().form_id
        level = None if asked.level is None else level_by_number(asked.level, form)
        waits = share is not None and not ahead
        return EngineActivity(level, asked.level, min(ahead, default=0), share, waits)

    @property
    def outage(self) -> Outage | None:
        """What there is to do until those who think are there again; None if they are there."""
        return "waiting" if self.compiled.is_away else None

    # From start to end.

    async def start(self) -> None:
        """Load the processes that will be asked first, and compile what is missing."""
        await self.compiled.start()
        if self.warmup is None:
            return
        ready = await asyncio.to_thread(self._ready_forms)
        if self.plain and len(ready) < len(every_form()):
            await self.plain.preload(1)  # others come when they are needed
        await asyncio.to_thread(self.warmup.start)
        forms = [form for form in default_forms() if form in ready]
        if isinstance(self.compiled, EnginePool):
            await self.compiled.preload(self.compiled.workers, forms)

    async def release_plain(self) -> None:
        """Let the processes with plain Python go, once everything is compiled."""
        if self.plain and self.plain.is_idle and self.warmup and self.warmup.is_idle:
            await asyncio.to_thread(self.plain.close)

    def _ready_forms(self) -> set[MatchData]:
        return {form for form in every_form() if self.is_ready(Step(form, "play"))}

    def close(self) -> None:
        """Let all processes go."""
        if self.warmup:
            self.warmup.close()
        if self.plain:
            self.plain.close()
        self.compiled.close()

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

    async def _until_ready(self, step: Step) -> None:
        while not self.is_ready(step):
            await asyncio.sleep(READY_POLL)

    async def _when_ready(
        self,
        step: Step,
        do: Callable[..., T],
        *about: object,
        hint: bool = False,
        key: str | None = None,
    ) -> T:
        await self._until_ready(step)
        return await self.compiled.run(do, *about, hint=hint, key=key)


class HelpedEngines:
    """Engines on a cluster, whose questions processes of this machine answer while it is away."""

    def __init__(self, cluster: ClusterPool, local: Engines) -> None:
        self.cluster = cluster
        self.remote = Engines(cluster)
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

    async def run(self, do: Callable[..., T], *about: object, step: Step) -> T:
        """What `do` answers; it goes after the turns of engines."""
        return await self._ask(lambda engines: engines.run(do, *about, step=step))

    async def think(
        self,
        match: MatchData,
        *,
        key: str,
        lines: int = 3,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> AsyncGenerator[AnalysisReport, None]:
        """Deepening reports, of the cluster; while it is away, of processes of this machine."""
        while True:
            engines = self._present_engines()
            found = engines.think(match, key=key, lines=lines, nodes=nodes, seconds=seconds)
            try:
                async with aclosing(found):
                    async for report in found:
                        yield report
                return
            except EnginesAwayError:
                if engines is self.local:
                    raise

    async def think_whole(
        self, do: Callable[..., T | None], *about: object, key: str, step: Step
    ) -> T:
        """What `do` answers at last, on the cluster or, while it is away, here."""
        while True:
            engines = self._present_engines()
            try:
                return await engines.think_whole(do, *about, key=key, step=step)
            except EnginesAwayError:
                if engines is self.local:
                    raise

    async def expect(self, step: Step, question: EngineQuestion | None = None) -> None:
        """Let the cluster load what somebody is about to ask for."""
        if question:
            await self.choose_move(question, hint=True)

    def share(self, step: Step) -> float | None:
        """How much is compiled of what a step needs, where it is asked for."""
        return self.local.share(step) if self.outage else None

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

    async def release_plain(self) -> None:
        """Let the processes with plain Python go, once everything is compiled."""
        await self.local.release_plain()

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


EngineSource = Engines | HelpedEngines


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
    steps = server_steps() if settings.warm_up else []
    cluster = ClusterPool(settings.engines, settings.limits.engine_queue, chooser, steps)
    if not settings.local_engines:
        return Engines(cluster)
    return HelpedEngines(cluster, make_local_engines(settings, chooser, pool))


def make_local_engines(
    settings: Settings, chooser: MoveChooser | None, pool: Callable[[int], Executor]
) -> Engines:
    """Engines on this machine; with a warm-up, plain Python plays until a game is compiled."""
    queue = settings.limits.engine_queue
    compiled = EnginePool(settings.workers, queue, chooser, pool)
    if not settings.warm_up:
        return Engines(compiled)
    plain = EnginePool(PLAIN_WORKERS, queue, chooser, plain_process_pool)
    return Engines(compiled, plain, Warmup(server_steps(), jobs.compile_step))
