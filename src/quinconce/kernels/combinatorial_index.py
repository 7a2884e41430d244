"""Numbers for boards with few pieces: how many, whose, which cells are held, and by whom."""

from __future__ import annotations

from math import comb
from typing import Final

import numpy as np

from quinconce.kernels.bits import popcount
from quinconce.kernels.compiled import compiled
from quinconce.kernels.plain_arrays import lookup_table

BOARD_CELLS: Final = 25
MAX_RANKED_PIECES: Final = 8  # pieces
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


@compiled
def rank_board(own: int, foe: int) -> int:
    """The number of a board of 25 cells: by pieces, one's own, the cells held, then by whose."""
    full = own | foe
    rank = owners = pieces = held = 0
    while full:
        cell = popcount((full & -full) - 1)
        full &= full - 1
        if own >> cell & 1:
            held += 1
            owners += BINOMIAL[pieces, held]
        pieces += 1
        rank += BINOMIAL[cell, pieces]
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
    ways = BINOMIAL[pieces, held]
    rank, owners = number // ways, number % ways
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
