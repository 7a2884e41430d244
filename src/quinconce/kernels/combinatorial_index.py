"""Numbers for boards with few pieces: how many, whose, which cells are held, and by whom."""

from __future__ import annotations

from itertools import accumulate
from math import comb
from typing import Final

from quinconce.kernels.array_types import constant_table
from quinconce.kernels.bits import popcount
from quinconce.kernels.compiled import compiled

BOARD_CELLS: Final = 25
MAX_RANKED_PIECES: Final = 10  # pieces
# BINOMIAL[n, k]: how many ways there are to choose k of n cells.
BINOMIAL = constant_table(
    lambda: [[comb(n, k) for k in range(MAX_RANKED_PIECES + 2)] for n in range(BOARD_CELLS + 1)]
)
# Where the boards with a given number of pieces begin, when those with fewer come before.
FIRST_NUMBERS: Final = list(
    accumulate((comb(BOARD_CELLS, k) << k for k in range(MAX_RANKED_PIECES + 1)), initial=0)
)
LAYER_STARTS = constant_table(lambda: FIRST_NUMBERS)


def part_starts(pieces: int) -> list[int]:
    """Where the boards with `pieces` pieces begin, by how many are one's own: up to one more."""
    sizes = (comb(BOARD_CELLS, pieces) * comb(pieces, own) for own in range(pieces + 1))
    starts = list(accumulate(sizes, initial=FIRST_NUMBERS[pieces]))
    return starts + [0] * (MAX_RANKED_PIECES + 2 - len(starts))


PART_STARTS = constant_table(lambda: list(map(part_starts, range(MAX_RANKED_PIECES + 1))))

# The number of a set of cells among those as large, in two halves: what the first cells make of it,
# and what the others make of it, by how many of the first are held.
LOW_CELLS: Final = 13
LOW_CELLS_MASK: Final = (1 << LOW_CELLS) - 1


def rank_by_cells(first: int, cells: int, before: int) -> list[int]:
    """What every set of some cells adds to the number, with `before` cells held before them."""
    ranks = [0]
    for cell in range(first, first + cells):
        choices = [comb(cell, k) for k in range(BOARD_CELLS + 2)]
        ranks += [rank + choices[before + held.bit_count() + 1] for held, rank in enumerate(ranks)]
    return ranks


LOW_CELLS_RANK = constant_table(lambda: rank_by_cells(0, LOW_CELLS, 0), "int32")
HIGH_CELLS_RANK = constant_table(
    lambda: [
        rank_by_cells(LOW_CELLS, BOARD_CELLS - LOW_CELLS, before) for before in range(LOW_CELLS + 1)
    ],
    "int32",
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
