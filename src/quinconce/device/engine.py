"""The engine of a device: asked one thing after the other, in slices between which others come.

Whatever is asked of an engine, a table or a proof passes here, so that a page's worker can be given
another way to think.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from quinconce.core.game import Game
from quinconce.core.match import MatchData
from quinconce.engine.levels import level_by_number
from quinconce.engine.slices import AnalysisReport, end_after
from quinconce.server.caches import BoundedCache
from quinconce.server.engines import jobs
from quinconce.server.engines.jobs import EngineQuestion
from quinconce.server.engines.source import EngineActivity, Outage

if TYPE_CHECKING:
    from quinconce.study.review import SlicedReport

SLICE_SECONDS: Final = 0.04  # of a search, before requests have their turn: a page may not freeze
WAIT_SECONDS: Final = 0.01  # between two looks whether the move that goes first is found
MAX_REPORTS: Final = 4  # searches of reviews that are kept at once

T = TypeVar("T")


async def pause() -> None:
    """Let everything else have its turn."""
    await asyncio.sleep(0)


async def choose_move(question: EngineQuestion) -> str:
    """The move of a level: the same as a server's, where no time limits it."""
    from quinconce.engine.move_choice import pick_move_in_slices

    match = question.match.match()
    level = level_by_number(question.level, match.game.form_id)
    chance = random.Random(f"{question.seed} {len(match.moves)}")
    slices = pick_move_in_slices(match, level, chance, level.seconds)
    while True:
        try:
            next(slices)
        except StopIteration as end:
            return str(end.value)
        await pause()


async def accepts_stop(match: MatchData, seat: int) -> bool:
    """Whether the engine in a seat agrees to stop."""
    return jobs.engine_accepts_stop(match, seat)


async def search_slices(match: MatchData, lines: int) -> AsyncGenerator[AnalysisReport, None]:
    """What a search finds, slice by slice."""
    from quinconce.engine.move_choice import SLICE_NODES
    from quinconce.engine.slices import SlicedSearch

    search = SlicedSearch(match.match(), lines=lines)
    while True:
        yield search.run(SLICE_SECONDS, SLICE_NODES)


_reports: Final[BoundedCache[str, SlicedReport]] = BoundedCache(MAX_REPORTS)


def report_slice(id_: str, match: MatchData) -> str | None:
    """Search on for the report of a position, for a slice; the report as JSON once it is done."""
    search = _reports.get(id_)
    if search is None:
        search = _reports[id_] = jobs.begin_report(match)
    report = search.run(SLICE_SECONDS)
    if report is None:
        return None
    _reports.pop(id_)
    return msgspec.json.encode(report.json()).decode()


class DeviceEngines:
    """Those who think on a device: a move that somebody waits for goes before everything else."""

    pools: Sequence[Any] = ()
    outage: Outage | None = None

    def __init__(self, choose: Callable[[EngineQuestion], str] | None = None) -> None:
        self.choose = choose  # a stand-in for the engine
        self._asked: dict[str, tuple[MatchData, int | None]] = {}  # by who waits
        self._moves = 0  # moves that are looked for

    async def choose_move(
        self, question: EngineQuestion, *, hint: bool = False, key: str | None = None
    ) -> str:
        """A move."""
        with self._waiting(key, question.match, question.level):
            await pause()  # the answer to the request before goes out first
            return self.choose(question) if self.choose else await choose_move(question)

    async def accepts_stop(self, match: MatchData, seat: int, *, key: str | None = None) -> bool:
        """Whether the engine in a seat agrees to stop."""
        with self._waiting(key, match, None):
            await pause()
            return await accepts_stop(match, seat)

    async def run(self, do: Callable[..., T], *about: object) -> T:
        """What `do` answers."""
        await self._give_way()
        return do(*about)

    async def think(
        self, match: MatchData, *, lines: int = 3, seconds: float | None = None
    ) -> AsyncGenerator[AnalysisReport, None]:
        """Deepening reports, until a limit or until nothing can change."""
        last: AnalysisReport | None = None
        async for found in search_slices(match, lines):
            report = end_after(found, seconds)
            if last is None or report.done or report.depth > last.depth:
                last = report
                yield report
            if report.done:
                return
            await self._give_way()

    async def think_whole(self, do: Callable[..., T | None], *about: object) -> T:
        """What `do` answers at last, asked slice by slice with the name of its session."""
        session = secrets.token_hex(8)
        while True:
            await self._give_way()
            if (found := do(session, *about)) is not None:
                return found

    async def _give_way(self) -> None:
        await pause()
        while self._moves:
            await asyncio.sleep(WAIT_SECONDS)

    @contextmanager
    def _waiting(self, key: str | None, match: MatchData, level: int | None) -> Iterator[None]:
        asked = (match, level)
        if key is not None:
            self._asked[key] = asked
        self._moves += 1
        try:
            yield
        finally:
            self._moves -= 1
            if key is not None and self._asked.get(key) is asked:
                del self._asked[key]

    async def expect(self, game: Game[Any]) -> None:
        """Nothing is loaded ahead: a page has one thread."""

    def activity(self, key: str) -> EngineActivity | None:
        """What the engine does that somebody waits for; None if they have asked for nothing."""
        if (asked := self._asked.get(key)) is None:
            return None
        match, number = asked
        level = None if number is None else level_by_number(number, match.rules().form_id)
        return EngineActivity(level, number, 0)

    async def start(self) -> None:
        """It is there."""

    def close(self) -> None:
        """There is nothing to let go."""
