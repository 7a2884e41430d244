"""Numbers for boards with few pieces: how many, whose, which cells are held, and by whom."""

from __future__ import annotations

from math import comb
from typing import Final

import numpy as np

from quinconce.kernels.bits import bits
from quinconce.kernels.compiled import compiled

CELLS: Final = 25
FEW: Final = 8  # pieces
# CHOICES[n, k]: how many ways there are to choose k of n cells.
CHOICES = np.array([[comb(n, k) for k in range(FEW + 2)] for n in range(CELLS + 1)], np.int64)
# Where the boards with so many pieces begin, when those with fewer come before.
STARTS = np.cumsum([0] + [comb(CELLS, k) << k for k in range(FEW + 1)]).astype(np.int64)
# SHARES[n, k]: where those with n pieces begin of which k are one's own; k goes up to n + 1.
SHARES = np.zeros((FEW + 1, FEW + 2), np.int64)
for n in range(FEW + 1):
    sizes = [0] + [comb(CELLS, n) * comb(n, k) for k in range(n + 1)]
    SHARES[n, : n + 2] = STARTS[n] + np.cumsum(sizes)


@compiled
def ranked(own: int, foe: int) -> int:
    """The number of a board of 25 cells: by pieces, one's own, the cells held, then by whose."""
    full = own | foe
    rank = owners = pieces = held = 0
    while full:
        cell = bits((full & -full) - 1)
        full &= full - 1
        if own >> cell & 1:
            held += 1
            owners += CHOICES[pieces, held]
        pieces += 1
        rank += CHOICES[cell, pieces]
    number: int = SHARES[pieces, held] + rank * CHOICES[pieces, held] + owners
    return number


@compiled
def unranked(number: int) -> tuple[int, int]:
    """The board with a number: one's own pieces and the other's."""
    pieces = held = 0
    while number >= STARTS[pieces + 1]:
        pieces += 1
    while number >= SHARES[pieces, held + 1]:
        held += 1
    number -= SHARES[pieces, held]
    ways = CHOICES[pieces, held]
    rank, owners = number // ways, number % ways
    own = foe = 0
    cell = CELLS
    while pieces:
        cell -= 1
        if rank >= CHOICES[cell, pieces]:
            rank -= CHOICES[cell, pieces]
            pieces -= 1
            if held and owners >= CHOICES[pieces, held]:
                owners -= CHOICES[pieces, held]
                held -= 1
                own |= 1 << cell
            else:
                foe |= 1 << cell
    return own, foe
