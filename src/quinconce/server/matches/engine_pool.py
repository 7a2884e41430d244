"""Where engines think: processes of their own, never the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from importlib.util import find_spec
from typing import Any, Final, NamedTuple, TypeVar

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.core.registry import game
from quinconce.core.worker_pools import POOL_ATTEMPTS, kill_workers, process_pool
from quinconce.server.errors import RefusalError

LOG: Final = logging.getLogger("quinconce.server")
ENGINE_PACKAGE: Final = "quinconce.engine"
ANSWER_TIMEOUT: Final = 180.0  # seconds, the first compilation included
MAX_CACHED_MATCHES: Final = 8  # matches that a process keeps, so that it need not replay them

T = TypeVar("T")
MoveChooser = Callable[["EngineQuestion"], str]


class EngineQuestion(NamedTuple):
    """What an engine is asked: a match as plain data, and how well to play."""

    game: str
    options: dict[str, str | int]
    start: str | None
    moves: tuple[str, ...]
    level: int
    seed: int


_match_cache: dict[tuple[object, ...], Match[Any]] = {}


def replay_question(question: EngineQuestion) -> Match[Any]:
    """The match; one that was asked about before is played on."""
    key = (question.game, *question.options.items(), question.start)
    match = _match_cache.pop(key, None)
    moves = list(question.moves)
    if match is None or match.moves != moves[: len(match.moves)]:
        rules = game(question.game, **question.options)
        match = Match(rules, None if question.start is None else rules.read(question.start))
    for text in moves[len(match.moves) :]:
        match.play(text)
    _match_cache[key] = match
    if len(_match_cache) > MAX_CACHED_MATCHES:
        del _match_cache[next(iter(_match_cache))]
    return match


def choose_move(question: EngineQuestion) -> str:
    """The engine's move. Numba is slow to load, so only these processes do."""
    from quinconce.engine import choose

    return choose(replay_question(question), level=question.level, seed=question.seed)


def engine_accepts_stop(question: EngineQuestion, seat: int) -> bool:
    """Whether the engine in a seat agrees to stop here."""
    from quinconce.engine.move_choice import accepts_offer

    return accepts_offer(replay_question(question), seat)


def has_engine() -> bool:
    """Whether this house has one."""
    return find_spec(ENGINE_PACKAGE) is not None


class EnginePool:
    """Engines that answer questions, a few at a time."""

    def __init__(
        self,
        workers: int,
        waiting: int,
        chooser: MoveChooser | None = None,
        pool: Callable[[int], Executor] = process_pool,
    ) -> None:
        self.chooser = chooser or choose_move
        self.available = chooser is not None or has_engine()
        self._workers = workers
        self._max_queue_length = waiting
        self._make_pool = pool
        self._pool: Executor | None = None
        self._queue_length = 0
        self._slots = asyncio.Semaphore(workers)

    async def choose_move(self, question: EngineQuestion, *, hint: bool = False) -> str:
        """A move. Nobody waits behind too many others, and hints go last."""
        return await self.run(self.chooser, question, hint=hint)

    async def accepts_stop(self, question: EngineQuestion, seat: int) -> bool:
        """Whether the engine in a seat agrees to stop."""
        return await self.run(engine_accepts_stop, question, seat)

    async def run(self, do: Callable[..., T], *about: object, hint: bool = False) -> T:
        """What `do` answers, in a process where engines think."""
        if not self.available:
            raise RefusalError(503, "engine", _("this house has no engine"))
        if self._queue_length >= (self._max_queue_length // 2 if hint else self._max_queue_length):
            raise RefusalError(
                429, "thinking", _("the engines have too much to think about"), wait=5
            )
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
        raise RefusalError(503, "engine", _("the engine does not answer"))

    def _discard(self, pool: Executor) -> None:
        if self._pool is pool:
            self._pool = None
        kill_workers(pool)

    def close(self) -> None:
        """Let all processes go, whatever they think about."""
        if self._pool:
            self._discard(self._pool)
