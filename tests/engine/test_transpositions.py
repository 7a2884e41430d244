"""Memory of searches: handed on from one to the next, and never shared by two."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from moves import match_after

from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.analysis import run_search
from quinconce.engine.limits import DEFAULT_TABLE_MEGABYTES, Limits
from quinconce.engine.preparation import new_search
from quinconce.engine.transpositions import (
    BufferPool,
    acquire_table,
    fill_table_pool,
    new_table,
    table_pool,
    table_rows,
)
from quinconce.engine.workspace import acquire_thread_buffers
from quinconce.kernels.arrays import CACHE_LINE_BYTES, NativeArrays
from quinconce.kernels.kernel import kernel_for

ARRAYS = NativeArrays()


class Owner:
    """Somebody who borrows."""


def test_what_is_lent_comes_back_when_its_owner_is_gone() -> None:
    stock = BufferPool[str, list[int]](1)
    owner = Owner()
    lent = stock.acquire(owner, "a", lambda: [1])
    other = stock.acquire(owner, "a", lambda: [2])
    assert (lent, other) == ([1], [2])
    assert stock.free["a"] == []
    del owner
    gc.collect()
    assert len(stock.free["a"]) == 1, "no more of a kind are kept than were said"
    kept = stock.free["a"][0]
    assert stock.acquire(Owner(), "b", lambda: [3]) == [3]
    assert stock.acquire(Owner(), "a", lambda: [4]) is kept


def test_a_table_that_was_used_is_lent_empty() -> None:
    owner = Owner()
    table = acquire_table(owner, 0.5, ARRAYS)
    table.fill(7)
    address = table.ctypes.data
    del owner
    gc.collect()
    again = acquire_table(Owner(), 0.5, ARRAYS)
    assert again.ctypes.data == address
    assert not again.any()


def test_a_desk_that_was_used_is_lent_as_good_as_new() -> None:
    kernel = kernel_for(match_after("diadema").game)
    owner = Owner()
    desk = acquire_thread_buffers(owner, kernel, ARRAYS)
    for used in desk[2:]:
        used.fill(7)
    del owner
    gc.collect()
    again = acquire_thread_buffers(Owner(), kernel, ARRAYS)
    assert again[2] is desk[2]
    assert not any(used.any() for used in again[2:])


def test_a_pair_of_a_table_lies_in_one_line_of_the_cache() -> None:
    for megabytes in (0.001, 1, DEFAULT_TABLE_MEGABYTES):
        table = new_table(megabytes, ARRAYS)
        assert table.ctypes.data % CACHE_LINE_BYTES == 0
        assert table.shape == (table_rows(megabytes), 2)
        assert table.flags.c_contiguous
        assert not table.any()


def test_a_search_does_not_know_what_the_one_before_it_found() -> None:
    match = match_after("buts")
    nodes = []
    for _time in range(3):
        thought = new_search(match, Limits(depth=5))
        run_search(thought)
        nodes.append(thought.nodes)
        del thought
    assert len(set(nodes)) == 1


def test_searches_side_by_side_have_memory_of_their_own() -> None:
    match = match_after("buts")
    first, second = AlphaBetaSearch(match, Limits(threads=2)), AlphaBetaSearch(match)
    spaces = [*first.workspaces, *second.workspaces]
    assert not np.shares_memory(spaces[0].table, spaces[2].table)
    assert np.shares_memory(spaces[0].table, spaces[1].table)
    for field in ("rows", "ranks", "path", "killers", "nodes", "control"):
        owned = [getattr(space, field) for space in spaces]
        assert len({memory.ctypes.data for memory in owned}) == len(spaces), field


def test_memory_is_found_before_it_is_needed_but_no_more_of_it_than_is_kept() -> None:
    fill_table_pool()
    ready = list(table_pool.free[table_rows(DEFAULT_TABLE_MEGABYTES)])
    assert ready
    fill_table_pool()
    assert len(table_pool.free[table_rows(DEFAULT_TABLE_MEGABYTES)]) == len(ready)


def test_large_tables_are_not_kept() -> None:
    megabytes = 2 * DEFAULT_TABLE_MEGABYTES
    assert acquire_table(Owner(), megabytes, ARRAYS).shape == (table_rows(megabytes), 2)
    gc.collect()
    assert not table_pool.free.get(table_rows(megabytes))


def test_memory_that_the_machine_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="MB to give"):
        new_table(1 << 40, ARRAYS)
