"""A search in slices: it goes on where it was, and loses next to nothing."""

from __future__ import annotations

from typing import Any

import pytest

from quinconce.core.match import Match, replay
from quinconce.core.registry import game
from quinconce.engine.limits import Limits
from quinconce.engine.preparation import new_search
from quinconce.engine.slices import AnalysisReport, SlicedSearch

LONG = 600.0  # seconds: nodes end these slices, so that they are the same on every machine
BUTS = replay(game("buts"), None, ["G2-G1", "B1-A1"])
FOUR_SIDES = Match(game("diam", edition="1997", players="4"))


def whole_search(match: Match[Any], depth: int) -> Any:
    """A search that is never stopped, to a depth."""
    search = new_search(match, Limits(memory=16), use_proofs=True)
    while search.depth_reached < depth:
        assert search.deepen(3)
    return search


def test_a_depth_that_was_stopped_again_and_again_is_finished_and_costs_little() -> None:
    whole = whole_search(BUTS, 6)
    sliced = SlicedSearch(BUTS, lines=3)
    reports: list[AnalysisReport] = []
    while not reports or reports[-1].depth < 6:
        reports.append(sliced.run(LONG, nodes=10_000))
        assert len(reports) < 200
    depths = [report.depth for report in reports]
    assert depths == sorted(depths)
    assert max(map(depths.count, depths)) > 3  # some depth was stopped more than once
    assert reports[-1].nodes < 2 * whole.nodes
    assert [line.moves[0] for line in reports[-1].lines] == [
        line.moves[0] for line in whole.lines(3)
    ]
    assert not reports[-1].done


def test_among_several_sides_slices_grow_the_very_same_tree() -> None:
    whole = whole_search(FOUR_SIDES, 5)
    sliced = SlicedSearch(FOUR_SIDES, lines=3, nodes=whole.nodes)
    report = sliced.run(LONG, nodes=300)
    while not report.done:
        before, report = report.nodes, sliced.run(LONG, nodes=300)
        assert 0 < report.nodes - before <= 300
    assert (report.nodes, report.depth) == (whole.nodes, 5)
    assert [line.moves for line in report.lines] == [line.moves for line in whole.lines(3)]


@pytest.mark.parametrize("nodes", [1, 7, 5000])
def test_a_thought_ends_at_its_nodes(nodes: int) -> None:
    sliced = SlicedSearch(BUTS, lines=1, nodes=nodes)
    report = sliced.run(LONG)
    assert report.done
    assert report.lines
    assert sliced.run(LONG) is report


def test_a_slice_ends_by_its_time() -> None:
    sliced = SlicedSearch(BUTS, lines=3)
    report = sliced.run(0.001)
    assert (report.done, len(report.lines)) == (False, 3)
    again = sliced.run(0.02)
    assert again.nodes > report.nodes
    assert 0 < report.seconds < again.seconds
