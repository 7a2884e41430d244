"""The report of a position of a review that a page has searched by itself."""

from __future__ import annotations

from typing import Any, NamedTuple

from quinconce.core.match import Match
from quinconce.engine.analysis import Analysis
from quinconce.engine.limits import Limits
from quinconce.engine.page_search import FoundLine, read_lines
from quinconce.engine.principal_variation import Line
from quinconce.engine.slices import SLICE_MEGABYTES
from quinconce.engine.transpositions import table_rows
from quinconce.study.lookahead import SEEN_LIMITS, SEEN_PLIES, seen_shares
from quinconce.study.review import (
    REPORT_LINES,
    USUAL_NODES,
    PositionReport,
    report_from_analysis,
)


class PageFindings(NamedTuple):
    """What a page has found by the searches of `search_plan`."""

    depth: int
    lines: tuple[FoundLine, ...]  # the best first
    seen: tuple[int, ...]  # the scores of searches of 1, 2, … plies


class SearchedPosition(NamedTuple):
    """The same in the words of the rules."""

    depth: int
    lines: tuple[Line, ...]
    seen: tuple[int, ...]


def search_plan() -> dict[str, int]:
    """What a page is to search for the report of a position: what a server does, without proofs."""
    limits = Limits(nodes=USUAL_NODES, memory=SLICE_MEGABYTES)
    return {
        "lines": REPORT_LINES,
        "nodes": USUAL_NODES,
        "table_rows": table_rows(limits.table_megabytes),
        "seen_plies": SEEN_PLIES,
        "seen_nodes": SEEN_LIMITS.max_nodes,
        "seen_table_rows": table_rows(SEEN_LIMITS.table_megabytes),
    }


def read_findings(match: Match[Any], found: PageFindings) -> SearchedPosition | None:
    """What a page has found; ValueError if it is nonsense, None where there is no such search."""
    if match.outcome() or len(match.game.sides) > 2:
        return None
    lines = read_lines(match, found.depth, found.lines)
    return SearchedPosition(found.depth, tuple(lines), found.seen)


def report_searched(match: Match[Any], searched: SearchedPosition) -> PositionReport | None:
    """The report by what a page has found; None where proofs know more than such a search."""
    from quinconce.engine.solved import (  # tables and certificates are slow to load
        move_oracle,
        oracle_values,
        wait_for_endgames,
    )

    oracle = move_oracle(match.game)
    if (oracle and oracle_values(match, oracle)) or wait_for_endgames(match):
        return None
    found = Analysis(searched.depth, USUAL_NODES, 0.0, searched.lines)
    return report_from_analysis(match, found, seen=seen_shares(match.game, searched.seen))
