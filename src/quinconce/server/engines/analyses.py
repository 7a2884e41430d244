"""The analyses that visitors have open: at most one each; finished answers are cached."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final, Literal, NamedTuple

from quinconce.core.game import PASS
from quinconce.core.match import Match, MatchData
from quinconce.core.phrase import Phrase, _
from quinconce.engine.slices import AnalysisReport
from quinconce.server.caches import BoundedCache
from quinconce.server.engines.fair_play import Subject
from quinconce.server.engines.service import EngineService
from quinconce.server.matches.guarded_positions import Line
from quinconce.server.refusals import RefusalError, TooManyAnalysesError
from quinconce.server.security.rate_limits import people_at
from quinconce.server.settings import ServerLimits

MAX_KEPT_REPORTS: Final = 2000  # of some kilobytes each
LOOK_SECONDS: Final = 5.0  # between two looks whether people play what is analysed
# A search that had less of the time of an analysis than this, because others searched too, is not
# as deep as another would come.
LEAST_SHARE: Final = 0.5


class Visitor(NamedTuple):
    """Who analyses: an address, and what a page there calls itself; a program need not."""

    address: str
    page: str = ""


class AnalysisQuestion(NamedTuple):
    """What is analysed, as plain data, and the name under which its answer is kept."""

    match: MatchData
    lines: int
    position_key: str
    subject: Subject

    @classmethod
    def of(cls, match: Match[Any], lines: int, origin: str | None) -> AnalysisQuestion:
        """The question about a match, from which it comes; it takes a while for a long one."""
        subject = Subject(match=origin, line=Line.of(match))
        return cls(MatchData.of(match), lines, position_key(match, lines), subject)


def position_key(match: Match[Any], lines: int) -> str:
    """Names a position with all that its value may depend on: how often which position occurred.

    Two lines that met the same positions in another order have one key.
    """
    passes = sum(1 for _pass in takewhile(lambda text: text == PASS, reversed(match.moves)))
    seen = sorted(f"{tuple(place)} {times}" for place, times in Counter(match.positions).items())
    known = (match.game.form_id, lines, tuple(match.position), match.quiet, passes, seen)
    return hashlib.sha256(repr(known).encode()).hexdigest()


class Ending(NamedTuple):
    """Why an analysis ends before it is done."""

    state: Literal["replaced", "bye", "failed"]
    phrase: Phrase | None = None
    code: str | None = None


REPLACED: Final = Ending("replaced", _("Another page of yours analyses now."))
BYE: Final = Ending("bye")  # the server stops


def ending_by(refusal: RefusalError) -> Ending:
    """The ending that a refusal makes."""
    return Ending("failed", refusal.phrase, refusal.code)


class OpenAnalysis:
    """An analysis that a visitor has open."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.ended: Ending | None = None  # why there is no more to tell
        self._report: AnalysisReport | None = None  # what was not read yet
        self._news = asyncio.Event()
        self._read = asyncio.Event()
        self._read.set()

    def end(self, why: Ending) -> None:
        """Tell the reader that nothing more comes."""
        self.ended = self.ended or why
        self._news.set()

    async def tell(self, report: AnalysisReport) -> None:
        """Tell the reader something; if they have not read the last report, wait until they do."""
        await self._read.wait()
        self._read.clear()
        self._report = report
        self._news.set()

    async def read(self, patience: float) -> AnalysisReport | None:
        """The next report; None if there is none within some seconds, or none will come."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._news.wait()
        self._news.clear()
        report, self._report = self._report, None
        self._read.set()
        return report


class Analyses:
    """All analyses of a server."""

    def __init__(self, limits: ServerLimits, engines: EngineService) -> None:
        self.limits = limits
        self.engines = engines
        self.open: dict[Visitor, OpenAnalysis] = {}
        self.reports: BoundedCache[str, AnalysisReport] = BoundedCache(MAX_KEPT_REPORTS)

    def check(self, visitor: Visitor) -> None:
        """TooManyAnalysesError if this visitor may not open one; a second replaces the first."""
        own = self._open_at(visitor.address) - (visitor in self.open)
        most = self.limits.analyses_per_address * people_at(visitor.address)
        if own >= most or (self._is_full(visitor) and self._replaceable(visitor) is None):
            raise TooManyAnalysesError

    def _open_at(self, address: str) -> int:
        return sum(other.address == address for other in self.open)

    def _is_full(self, visitor: Visitor) -> bool:
        return len(self.open) - (visitor in self.open) >= self.limits.total_analyses

    def _replaceable(self, visitor: Visitor) -> Visitor | None:
        """The last visitor of the address that has most, if that is more than its part."""

        def part(other: Visitor) -> float:
            return self._open_at(other.address) / people_at(other.address)

        others = [other for other in self.open if other.address != visitor.address]
        largest = max(reversed(others), key=part, default=None)
        own = self._open_at(visitor.address) + 1
        if largest is None or self._open_at(largest.address) <= own:
            return None
        return largest if part(largest) > own / people_at(visitor.address) else None

    @contextmanager
    def begin(self, visitor: Visitor) -> Iterator[OpenAnalysis]:
        """An analysis as long as the block lasts; the older one of the visitor ends.

        Where all are in use, one ends of the address that has more than its part.
        """
        if older := self.open.pop(visitor, None):
            older.end(REPLACED)
        self.check(visitor)
        if self._is_full(visitor) and (other := self._replaceable(visitor)):
            self.open.pop(other).end(ending_by(TooManyAnalysesError()))
        analysis = self.open[visitor] = OpenAnalysis(visitor)
        try:
            yield analysis
        finally:
            if self.open.get(visitor) is analysis:
                del self.open[visitor]

    def end_all(self) -> None:
        """The server stops."""
        for analysis in self.open.values():
            analysis.end(BYE)

    async def reports_of(
        self, analysis: OpenAnalysis, question: AnalysisQuestion, patience: float
    ) -> AsyncGenerator[AnalysisReport | None, None]:
        """Deepening reports, first what is kept of the position; None where none comes for a while.

        The last is done; without such a one, `analysis.ended` says why. FairPlayError once people
        are at what is analysed.
        """
        clock = asyncio.get_running_loop().time
        look_again = clock() + LOOK_SECONDS
        thinking = asyncio.create_task(self._think(analysis, question))
        try:
            done = False
            while not (done or analysis.ended):
                report = await analysis.read(patience)
                if clock() >= look_again:
                    await self.engines.fair_play.check(question.subject)
                    look_again = clock() + LOOK_SECONDS
                done = report is not None and report.done
                if report or not analysis.ended:
                    yield report
        finally:
            thinking.cancel()
            await asyncio.gather(thinking, return_exceptions=True)

    async def _think(self, analysis: OpenAnalysis, question: AnalysisQuestion) -> None:
        last = self.kept(question)
        try:
            if last:
                await analysis.tell(last)
                if last.done:
                    return
            seconds = self.limits.analysis_seconds
            with suppress(TimeoutError):
                found = self.engines.think(
                    question.match,
                    question.subject,
                    lines=question.lines,
                    seconds=seconds,
                )
                async with asyncio.timeout(seconds), aclosing(found):
                    async for report in found:
                        if last is None or report.done or report.depth > last.depth:
                            last = report
                            self.keep(question, report)
                            await analysis.tell(report)
                    return
            if last and last.lines:
                await analysis.tell(replace(last, done=True))
                if last.seconds >= LEAST_SHARE * seconds:
                    self.keep(question, replace(last, done=True))
            else:
                analysis.end(ending_by(TooManyAnalysesError()))
        except RefusalError as refusal:
            analysis.end(ending_by(refusal))
        except Exception:
            analysis.end(BYE)
            raise

    def kept(self, question: AnalysisQuestion) -> AnalysisReport | None:
        """The deepest report on a position that is kept."""
        return self.reports.get(question.position_key)

    def keep(self, question: AnalysisQuestion, report: AnalysisReport) -> None:
        """Keep a report, unless a deeper one is there."""
        known = self.reports.get(question.position_key)
        if report.lines and (known is None or report.done or report.depth > known.depth):
            self.reports[question.position_key] = report
