"""Numbers for boards with few pieces: which cells are held, and by whom."""

from __future__ import annotations

from math import comb
from typing import Final

import numpy as np

from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import bits

CELLS: Final = 25
FEW: Final = 8  # pieces
# CHOICES[n, k]: how many ways there are to choose k of n cells.
CHOICES = np.array([[comb(n, k) for k in range(FEW + 2)] for n in range(CELLS + 1)], np.int64)
# Where the boards with so many pieces begin, when those with fewer come before.
STARTS = np.cumsum([0] + [comb(CELLS, k) << k for k in range(FEW + 1)]).astype(np.int64)


@compiled
def ranked(own: int, foe: int) -> int:
    """The number of a board of 25 cells: by pieces, then by the cells held, then by whose."""
    full = own | foe
    rank = owners = pieces = 0
    while full:
        cell = bits((full & -full) - 1)
        full &= full - 1
        owners |= (own >> cell & 1) << pieces
        pieces += 1
        rank += CHOICES[cell, pieces]
    number: int = STARTS[pieces] + (rank << pieces | owners)
    return number


@compiled
def unranked(number: int) -> tuple[int, int]:
    """The board with a number: one's own pieces and the other's."""
    pieces = 0
    while number >= STARTS[pieces + 1]:
        pieces += 1
    number -= STARTS[pieces]
    owners, rank = number & (1 << pieces) - 1, number >> pieces
    own = foe = 0
    cell = CELLS
    while pieces:
        cell -= 1
        if rank >= CHOICES[cell, pieces]:
            rank -= CHOICES[cell, pieces]
            pieces -= 1
            if owners >> pieces & 1:
                own |= 1 << cell
            else:
                foe |= 1 << cell
    return own, foe
