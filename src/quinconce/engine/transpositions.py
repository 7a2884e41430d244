"""What a search remembers of the positions it has seen: a table that several threads share."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from quinconce.core.phrase import Phrase as _
from quinconce.engine.buffer_pool import Stock
from quinconce.kernels.compiled import compiled

Table = npt.NDArray[np.int64]  # rows of a key and what is known, in pairs

LOWER: Final = 1  # the score is at least this
UPPER: Final = 2  # at most
EXACT: Final = LOWER | UPPER
NOTHING: Final = 0  # no entry: a real one has a bound
NO_ROW: Final = (1 << 17) - 1  # no best move known; no kernel has so many successors

# An entry, from its lowest bit: the bound (2 bits), the row of the best move (17), the depth plus
# SHALLOWEST (8), the score plus OFFSET (32).
SHALLOWEST: Final = 64
OFFSET: Final = 1 << 30


MEMORY: Final = 64  # megabytes of a table, unless told otherwise; larger ones are not kept
LINE: Final = 64  # bytes that the processor fetches at once

free_tables: Final = Stock[int, Table](2)  # by their rows


def rows_for(megabytes: float) -> int:
    """The rows of a table of about this size: a power of two."""
    pairs = max(64, int(megabytes * (1 << 20)) // 32)
    return 1 << pairs.bit_length()


def new_table(megabytes: float) -> Table:
    """An empty table of about this size, in which no pair lies across two lines of the cache."""
    rows = rows_for(megabytes)
    try:
        memory = np.zeros(2 * rows + LINE // 8, np.int64)
    except MemoryError:
        raise ValueError(
            _("this machine has no {megabytes:g} megabytes to give", megabytes=megabytes)
        ) from None
    skipped = -memory.ctypes.data % LINE // 8
    return memory[skipped : skipped + 2 * rows].reshape(rows, 2)


def table_for(owner: object, megabytes: float) -> Table:
    """An empty table of about this size, until its owner is gone."""
    if megabytes > MEMORY:
        return new_table(megabytes)
    table = free_tables.lend(owner, rows_for(megabytes), lambda: new_table(megabytes))
    table.fill(0)
    return table


def find_memory() -> None:
    """Have a table ready before somebody is in a hurry."""
    if not free_tables.free.get(rows_for(MEMORY)):
        table = new_table(MEMORY)
        table.fill(0)  # the system finds memory when it is written to
        free_tables.keep(rows_for(MEMORY), table)


@compiled
def packed(score: int, depth: int, bound: int, row: int) -> int:
    """An entry as one number."""
    return (score + OFFSET) << 27 | (depth + SHALLOWEST) << 19 | row << 2 | bound


@compiled
def bound_of(entry: int) -> int:
    """Whether the score of an entry is exact or a bound."""
    return entry & 3


@compiled
def row_of(entry: int) -> int:
    """The row of the best move, or NO_ROW."""
    return entry >> 2 & NO_ROW


@compiled
def depth_of(entry: int) -> int:
    """How deep the search behind an entry was."""
    return (entry >> 19 & 255) - SHALLOWEST


@compiled
def score_of(entry: int) -> int:
    """The score, counted from the position of the entry."""
    return (entry >> 27) - OFFSET


@compiled
def recalled(table: Table, key: int) -> int:
    """The entry of a position, or NOTHING.

    A key is stored crossed with its entry: if two threads wrote the halves, neither is recognised.
    """
    first = key & (table.shape[0] - 1) & -2
    for slot in (first, first + 1):
        entry: int = table[slot, 1]
        if table[slot, 0] ^ entry == key:
            return entry
    return NOTHING


@compiled
def remember(table: Table, key: int, entry: int) -> None:
    """Keep an entry: in the first slot of a pair if it is the deeper one, else in the second."""
    slot = key & (table.shape[0] - 1) & -2
    there: int = table[slot, 1]
    if table[slot, 0] ^ there != key and there != 0 and depth_of(there) > depth_of(entry):
        slot += 1
    table[slot, 0] = key ^ entry
    table[slot, 1] = entry
