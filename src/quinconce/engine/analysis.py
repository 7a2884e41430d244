"""What the engine thinks of a match: deepening results until a limit, a stop, or a proof."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.engine.limits import DEFAULT_TABLE_MEGABYTES, Limits, check_lines_and_threads

if TYPE_CHECKING:
    from quinconce.engine.position_search import PositionSearch
    from quinconce.engine.principal_variation import Line


@dataclass(frozen=True)
class Analysis:
    """What a search to some depth found: its lines, the best first."""

    depth: int  # plies that were searched whole
    nodes: int
    seconds: float
    lines: tuple[Line, ...]

    @property
    def best(self) -> str:
        """The move to play."""
        return self.lines[0].moves[0]


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
    """
    if match.outcome():
        raise ValueError(_("the game is over: there is nothing to search"))
    check_lines_and_threads(lines, threads)
    return analysis_results(match, Limits(seconds, nodes, depth, threads, memory), lines)


def analysis_results(match: Match[Any], limits: Limits, lines: int) -> Iterator[Analysis]:
    """The results of a search that knows what is proved."""
    from quinconce.engine.preparation import new_search  # Numba is slow to load

    yield from iterative_deepening(new_search(match, limits, use_proofs=True), lines)


def run_search(search: PositionSearch, most_seconds: float | None = None) -> str:
    """The best move once the nodes are used up, a depth is reached or nothing can change.

    After so many seconds it is stopped, if it has finished the first depth.
    """
    with ExitStack() as at_last:
        if most_seconds is not None:
            timer = threading.Timer(most_seconds, search.stop)
            timer.daemon = True
            timer.start()
            at_last.callback(timer.cancel)
        while search.deepen(1) and not search.limits.is_reached(search):
            pass
    return search.root_moves[0].text


def iterative_deepening(search: PositionSearch, lines: int) -> Iterator[Analysis]:
    """Search in a thread of its own, and hand on what it finds."""
    results: ResultQueue = queue.SimpleQueue()

    def snapshot() -> Analysis:
        depth, spent = max(1, search.depth_reached), time.monotonic() - search.started
        return Analysis(depth, search.nodes, spent, search.lines(lines))

    def deepen_until_done() -> None:
        try:
            while search.deepen(lines) and not search.limits.is_reached(search, lines):
                results.put(snapshot())
            results.put(snapshot())
        except BaseException as error:
            results.put(error)
        finally:
            results.put(None)

    search.started = time.monotonic()  # what was made ready before is no time to think
    worker = threading.Thread(target=deepen_until_done, daemon=True)
    worker.start()
    try:
        yield from results_in_time(results, search)
    finally:
        search.stop()
        worker.join()


def results_in_time(results: ResultQueue, search: PositionSearch) -> Iterator[Analysis]:
    """What a worker finds, as it comes; when the time is over it is stopped and has to finish."""
    stopped = False
    while True:
        left = None if stopped else search.limits.seconds_left(search.started)
        try:
            found = results.get(timeout=left)
        except queue.Empty:
            search.stop()
            stopped = True
            continue
        if found is None:
            return
        if isinstance(found, BaseException):
            raise found
        yield found
