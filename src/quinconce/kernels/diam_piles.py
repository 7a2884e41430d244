"""Piles on a ring as two words, three bits a pawn: the state, tables of piles, canonical forms."""

from __future__ import annotations

from typing import Final, NamedTuple

from quinconce.kernels.array_types import constant_table
from quinconce.kernels.bits import popcount
from quinconce.kernels.compiled import compiled

MAX_HEIGHT: Final = 4
PILE_BITS: Final = 3 * MAX_HEIGHT  # bits
WORD_MASK: Final = (1 << 4 * PILE_BITS) - 1
PAWN_LOW_BITS: Final = 0o1111111111111111  # the lowest bit of each pawn in a word of four piles
ODD_PILES_MASK: Final = 0o7777_0000_7777_0000
RING_MASK: Final = (1 << 56) - 1


def pile_pattern(pile: int) -> tuple[int, ...]:
    """A pile without saying which of an owner's two colours is which."""
    pawns = [pile >> 3 * level & 7 for level in range(MAX_HEIGHT)]
    firsts = [next((pawn for pawn in pawns if pawn in pair), 0) for pair in ((1, 2), (3, 4))]
    return tuple(pawn and 1 + 2 * (pawn > 2) + (pawn not in firsts) for pawn in pawns)


def is_possible_pile(pile: int) -> bool:
    """Whether a pile has no other codes than 1 to 4, and no pawn floats above nothing."""
    pawns = [pile >> 3 * level & 7 for level in range(MAX_HEIGHT)]
    return max(pawns) <= 4 and all(pawns[: sum(map(bool, pawns))])


# The patterns of possible piles in order. Seven bits hold one, and a word the eight of the ring.
def pattern_numbers() -> list[int]:
    """The number of every pile's pattern among those of possible piles; 0 for what is none."""
    piles = range(1 << PILE_BITS)
    patterns = sorted({pile_pattern(pile) for pile in piles if is_possible_pile(pile)})
    return [patterns.index(pile_pattern(pile)) if is_possible_pile(pile) else 0 for pile in piles]


PATTERN_NUMBER = constant_table(pattern_numbers)


def levels_of_colours(colours: int, pile: int) -> int:
    """The levels of a pile that hold one of these colours, as bits."""
    pawns = [pile >> 3 * level & 7 for level in range(MAX_HEIGHT)]
    return sum(1 << i for i, pawn in enumerate(pawns) if pawn and colours >> pawn - 1 & 1)


PILE_HEIGHT = constant_table(
    lambda: [
        sum(pile >> 3 * level & 7 != 0 for level in range(MAX_HEIGHT))
        for pile in range(1 << PILE_BITS)
    ],
    "int8",
)
OWNED_LEVELS = constant_table(
    lambda: [[levels_of_colours(c, pile) for pile in range(1 << PILE_BITS)] for c in range(16)],
    "int8",
)


# The form packs what the options decide into one word. From its lowest bit: for each step of the
# cycle, the colours that may be placed and those that may be moved; the number of steps; whether
# one places on piles; the side of each colour, two bits each; and how the game is shared out
# (2: two players, 3: one against two, 4: two teams, 5: each on their own).
STEP_BITS: Final = 8
MOVED_SHIFT: Final = 4  # within a step
COLOURS_MASK: Final = 15
CYCLE_SHIFT: Final = 32
CYCLE_MASK: Final = 7
STACKING_SHIFT: Final = 35
SIDES_SHIFT: Final = 36
SHARING_SHIFT: Final = 44
TWO_PLAYERS: Final = 2
EACH_ALONE: Final = 5


class DiamState(NamedTuple):
    """Piles 1 to 4 and 5 to 8, pawns left of each colour, the step of the cycle, and the form."""

    low: int
    high: int
    reserves: int
    turn: int
    options: int  # the form


@compiled
def pile_at(low: int, high: int, cell: int) -> int:
    """The pile of a cell counted from 0."""
    return (low if cell < 4 else high) >> PILE_BITS * (cell & 3) & 0o7777


# Exchanges of colours on four piles at once: a code is three bits, and 1 2 are one owner's colours,
# 3 4 the other's.


@compiled
def first_owner_pawns(word: int) -> int:
    """The lowest bits of the pawns 1 and 2."""
    return (word ^ word >> 1) & PAWN_LOW_BITS & ~(word >> 2)


@compiled
def second_owner_pawns(word: int) -> int:
    """The lowest bits of the pawns 3 and 4."""
    return (word & word >> 1 | word >> 2) & PAWN_LOW_BITS


@compiled
def swap_owners(word: int) -> int:
    """1 for 3 and 2 for 4."""
    occupied = (word | word >> 1 | word >> 2) & PAWN_LOW_BITS
    return word ^ occupied << 1 ^ (occupied & ~word) << 2


@compiled
def swap_reserve_owners(stock: int) -> int:
    """The pawns left of each colour, four bits each, the owners exchanged."""
    return stock >> 8 | stock << 8 & 0xFF00


@compiled
def reverse_piles(word: int) -> int:
    """Four piles in the other order."""
    word = word >> 2 * PILE_BITS | word << 2 * PILE_BITS & WORD_MASK
    return (word & ODD_PILES_MASK) >> PILE_BITS | word << PILE_BITS & ODD_PILES_MASK


@compiled
def first_pawn_is(low: int, high: int, pair_low: int, pair_high: int, code: int) -> bool:
    """Whether the first pawn of a pair of colours, from the first pile up, has this code."""
    if pair_low:
        return low >> popcount((pair_low & -pair_low) - 1) & 7 == code
    return pair_high != 0 and high >> popcount((pair_high & -pair_high) - 1) & 7 == code


@compiled
def rename_colours(low: int, high: int, stock: int) -> tuple[int, int, int]:
    """The piles with each owner's colours named in the order in which they come."""
    one_low, one_high = first_owner_pawns(low), first_owner_pawns(high)
    two_low, two_high = second_owner_pawns(low), second_owner_pawns(high)
    new_low, new_high = low, high
    if first_pawn_is(low, high, one_low, one_high, 2):
        new_low, new_high = new_low ^ 3 * one_low, new_high ^ 3 * one_high
        stock = stock & 0xFF00 | stock << 4 & 0xF0 | stock >> 4 & 0xF
    if first_pawn_is(low, high, two_low, two_high, 4):
        new_low, new_high = new_low ^ 7 * two_low, new_high ^ 7 * two_high
        stock = stock & 0xFF | stock << 4 & 0xF000 | stock >> 4 & 0xF00
    return new_low, new_high, stock


@compiled
def ring_from(low: int, high: int, stock: int, cell: int) -> tuple[int, int, int]:
    """The ring read from a cell on, its colours in order."""
    if cell >= 4:
        low, high = high, low
    far = PILE_BITS * (cell & 3)
    back = 4 * PILE_BITS - far
    return rename_colours(
        low >> far | high << back & WORD_MASK, high >> far | low << back & WORD_MASK, stock
    )


@compiled
def canonical_ring(low: int, high: int, stock: int) -> tuple[int, int, int]:
    """The one way to turn, mirror and recolour the ring that makes its patterns the greatest."""
    best = low, high, stock
    greatest = -1
    for _sense in range(2):
        ring = 0
        for cell in range(8):
            ring |= PATTERN_NUMBER[pile_at(low, high, cell)] << 7 * cell
        for cell in range(8):
            if ring >= greatest:
                found = ring_from(low, high, stock, cell)
                if ring > greatest or found < best:
                    best = found
                greatest = ring
            ring = ring >> 7 | ring << 49 & RING_MASK
        low, high = reverse_piles(high), reverse_piles(low)
    return best


@compiled
def recolour_word(word: int, codes: int) -> int:
    """Four piles with their colours exchanged: `codes` has the new code of each, three bits each.

    Every code is at most 7, so that no product runs over into the next pawn.
    """
    fours = word >> 2 & PAWN_LOW_BITS
    threes = word & word >> 1 & PAWN_LOW_BITS
    ones = word & PAWN_LOW_BITS ^ threes
    twos = word >> 1 & PAWN_LOW_BITS ^ threes
    return (
        ones * (codes & 7)
        + twos * (codes >> 3 & 7)
        + threes * (codes >> 6 & 7)
        + fours * (codes >> 9 & 7)
    )


@compiled
def least_ring(low: int, high: int) -> tuple[int, int]:
    """The first in the order of their numbers of all the ways to turn and mirror the ring."""
    least_low, least_high = low, high
    for _sense in range(2):
        for far in range(0, 4 * PILE_BITS, PILE_BITS):
            back = 4 * PILE_BITS - far
            one = low >> far | high << back & WORD_MASK
            two = high >> far | low << back & WORD_MASK
            # Half a turn more exchanges the halves, so that the lesser may come first.
            new_low, new_high = min(one, two), max(one, two)
            # `|` and `&`: the processor cannot guess which comes first.
            first = (new_low < least_low) | (new_low == least_low) & (new_high < least_high)
            least_low = new_low if first else least_low
            least_high = new_high if first else least_high
        low, high = reverse_piles(high), reverse_piles(low)
    return least_low, least_high
