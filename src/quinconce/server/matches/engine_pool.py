"""Where engines think: processes of their own, never the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, NamedTuple, TypeVar

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase as _
from quinconce.core.registry import game
from quinconce.core.worker_pools import ATTEMPTS, dismiss, processes
from quinconce.server.errors import RefusalError

LOG: Final = logging.getLogger("quinconce.server")
ENGINE: Final = "quinconce.engine"
PATIENCE: Final = 180.0  # seconds, the first compilation included
REMEMBERED: Final = 8  # matches that a process keeps, so that it need not replay them

T = TypeVar("T")
Chooser = Callable[["Question"], str]


class Question(NamedTuple):
    """What an engine is asked: a match as plain data, and how well to play."""

    game: str
    options: dict[str, str | int]
    start: str | None
    moves: tuple[str, ...]
    level: int
    seed: int


_remembered: dict[tuple[object, ...], Match[Any]] = {}


def match_of(question: Question) -> Match[Any]:
    """The match; one that was asked about before is played on."""
    key = (question.game, *question.options.items(), question.start)
    match = _remembered.pop(key, None)
    moves = list(question.moves)
    if match is None or match.moves != moves[: len(match.moves)]:
        rules = game(question.game, **question.options)
        match = Match(rules, None if question.start is None else rules.read(question.start))
    for text in moves[len(match.moves) :]:
        match.play(text)
    _remembered[key] = match
    if len(_remembered) > REMEMBERED:
        del _remembered[next(iter(_remembered))]
    return match


def choose(question: Question) -> str:
    """The engine's move. Numba is slow to load, so only these processes do."""
    move: str = import_module(ENGINE).choose(
        match_of(question), level=question.level, seed=question.seed
    )
    return move


def would_stop(question: Question, seat: int) -> bool:
    """Whether the engine in a seat agrees to stop here."""
    content: bool = import_module(f"{ENGINE}.offer").would_stop(match_of(question), seat)
    return content


def there_is_an_engine() -> bool:
    """Whether this house has one."""
    return find_spec(ENGINE) is not None


class Engines:
    """Engines that answer questions, a few at a time."""

    def __init__(
        self,
        workers: int,
        waiting: int,
        chooser: Chooser | None = None,
        pool: Callable[[int], Executor] = processes,
    ) -> None:
        self.chooser = chooser or choose
        self.available = chooser is not None or there_is_an_engine()
        self._workers = workers
        self._waiting = waiting
        self._make = pool
        self._pool: Executor | None = None
        self._asked = 0
        self._turns = asyncio.Semaphore(workers)

    async def choose(self, question: Question, *, hint: bool = False) -> str:
        """A move. Nobody waits behind too many others, and hints go last."""
        return await self.ask(self.chooser, question, hint=hint)

    async def would_stop(self, question: Question, seat: int) -> bool:
        """Whether the engine in a seat agrees to stop."""
        return await self.ask(would_stop, question, seat)

    async def ask(self, do: Callable[..., T], *about: object, hint: bool = False) -> T:
        """What `do` answers, in a process where engines think."""
        if not self.available:
            raise RefusalError(503, "engine", _("this house has no engine"))
        if self._asked >= (self._waiting // 2 if hint else self._waiting):
            raise RefusalError(
                429, "thinking", _("the engines have too much to think about"), wait=5
            )
        self._asked += 1
        try:
            async with self._turns:
                return await self._answered(do, *about)
        finally:
            self._asked -= 1

    async def _answered(self, do: Callable[..., T], *about: object) -> T:
        for _attempt in range(ATTEMPTS):
            pool = self._pool or self._make(self._workers)
            self._pool = pool
            try:
                thought = asyncio.wrap_future(pool.submit(do, *about))
                return await asyncio.wait_for(thought, PATIENCE)
            except BrokenExecutor:
                LOG.warning("a process of the engine died; there will be another")
                self._discard(pool)
            except TimeoutError:
                LOG.error("an engine has not answered in %s s: %s", PATIENCE, about)
                self._discard(pool)
        raise RefusalError(503, "engine", _("the engine does not answer"))

    def _discard(self, pool: Executor) -> None:
        if self._pool is pool:
            self._pool = None
        dismiss(pool)

    def close(self) -> None:
        """Let all processes go, whatever they think about."""
        if self._pool:
            self._discard(self._pool)
