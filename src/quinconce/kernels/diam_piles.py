"""Piles on a ring as two words: three bits a pawn, four pawns a pile, and one form for many."""

from __future__ import annotations

from typing import Final

import numpy as np

from quinconce.kernels.bits import bits
from quinconce.kernels.compiled import compiled

HIGHEST: Final = 4
PILE: Final = 3 * HIGHEST  # bits
WORD: Final = (1 << 4 * PILE) - 1
FIRST_BITS: Final = 0o1111111111111111  # the lowest bit of each pawn in a word of four piles
ODD_PILES: Final = 0o7777_0000_7777_0000
RING: Final = (1 << 56) - 1


def pattern(pile: int) -> tuple[int, ...]:
    """A pile without saying which of an owner's two colours is which."""
    pawns = [pile >> 3 * level & 7 for level in range(HIGHEST)]
    firsts = [next((pawn for pawn in pawns if pawn in pair), 0) for pair in ((1, 2), (3, 4))]
    return tuple(pawn and 1 + 2 * (pawn > 2) + (pawn not in firsts) for pawn in pawns)


def possible(pile: int) -> bool:
    """Whether a pile has no other codes than 1 to 4, and no pawn floats above nothing."""
    pawns = [pile >> 3 * level & 7 for level in range(HIGHEST)]
    return max(pawns) <= 4 and all(pawns[: sum(map(bool, pawns))])


# The patterns of possible piles in order. Seven bits hold one, and a word the eight of the ring.
PATTERNS: Final = sorted({pattern(pile) for pile in range(1 << PILE) if possible(pile)})
PATTERN = np.array(
    [PATTERNS.index(pattern(pile)) if possible(pile) else 0 for pile in range(1 << PILE)],
    np.int64,
)


@compiled
def pile_at(low: int, high: int, cell: int) -> int:
    """The pile of a cell counted from 0."""
    return (low if cell < 4 else high) >> PILE * (cell & 3) & 0o7777


# Exchanges of colours on four piles at once: a code is three bits, and 1 2 are one owner's colours,
# 3 4 the other's.


@compiled
def first_pair(word: int) -> int:
    """The lowest bits of the pawns 1 and 2."""
    return (word ^ word >> 1) & FIRST_BITS & ~(word >> 2)


@compiled
def second_pair(word: int) -> int:
    """The lowest bits of the pawns 3 and 4."""
    return (word & word >> 1 | word >> 2) & FIRST_BITS


@compiled
def sides_exchanged(word: int) -> int:
    """1 for 3 and 2 for 4."""
    occupied = (word | word >> 1 | word >> 2) & FIRST_BITS
    return word ^ occupied << 1 ^ (occupied & ~word) << 2


@compiled
def exchanged_bytes(stock: int) -> int:
    """The pawns left of each colour, four bits each, the owners exchanged."""
    return stock >> 8 | stock << 8 & 0xFF00


@compiled
def mirrored(word: int) -> int:
    """Four piles in the other order."""
    word = word >> 2 * PILE | word << 2 * PILE & WORD
    return (word & ODD_PILES) >> PILE | word << PILE & ODD_PILES


@compiled
def leads(low: int, high: int, pair_low: int, pair_high: int, code: int) -> bool:
    """Whether the first pawn of a pair of colours, from the first pile up, has this code."""
    if pair_low:
        return low >> bits((pair_low & -pair_low) - 1) & 7 == code
    return pair_high != 0 and high >> bits((pair_high & -pair_high) - 1) & 7 == code


@compiled
def in_order(low: int, high: int, stock: int) -> tuple[int, int, int]:
    """The piles with each owner's colours named in the order in which they come."""
    one_low, one_high = first_pair(low), first_pair(high)
    two_low, two_high = second_pair(low), second_pair(high)
    new_low, new_high = low, high
    if leads(low, high, one_low, one_high, 2):
        new_low, new_high = new_low ^ 3 * one_low, new_high ^ 3 * one_high
        stock = stock & 0xFF00 | stock << 4 & 0xF0 | stock >> 4 & 0xF
    if leads(low, high, two_low, two_high, 4):
        new_low, new_high = new_low ^ 7 * two_low, new_high ^ 7 * two_high
        stock = stock & 0xFF | stock << 4 & 0xF000 | stock >> 4 & 0xF00
    return new_low, new_high, stock


@compiled
def read_from(low: int, high: int, stock: int, cell: int) -> tuple[int, int, int]:
    """The ring read from a cell on, its colours in order."""
    if cell >= 4:
        low, high = high, low
    far = PILE * (cell & 3)
    back = 4 * PILE - far
    return in_order(low >> far | high << back & WORD, high >> far | low << back & WORD, stock)


@compiled
def greatest_ring(low: int, high: int, stock: int) -> tuple[int, int, int]:
    """The one way to turn, mirror and recolour the ring that makes its patterns the greatest."""
    best = low, high, stock
    greatest = -1
    for _sense in range(2):
        ring = 0
        for cell in range(8):
            ring |= PATTERN[pile_at(low, high, cell)] << 7 * cell
        for cell in range(8):
            if ring >= greatest:
                found = read_from(low, high, stock, cell)
                if ring > greatest or found < best:
                    best = found
                greatest = ring
            ring = ring >> 7 | ring << 49 & RING
        low, high = mirrored(high), mirrored(low)
    return best
