"""The report of a position, made in slices: others have their turn between two of them."""

from __future__ import annotations

from typing import Any

from quinconce.core.match import Match
from quinconce.engine.slices import SlicedSearch
from quinconce.study.review import (
    USUAL_NODES,
    PositionReport,
    report_from_analysis,
    report_position,
)

LINES = 2  # the best move, and the next best one


class SlicedReport:
    """What `report_position` finds, slice by slice. To be made off any thread in a hurry."""

    def __init__(self, match: Match[Any], nodes: int = USUAL_NODES) -> None:
        self.match = match
        self.search = None if match.outcome() else SlicedSearch(match, lines=LINES, nodes=nodes)

    def run(self, seconds: float) -> PositionReport | None:
        """Search for a slice; the report, once the search is done."""
        if self.search is None:
            return report_position(self.match)
        if not self.search.run(seconds).done:
            return None
        from quinconce.engine.solved import proved_moves  # Numba is slow to load

        return report_from_analysis(self.match, self.search.analysis, proved_moves(self.match))
