"""What the engine thinks of a match: deepening results until a limit, a stop, or a proof."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.engine.limits import DEFAULT_TABLE_MEGABYTES, Limits, check_lines_and_threads

if TYPE_CHECKING:
    from quinconce.engine.position_search import PositionSearch
    from quinconce.engine.principal_variation import Line


@dataclass(frozen=True)
class Analysis:
    """What a search to some depth found: its lines, the best first.

    >>> from quinconce import Match, game
    >>> *_earlier, last = analyse(Match(game("buts")), depth=2)
    >>> last.depth, last.best == last.lines[0].moves[0]
    (2, True)
    """

    depth: int  # plies that were searched whole
    nodes: int
    seconds: float
    lines: tuple[Line, ...]
    shares: tuple[float, ...] = ()  # that each side may expect, among more than two sides

    @property
    def best(self) -> str:
        """The move to play."""
        return self.lines[0].moves[0]


HAS_THREADS: Final = sys.platform != "emscripten"  # a page starts none
LEAST_DEPTH: Final = 2  # plies that a search should have finished, however busy the machine is
GRACE_SECONDS: Final = 0.05  # at most that it is given for them beyond its time
GRACE_SHARE: Final = 0.5  # and no more than this part of its time
ANSWER_SECONDS: Final = 0.03  # that a stopped search has for its last result
ResultQueue = queue.SimpleQueue[Analysis | BaseException | None]


def analyse(
    match: Match[Any],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    lines: int = 1,
    threads: int = 1,
    memory: float = DEFAULT_TABLE_MEGABYTES,
) -> Iterator[Analysis]:
    """Deepening results until a limit is reached or nothing can change any more; the last is final.

    What cannot be analysed is refused at once; the engine is prepared when the first result is
    asked for. Without a limit it goes on until the caller stops asking; closing the iterator stops
    it.

    >>> from quinconce import Match, game
    >>> [found.depth for found in analyse(Match(game("buts")), depth=3, lines=2)]
    [1, 2, 3]
    """
    if match.outcome():
        raise ValueError(_("the game is over: there is nothing to search"))
    check_lines_and_threads(lines, threads)
    return analysis_results(match, Limits(seconds, nodes, depth, threads, memory), lines)


def analysis_results(match: Match[Any], limits: Limits, lines: int) -> Iterator[Analysis]:
    """The results of a search that knows what is proved."""
    from quinconce.engine.preparation import new_search  # compiled code is slow to load

    yield from iterative_deepening(new_search(match, limits, use_proofs=True), lines)


def run_search(search: PositionSearch, lines: int = 1) -> str:
    """The best move once the nodes are used up, a depth is reached or nothing can change."""
    search.deepen_until_done(lines)
    return search.root_moves[0].text


def results_by_depth(search: PositionSearch, lines: int) -> Iterator[Analysis]:
    """What a search finds, depth by depth; what was made ready before is no time to think."""
    search.started = time.monotonic()
    going_on = True
    while going_on:
        going_on = search.deepen(lines) and not search.limits.is_reached(search, lines)
        depth, spent = max(1, search.depth_reached), time.monotonic() - search.started
        yield Analysis(depth, search.nodes, spent, search.lines(lines), search.side_shares())


def iterative_deepening(search: PositionSearch, lines: int) -> Iterator[Analysis]:
    """Search in a thread of its own where there are threads, and hand on what it finds."""
    if not HAS_THREADS:
        yield from results_by_depth(search, lines)
        return
    results: ResultQueue = queue.SimpleQueue()

    def deepen_until_done() -> None:
        try:
            for found in results_by_depth(search, lines):
                results.put(found)
        except BaseException as error:
            results.put(error)
        finally:
            results.put(None)

    search.started = time.monotonic()
    worker = threading.Thread(target=deepen_until_done, daemon=True)
    worker.start()
    overdue = False
    try:
        overdue = yield from results_in_time(results, search)
    finally:
        search.stop()
        if not overdue:
            worker.join()


def results_in_time(
    results: ResultQueue, search: PositionSearch
) -> Generator[Analysis, None, bool]:
    """What a worker finds, as it comes; when the time is over it is stopped.

    On a busy machine it may not notice for a while: then its results before that stand. Returns
    whether it is still under way.
    """
    answered = stopped = False
    grace = shallow_grace(search)
    while True:
        left = search.limits.seconds_left(search.started)
        if stopped:  # the first depth is waited for
            left = ANSWER_SECONDS if answered else None
        elif left is not None and search.depth_reached < LEAST_DEPTH:
            left = search.limits.seconds_left(search.started + grace)
        try:
            found = results.get(timeout=left)
        except queue.Empty:
            if stopped:
                return True
            search.stop()
            stopped = True
            continue
        if found is None:
            return False
        if isinstance(found, BaseException):
            raise found
        answered = True
        yield found


def shallow_grace(search: PositionSearch) -> float:
    """The seconds that a search is given beyond its time to finish LEAST_DEPTH."""
    return min(GRACE_SECONDS, GRACE_SHARE * (search.limits.seconds or 0.0))
