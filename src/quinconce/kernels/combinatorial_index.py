"""Numbers for boards with few pieces: how many, whose, which cells are held, and by whom."""

from __future__ import annotations

from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from quinconce.kernels.arrays import lookup_table
from quinconce.kernels.bits import popcount
from quinconce.kernels.compiled import compiled

BOARD_CELLS: Final = 25
MAX_RANKED_PIECES: Final = 10  # pieces
# BINOMIAL[n, k]: how many ways there are to choose k of n cells.
BINOMIAL = np.array(
    [[comb(n, k) for k in range(MAX_RANKED_PIECES + 2)] for n in range(BOARD_CELLS + 1)], np.int64
)
# Where the boards with a given number of pieces begin, when those with fewer come before.
LAYER_STARTS = np.cumsum(
    [0] + [comb(BOARD_CELLS, k) << k for k in range(MAX_RANKED_PIECES + 1)]
).astype(np.int64)
# PART_STARTS[n, k]: where those with n pieces begin of which k are one's own; k goes up to n + 1.
PART_STARTS = np.zeros((MAX_RANKED_PIECES + 1, MAX_RANKED_PIECES + 2), np.int64)
for n in range(MAX_RANKED_PIECES + 1):
    sizes = [0] + [comb(BOARD_CELLS, n) * comb(n, k) for k in range(n + 1)]
    PART_STARTS[n, : n + 2] = LAYER_STARTS[n] + np.cumsum(sizes)
BINOMIAL, LAYER_STARTS, PART_STARTS = map(lookup_table, (BINOMIAL, LAYER_STARTS, PART_STARTS))

# The number of a set of cells among those as large, in two halves: what the first cells make of it,
# and what the others make of it, by how many of the first are held.
LOW_CELLS: Final = 13
LOW_CELLS_MASK: Final = (1 << LOW_CELLS) - 1


def rank_by_cells(first: int, cells: int, before: int) -> npt.NDArray[np.int32]:
    """What every set of some cells adds to the number, with `before` cells held before them."""
    rank, held = np.zeros(1, np.int32), np.zeros(1, np.int32)
    for cell in range(first, first + cells):
        choices = np.array([comb(cell, k) for k in range(BOARD_CELLS + 2)], np.int32)
        rank = np.concatenate([rank, rank + choices[before + held + 1]])
        held = np.concatenate([held, held + 1])
    return rank


LOW_CELLS_RANK = lookup_table(rank_by_cells(0, LOW_CELLS, 0))
HIGH_CELLS_RANK = lookup_table(
    np.array(
        [
            rank_by_cells(LOW_CELLS, BOARD_CELLS - LOW_CELLS, before)
            for before in range(LOW_CELLS + 1)
        ]
    )
)


@compiled
def rank_board(own: int, foe: int) -> int:
    """The number of a board of 25 cells: by pieces, one's own, the cells held, then by whose."""
    full = own | foe
    low = full & LOW_CELLS_MASK
    below = popcount(low)
    rank = int(LOW_CELLS_RANK[low]) + int(HIGH_CELLS_RANK[below, full >> LOW_CELLS])
    owners = held = 0
    while own:
        one = own & -own
        own ^= one
        held += 1
        owners += BINOMIAL[popcount(full & one - 1), held]
    pieces = popcount(full)
    number: int = PART_STARTS[pieces, held] + rank * BINOMIAL[pieces, held] + owners
    return number


@compiled
def unrank_board(number: int) -> tuple[int, int]:
    """The board with a number: one's own pieces and the other's."""
    pieces = held = 0
    while number >= LAYER_STARTS[pieces + 1]:
        pieces += 1
    while number >= PART_STARTS[pieces, held + 1]:
        held += 1
    number -= PART_STARTS[pieces, held]
    choices = BINOMIAL[pieces, held]
    rank, owners = number // choices, number % choices
    own = foe = 0
    cell = BOARD_CELLS
    while pieces:
        cell -= 1
        if rank >= BINOMIAL[cell, pieces]:
            rank -= BINOMIAL[cell, pieces]
            pieces -= 1
            if held and owners >= BINOMIAL[pieces, held]:
                owners -= BINOMIAL[pieces, held]
                held -= 1
                own |= 1 << cell
            else:
                foe |= 1 << cell
    return own, foe
