"""What a search remembers of the positions it has seen: a table that several threads share.

Searches hand the memory of tables on to each other, because clearing it is quicker than finding it
anew. The system finds memory when it is first written to, a page at a time, and clears each page.
On a rented machine pages may have to come from its host, which took half a second for one table;
and of two threads that write to a new page at once each is given one, for one to be thrown away.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from quinconce.core.phrase import _
from quinconce.engine.limits import DEFAULT_TABLE_MEGABYTES
from quinconce.engine.scores import COUNTED_WIN, ENDGAME_WIN, PROVED_THRESHOLD, WIN
from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.arrays import NATIVE_ARRAYS, ArrayMaker, NativeArrays, aligned_zeros
from quinconce.kernels.compiled import IS_NATIVE, compiled

BufferKind = TypeVar("BufferKind")
Buffer = TypeVar("Buffer")
TranspositionTable = Int64Array  # rows of a key and what is known, in pairs

LOWER_BOUND: Final = 1  # the score is at least this
UPPER_BOUND: Final = 2  # at most
EXACT: Final = LOWER_BOUND | UPPER_BOUND
NO_ENTRY: Final = 0  # no entry: a real one has a bound
NO_ROW: Final = (1 << 17) - 1  # no best move known; no kernel has that many successors

# An entry, from its lowest bit: the bound (2 bits), the row of the best move (17), the depth plus
# DEPTH_OFFSET (8), the score plus SCORE_OFFSET (32).
DEPTH_OFFSET: Final = 64
SCORE_OFFSET: Final = 1 << 30


class BufferPool(Generic[BufferKind, Buffer]):
    """Buffers that no search uses just now, at most a number of each kind."""

    def __init__(self, most: int) -> None:
        self.max_free = most
        self.free: dict[BufferKind, list[Buffer]] = {}

    def acquire(self, owner: object, kind: BufferKind, make: Callable[[], Buffer]) -> Buffer:
        """A buffer as its last user left it; it comes back to the pool when its owner is gone."""
        try:
            thing = self.free.setdefault(kind, []).pop()
        except IndexError:
            thing = make()
        weakref.finalize(owner, self.release, kind, thing)
        return thing

    def release(self, kind: BufferKind, thing: Buffer) -> None:
        """Keep a buffer for the next search, unless there are enough of its kind."""
        free = self.free.setdefault(kind, [])
        if len(free) < self.max_free:
            free.append(thing)


table_pool: Final = BufferPool[int, TranspositionTable](2)  # by their rows


def table_rows(megabytes: float) -> int:
    """The rows of a table of about this size: a power of two."""
    pairs = max(64, int(megabytes * (1 << 20)) // 32)
    return 1 << pairs.bit_length()


def new_table(megabytes: float, arrays: ArrayMaker) -> TranspositionTable:
    """An empty table of about this size, in which no pair lies across two lines of the cache."""
    try:
        if isinstance(arrays, NativeArrays):
            return aligned_zeros(table_rows(megabytes), 2)
        table: TranspositionTable = arrays.zeros(table_rows(megabytes), 2)
    except MemoryError:
        raise ValueError(
            _("this machine has no {megabytes:g} MB to give", megabytes=megabytes)
        ) from None
    return table


def acquire_table(owner: object, megabytes: float, arrays: ArrayMaker) -> TranspositionTable:
    """An empty table of about this size, until its owner is gone; a large one is not kept."""
    if megabytes > DEFAULT_TABLE_MEGABYTES or not isinstance(arrays, NativeArrays):
        return new_table(megabytes, arrays)
    rows = table_rows(megabytes)
    table = table_pool.acquire(owner, rows, lambda: new_table(megabytes, arrays))
    table.fill(0)
    return table


def fill_table_pool() -> None:
    """Have a table ready before somebody is in a hurry."""
    if IS_NATIVE and not table_pool.free.get(table_rows(DEFAULT_TABLE_MEGABYTES)):
        table = new_table(DEFAULT_TABLE_MEGABYTES, NATIVE_ARRAYS)
        table.fill(0)  # the system finds memory when it is written to
        table_pool.release(table_rows(DEFAULT_TABLE_MEGABYTES), table)


@compiled
def pack_entry(score: int, depth: int, bound: int, row: int) -> int:
    """An entry as one number."""
    return (score + SCORE_OFFSET) << 27 | (depth + DEPTH_OFFSET) << 19 | row << 2 | bound


@compiled
def entry_bound(entry: int) -> int:
    """Whether the score of an entry is exact or a bound."""
    return entry & 3


@compiled
def entry_row(entry: int) -> int:
    """The row of the best move, or NO_ROW."""
    return entry >> 2 & NO_ROW


@compiled
def entry_depth(entry: int) -> int:
    """How deep the search behind an entry was."""
    return (entry >> 19 & 255) - DEPTH_OFFSET


@compiled
def entry_score(entry: int) -> int:
    """The score, counted from the position of the entry."""
    return (entry >> 27) - SCORE_OFFSET


@compiled
def probe_transposition(table: TranspositionTable, key: int) -> int:
    """The entry of a position, or NO_ENTRY.

    A key is stored crossed with its entry: if two threads wrote the halves, neither is recognised.
    """
    first = key & (table.shape[0] - 1) & -2
    for slot in (first, first + 1):
        entry: int = table[slot, 1]
        if table[slot, 0] ^ entry == key:
            return entry
    return NO_ENTRY


@compiled
def store_entry(table: TranspositionTable, key: int, entry: int) -> None:
    """Keep an entry: in the first slot of a pair if it is the deeper one, else in the second."""
    slot = key & (table.shape[0] - 1) & -2
    there: int = table[slot, 1]
    if table[slot, 0] ^ there != key and there != 0 and entry_depth(there) > entry_depth(entry):
        slot += 1
    table[slot, 0] = key ^ entry
    table[slot, 1] = entry


@compiled
def score_from_root(score: int, ply: int) -> int:
    """A score counted from this ply, as the root counts it."""
    if score > PROVED_THRESHOLD:
        return score - ply
    return score + ply if score < -PROVED_THRESHOLD else score


@compiled
def plies_to_end(score: int) -> int:
    """How far the end is that a proved score promises."""
    far = abs(score)
    return (WIN if far > ENDGAME_WIN else ENDGAME_WIN if far > COUNTED_WIN else COUNTED_WIN) - far
