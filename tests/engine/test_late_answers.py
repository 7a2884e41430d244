"""A search on a machine that has no time for it: its answer comes, and has two plies behind it."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from moves import match_after
from stopped_searches import stop_at_depth
from waiting import PATIENCE, until

from quinconce.engine import analyse, analysis
from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.limits import Limits


def test_a_search_that_does_not_come_back_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answered, waited = threading.Event(), threading.Event()
    deepen = AlphaBetaSearch.deepen

    def stuck(search: AlphaBetaSearch, lines: int) -> bool:
        if search.depth == 2 and not answered.wait(PATIENCE):
            waited.set()
        return deepen(search, lines)

    monkeypatch.setattr(AlphaBetaSearch, "deepen", stuck)
    monkeypatch.setattr(analysis, "shallow_grace", lambda search: PATIENCE)
    *_earlier, last = analyse(match_after("buts"), seconds=0.01)
    answered.set()
    assert last.depth == 2
    assert not waited.is_set()


def test_the_first_depth_is_waited_for_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the time to answer is over before it begins."""
    monkeypatch.setattr(analysis, "ANSWER_SECONDS", 0.0)
    stop_at_depth(monkeypatch, 0)
    *_earlier, last = analyse(match_after("buts"), seconds=0.001)
    assert last.depth == 1
    assert last.nodes > 0


def test_a_short_search_is_given_a_little_more_for_the_second_depth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deepen = AlphaBetaSearch.deepen

    def slow(search: AlphaBetaSearch, lines: int) -> bool:
        if search.depth < analysis.LEAST_DEPTH:
            until(lambda: not search.limits.seconds_left(search.started))
        return deepen(search, lines)

    monkeypatch.setattr(AlphaBetaSearch, "deepen", slow)
    monkeypatch.setattr(analysis, "shallow_grace", lambda search: PATIENCE)
    *_earlier, last = analyse(match_after("buts"), seconds=0.01)
    assert last.depth >= analysis.LEAST_DEPTH


@pytest.mark.parametrize(("seconds", "grace"), [(0.1, 0.05), (0.02, 0.01), (10, 0.05), (None, 0)])
def test_it_is_a_part_of_its_time_and_never_much(seconds: float | None, grace: float) -> None:
    search: Any = SimpleNamespace(limits=Limits(seconds=seconds))
    assert analysis.shallow_grace(search) == pytest.approx(grace)
