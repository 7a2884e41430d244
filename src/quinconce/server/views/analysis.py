"""What a stream tells of an analysis: its state, its lines, and all of it in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _
from quinconce.engine.slices import AnalysisReport, ReportLine
from quinconce.words import Voice
from quinconce.words.proven import value_phrase

# It waits until what is proved is loaded; thinks; has ended; another page of the same visitor has
# taken its place; the server stops; it failed.
AnalysisState = Literal["preparing", "thinking", "done", "replaced", "bye", "failed"]


class LineView(Struct, frozen=True):
    """A way the match may go on, as the player to move sees it."""

    score: float  # what may be expected, from 0 to 1
    value: str | None  # win, draw or loss
    proven: bool
    plies: int | None  # to the end, where that is proved too
    moves: list[str]
    words: str


class AnalysisView(Struct, frozen=True):
    """What is known so far; the last of a stream is done."""

    state: AnalysisState
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    lines: list[LineView] = []
    done: bool = False
    share: float | None = None  # always null: an engine need not be prepared
    words: str | None = None  # what there is to say beside the lines
    code: str | None = None  # of an error


def report_view(match: Match[Any], report: AnalysisReport, say: Voice) -> AnalysisView:
    """A report for somebody."""
    if not report.lines:
        loading = _("What is proved of {game} is being loaded.", game=match.game.title)
        return AnalysisView("preparing", words=say(loading))
    return AnalysisView(
        "done" if report.done else "thinking",
        report.depth,
        report.nodes,
        round(report.seconds, 3),
        line_views(match, report.lines, say),
        report.done,
    )


def line_view(match: Match[Any], line: ReportLine, say: Voice) -> LineView:
    """A line, with words for what its first move is worth."""
    words = say(line_phrase(match, line))
    score, proven = round(line.score, 4), line.value is not None
    return LineView(score, line.value, proven, line.plies, list(line.moves), words)


def line_phrase(match: Match[Any], line: ReportLine) -> Phrase:
    """What a move is worth: proved, or what may be expected of it."""
    if line.value:
        return value_phrase(match.game, match.position, line.value, line.plies)
    return _("expected score {n} %", n=round(100 * line.score))


def line_views(match: Match[Any], lines: Iterable[ReportLine], say: Voice) -> list[LineView]:
    """Lines for somebody."""
    return [line_view(match, line, say) for line in lines]
