"""What workers run, here or elsewhere, of a long thought: a slice of it, and forgetting it.

A worker keeps the searches that it has begun by their names. Every slice comes with its question,
so that a worker who has forgotten it, or is new, begins again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from quinconce.core.match import MatchData
from quinconce.engine.slices import NOTHING_YET, AnalysisReport

if TYPE_CHECKING:
    from quinconce.engine.slices import SlicedSearch
    from quinconce.study.review import SlicedReport

SLICE_SECONDS: Final = 0.08  # that a worker thinks before others have their turn: 100 ms at most
FIRST_SLICE_SECONDS: Final = 0.02  # so that many who come at once soon see something
MAX_SEARCHES: Final = (
    40  # that a worker keeps; of more, the one that was asked for longest ago goes
)
MAX_FORGOTTEN: Final = 1000  # names of searches that are not begun again


class ThoughtQuestion(NamedTuple):
    """What is thought about for long: a match, how many lines, and at most how many nodes."""

    id: str
    match: MatchData
    lines: int
    nodes: int | None = None

    def begin(self) -> SlicedSearch:
        """The search, made ready, however long that takes."""
        from quinconce.engine.slices import SlicedSearch

        return SlicedSearch(self.match.match(), lines=self.lines, nodes=self.nodes)


class ReportQuestion(NamedTuple):
    """A position of a match that is to be reviewed."""

    id: str
    match: MatchData

    def begin(self) -> SlicedReport:
        """The report, made ready to be searched for."""
        from quinconce.study.review import SlicedReport

        return SlicedReport(self.match.match())


Slicer = Callable[[ThoughtQuestion], AnalysisReport]

_lock: Final = threading.Lock()
_searches: OrderedDict[str, Future[Any]] = OrderedDict()
_forgotten: OrderedDict[str, None] = OrderedDict()


def think_slice(question: ThoughtQuestion) -> AnalysisReport:
    """Think on for a slice; without lines if what it needs is not loaded yet."""
    making = find_search(question)
    if making is None:
        return NOTHING_YET
    try:
        search: SlicedSearch = making.result(SLICE_SECONDS)
    except TimeoutError:
        return NOTHING_YET
    first = not search.report.lines
    return search.run(FIRST_SLICE_SECONDS if first else SLICE_SECONDS)


def report_slice(id_: str, match: MatchData) -> str | None:
    """Search on for the report of a position, for a slice; the report as JSON once it is done."""
    making = find_search(ReportQuestion(id_, match))
    if making is None:
        return None
    try:
        search: SlicedReport = making.result(SLICE_SECONDS)
    except TimeoutError:
        return None
    report = search.run(SLICE_SECONDS)
    return None if report is None else msgspec.json.encode(report.json()).decode()


def find_search(question: ThoughtQuestion | ReportQuestion) -> Future[Any] | None:
    """The search, which may just be made; None if nobody wants it any more."""
    with _lock:
        if question.id in _forgotten:
            return None
        if making := _searches.get(question.id):
            _searches.move_to_end(question.id)
            return making
        making = _searches[question.id] = Future()
        while len(_searches) > MAX_SEARCHES:
            _searches.popitem(last=False)
    # Proofs and endings may have to be loaded, which takes longer than a slice may.
    threading.Thread(target=make_search, args=(question, making), daemon=True).start()
    return making


def make_search(question: ThoughtQuestion | ReportQuestion, making: Future[Any]) -> None:
    """Make a search ready to begin, however long that takes."""
    try:
        made = question.begin()
    except BaseException as error:
        forget_thought(question.id, again=True)
        making.set_exception(error)
    else:
        making.set_result(made)


def forget_thought(id_: str, *, again: bool = False) -> None:
    """Let go of a search and its memory; it is not begun `again`, unless it may be."""
    with _lock:
        with suppress(KeyError):
            del _searches[id_]
        if not again:
            _forgotten[id_] = None
            while len(_forgotten) > MAX_FORGOTTEN:
                _forgotten.popitem(last=False)


def kept_thoughts() -> list[str]:
    """The names of the searches that are kept here."""
    with _lock:
        return list(_searches)
