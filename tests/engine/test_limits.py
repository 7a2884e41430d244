"""How long and how much the engine thinks."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from quinconce import Match, game
from quinconce.engine import analyse
from quinconce.engine import limits as module
from quinconce.engine.limits import DEFAULT_TABLE_MEGABYTES, UNLIMITED_NODES, Limits
from quinconce.engine.workspace import MAX_PLY


def searched(depth: int, final: bool = False) -> Any:
    """A search that has come so deep."""
    return SimpleNamespace(depth=depth, is_final=lambda lines: final)


def test_what_is_not_limited_has_no_end() -> None:
    limits = Limits()
    assert limits.max_nodes == limits.max_nodes_per_thread == UNLIMITED_NODES
    assert limits.table_megabytes == DEFAULT_TABLE_MEGABYTES
    assert limits.seconds_left(-1e6) is None
    assert not limits.is_reached(searched(MAX_PLY))


def test_limits_are_a_value() -> None:
    assert {Limits(nodes=5), replace(Limits(nodes=9), nodes=5)} == {Limits(nodes=5)}


@pytest.mark.parametrize("threads", [0, -1])
def test_a_search_needs_a_thread(threads: int) -> None:
    with pytest.raises(ValueError, match="at least one line and one thread are needed"):
        Limits(threads=threads)


def test_threads_share_the_nodes_and_each_has_one_at_least() -> None:
    assert Limits(nodes=1001, threads=2).max_nodes_per_thread == 500
    assert Limits(nodes=1001, threads=2).max_nodes == 1001
    assert Limits(nodes=1, threads=2).max_nodes_per_thread == 1
    assert Limits(nodes=0).max_nodes == 1


@pytest.mark.parametrize("nodes", [math.inf, 1e30, 1 << 63])
def test_no_number_of_nodes_is_beyond_what_compiled_code_can_count(nodes: Any) -> None:
    for threads in (1, 2):
        limits = Limits(nodes=nodes, threads=threads)
        assert limits.max_nodes == UNLIMITED_NODES
        assert limits.max_nodes_per_thread == UNLIMITED_NODES // threads


def test_nodes_are_whole_numbers_for_compiled_code() -> None:
    limits = Limits(nodes=1e3)  # type: ignore[arg-type]
    assert repr((limits.max_nodes, limits.max_nodes_per_thread)) == "(1000, 1000)"
    *_earlier, last = analyse(Match(game("buts")), nodes=1e3)  # type: ignore[arg-type]
    assert last.nodes <= 1000


@pytest.mark.parametrize("seconds", [math.inf, 1e300])
def test_time_without_end_is_time_enough(seconds: float) -> None:
    *_earlier, last = analyse(Match(game("buts")), seconds=seconds, depth=2)
    assert last.depth == 2


def test_a_table_is_no_larger_than_the_nodes_can_fill() -> None:
    assert Limits(nodes=1 << 20, memory=100).table_megabytes == 64
    assert Limits(nodes=1 << 20, threads=2, memory=100).table_megabytes == 32
    assert Limits(nodes=1 << 20, memory=10).table_megabytes == 10


def test_the_time_runs_from_the_start_of_the_search_and_is_never_negative(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: 100))
    limits = Limits(seconds=10)
    assert limits.seconds_left(96) == 6
    assert limits.seconds_left(60) == 0


@pytest.mark.parametrize(
    ("depth", "searched_depth", "final", "reached"),
    [
        (3, 2, False, False),
        (3, 3, False, True),
        (3, 4, False, True),
        (0, 1, False, True),
        (3, 1, True, True),
        (None, 40, False, False),
        (None, 1, True, True),
    ],
)
def test_a_search_deepens_to_its_depth_or_until_nothing_can_change(
    depth: int | None, searched_depth: int, final: bool, reached: bool
) -> None:
    assert Limits(depth=depth).is_reached(searched(searched_depth, final)) == reached


def test_a_table_is_no_larger_than_the_time_can_fill() -> None:
    short, shared = Limits(seconds=0.1), Limits(seconds=0.1, threads=2)
    assert 8 < short.table_megabytes < 32
    assert shared.table_megabytes == pytest.approx(2 * short.table_megabytes)
    assert Limits(seconds=1).table_megabytes == DEFAULT_TABLE_MEGABYTES
    assert Limits(seconds=1, nodes=1 << 10).table_megabytes == Limits(nodes=1 << 10).table_megabytes
