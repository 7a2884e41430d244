"""A long search in slices: it stops after some milliseconds, and goes on when asked.

Between two slices it keeps its table or its tree, so that next to nothing is lost.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from quinconce.core.game import Game
from quinconce.core.match import LAST_OCCURRENCE, Match
from quinconce.engine.analysis import HAS_THREADS, Analysis
from quinconce.engine.limits import Limits
from quinconce.engine.scores import expected_score, is_endgame_score

if TYPE_CHECKING:
    from quinconce.engine.position_search import PositionSearch
    from quinconce.engine.principal_variation import Line

SLICE_MEGABYTES: Final = 16.0  # of a table: many searches are under way at once
SEARCH_SHARE: Final = 0.75  # of a slice; the rest is for making a report
LEAST_ANSWER_SECONDS: Final = 0.02  # for that, however late the machine lets the search stop
NODES_A_SECOND: Final = 1_500_000  # of a search in a page, about
SHOWN_PLIES: Final = 20  # of a line that is not proved


@dataclass(frozen=True)
class ReportLine:
    """A continuation of the match, as plain data: what to expect of it, and what is proved."""

    moves: tuple[str, ...]
    score: float  # what the player to move may expect, from 0 to 1
    value: str | None = None  # "win", "draw" or "loss" for the player to move, where it is proved
    plies: int | None = None  # from here to the end, where that is proved too


@dataclass(frozen=True)
class AnalysisReport:
    """What a search has found so far, the best line first; without lines it has not begun."""

    depth: int  # plies that were searched whole
    nodes: int
    seconds: float  # spent on it
    lines: tuple[ReportLine, ...]
    done: bool  # whether it ends here: at a limit, or because nothing can change any more


NOTHING_YET: Final = AnalysisReport(0, 0, 0.0, (), done=False)


class SlicedSearch:
    """The search of one position, slice by slice. To be made off any thread that is in a hurry."""

    def __init__(
        self,
        match: Match[Any],
        *,
        lines: int = 1,
        nodes: int | None = None,
        memory: float = SLICE_MEGABYTES,
        use_proofs: bool = True,
    ) -> None:
        from quinconce.engine.preparation import new_search  # compiled code is slow to load

        self.game = match.game
        self.may_repeat = may_repeat(match)
        self.line_count = lines
        limits = Limits(nodes=nodes, memory=memory)
        self.search = new_search(match, limits, use_proofs=use_proofs)
        self.found: tuple[Line, ...] = ()
        self.report = NOTHING_YET

    @property
    def analysis(self) -> Analysis:
        """What was found at last, as a search without slices tells it."""
        report = self.report
        shares = self.search.side_shares()
        return Analysis(report.depth, report.nodes, report.seconds, self.found, shares)

    def run(self, seconds: float, nodes: int | None = None) -> AnalysisReport:
        """Search for a slice, of some time and perhaps of some nodes; returns what is known.

        Where nothing can stop it by the clock, the time is counted in nodes.
        """
        started, search = time.monotonic(), self.search
        if nodes is None and not HAS_THREADS:
            nodes = int(seconds * NODES_A_SECOND)
        if self.report.done:
            return self.report
        search.resume(nodes)
        before = search.depth_reached
        with stop_after(search, SEARCH_SHARE * seconds):
            done = search.deepen_until_done(self.line_count)
        search.resume()
        done = done or search.is_final(self.line_count) or search.nodes >= search.limits.max_nodes
        lines = self.report.lines
        if search.depth_reached > before or done or not lines:
            left = started + seconds - time.monotonic()
            with stop_after(search, max(LEAST_ANSWER_SECONDS, left)):
                self.found = search.lines(self.line_count)
            lines = tuple(report_line(self.game, line, self.may_repeat) for line in self.found)
        self.report = AnalysisReport(
            max(1, search.depth_reached),
            search.nodes,
            self.report.seconds + time.monotonic() - started,
            lines,
            done,
        )
        return self.report


def report_line(game: Game[Any], line: Line, may_repeat: bool) -> ReportLine:
    """A line as plain data; `may_repeat` where a position could come for the third time."""
    moves = line.moves if line.value else line.moves[:SHOWN_PLIES]
    # Tables of endings know nothing of repetitions, and a third one may come before a capture.
    doubtful = may_repeat and is_endgame_score(line.score)
    value = None if doubtful else line.value
    return ReportLine(moves, expected_score(game, line), value, line.plies)


def may_repeat(match: Match[Any]) -> bool:
    """Whether a position of the match would end it if it came again."""
    return max(Counter(match.positions).values()) >= LAST_OCCURRENCE


@contextmanager
def stop_after(search: PositionSearch, seconds: float) -> Iterator[None]:
    """Stop a search in the block after some seconds; the first depth it finishes.

    Without threads nothing stops it but the nodes of a slice.
    """
    if not HAS_THREADS:
        yield
        return
    timer = threading.Timer(seconds, search.stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # so that it does not stop the next slice


def bytes_in_use() -> int:
    """The memory of modules that searches and questions of this process use; none if native."""
    from quinconce.kernels.webassembly import search_pool  # compiled code is slow to load

    return search_pool.used_bytes


def end_after(report: AnalysisReport, seconds: float | None) -> AnalysisReport:
    """The report, which is the last one if the search has taken that long."""
    return replace(report, done=report.done or (seconds is not None and report.seconds >= seconds))
