"""The report of a position, made in slices: others have their turn between two of them."""

from __future__ import annotations

from typing import Any, Final

from quinconce.core.match import Match
from quinconce.engine.slices import SlicedSearch
from quinconce.study.review import (
    REPORT_LINES,
    USUAL_NODES,
    PositionReport,
    report_from_analysis,
    report_of_end,
    search_nodes,
)


class SlicedReport:
    """What `report_position` finds, slice by slice. To be made off any thread in a hurry."""

    def __init__(self, match: Match[Any], nodes: int = USUAL_NODES) -> None:
        from quinconce.engine.proven_scores import is_partly_proved  # Numba is slow to load

        self.match: Final = match.copy()
        self.search = self.alone = None
        nodes = search_nodes(match, nodes)
        if not match.outcome():
            self.search = SlicedSearch(match, lines=REPORT_LINES, nodes=nodes)
            if is_partly_proved(match):
                self.alone = SlicedSearch(match, nodes=nodes, use_proofs=False)

    def run(self, seconds: float) -> PositionReport | None:
        """Search for a slice; the report, once the search is done."""
        if self.search is None:
            return report_of_end(self.match)
        searches = [search for search in (self.search, self.alone) if search]
        for search in searches:
            if not search.report.done:
                search.run(seconds)
                break
        if not all(search.report.done for search in searches):
            return None
        estimate = self.alone.report.lines[0].score if self.alone else None
        return report_from_analysis(self.match, self.search.analysis, estimate)
