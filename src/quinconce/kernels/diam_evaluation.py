"""How good a position of Diam looks: what its piles show to each side, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from quinconce.kernels.array_types import constant_table
from quinconce.kernels.bits import popcount
from quinconce.kernels.compiled import compiled, implements
from quinconce.kernels.diam_piles import (
    COLOURS_MASK,
    MAX_HEIGHT,
    MOVED_SHIFT,
    OWNED_LEVELS,
    PILE_BITS,
    PILE_HEIGHT,
    STEP_BITS,
    DiamState,
    pile_at,
)
from quinconce.kernels.protocol import Weights, evaluate

# What a pile shows to the side that owns some of its levels, by those levels, its height and the
# height of the pile it faces. A slot is where a pawn of the same colour would make a diam: its own
# pawn is at level 2 or more, and the facing pile has exactly one pawn less.
STANDING_FEATURES: Final = {
    "level 1": 0,
    "level 2": 5,
    "level 3": 5,
    "level 4": 0,
    "on top": 15,
    "covered": -10,
    "carried": -5,
}
FACING_FEATURES: Final = {
    "slot at level 2": 40,
    "slot at level 3": 50,
    "slot at level 4": 50,
    "nearly a slot": 15,
    "facing another": -5,
}
DIAM_FEATURES: Final[Mapping[str, int]] = {
    **STANDING_FEATURES,
    **FACING_FEATURES,
    "like pawns at a slot": 80,
    "like pawns near a slot": 20,
    "slot with a reserve": 60,
    "pair at level 1": 5,
    "freedom": 3,
    "turn": 20,
}


def standing_counts(own: int, foe: int, top: int) -> list[int]:
    """The counts of STANDING_FEATURES for one side of a pile."""
    levels = [own >> level & 1 for level in range(MAX_HEIGHT)]
    above = [(foe >> level + 1).bit_count() for level in range(MAX_HEIGHT)]
    covered = (own & foe >> 1).bit_count()
    carried = sum(a for level, a in zip(levels, above, strict=True) if level)
    return [*levels, own >> max(top - 1, 0) & 1, covered, carried]


def facing_counts(own: int, top: int, other: int) -> list[int]:
    """The counts of FACING_FEATURES for one side of a pile; `other` is the height across."""
    raised = [level for level in range(1, top) if own >> level & 1]
    slots = [int(level in raised and other == level) for level in (1, 2, 3)]
    return [*slots, int(other + 1 in raised), sum(level < other for level in raised)]


def pack_differences(counts: Iterable[int], others: Iterable[int]) -> int:
    """What one side has more than the other, eight bits for each count."""
    return sum(a - b << 8 * i for i, (a, b) in enumerate(zip(counts, others, strict=True)))


def standing_word(own: int, top: int) -> int:
    """STANDING_FEATURES of a pile, given by one side's levels and its height."""
    foe = (1 << top) - 1 - own
    if foe < 0:
        return 0  # no pile has a pawn above its top
    return pack_differences(standing_counts(own, foe, top), standing_counts(foe, own, top))


def facing_word(own: int, top: int, other: int) -> int:
    """FACING_FEATURES of such a pile; `other` is the height across."""
    foe = (1 << top) - 1 - own
    if foe < 0:
        return 0
    return pack_differences(facing_counts(own, top, other), facing_counts(foe, top, other))


HEIGHTS: Final = range(MAX_HEIGHT + 1)
STANDING_TABLE = constant_table(
    lambda: [[standing_word(own, top) for top in HEIGHTS] for own in range(16)]
)
FACING_TABLE = constant_table(
    lambda: [
        [[facing_word(own, top, other) for other in HEIGHTS] for top in HEIGHTS]
        for own in range(16)
    ]
)
COUNT_BIAS: Final = 0x0080808080808080  # keeps eight bits apart where counts are negative


@compiled
def count_arrivals(state: DiamState, colour: int, arrival: int, ground: int) -> int:
    """How many pawns of a colour can move onto a pile."""
    found = 0
    for sense in (1, 7):
        pile = pile_at(state.low, state.high, (arrival + sense) & 7)
        alike = int(OWNED_LEVELS[1 << colour, pile])
        found += popcount(alike >> max(0, PILE_HEIGHT[pile] + ground - MAX_HEIGHT))
    return found


@compiled
def slot_score(state: DiamState, mine: int, cell: int, ground: int, weights: Weights) -> int:
    """What a slot is worth: the pawn here waits for its like across."""
    arrival = cell ^ 4
    colour = (pile_at(state.low, state.high, cell) >> 3 * ground & 7) - 1
    further = 0
    for sense in (2, 6):
        pile = pile_at(state.low, state.high, (arrival + sense) & 7)
        further += OWNED_LEVELS[1 << colour, pile] != 0
    value = (
        weights[12] * count_arrivals(state, colour, arrival, ground)
        + weights[13] * further
        + weights[14] * (state.reserves >> 4 * colour & 15 != 0)
    )
    return int(value if mine >> colour & 1 else -value)


@compiled
def overweight_levels(tops: int, grounds: int) -> int:
    """The levels, as bits of each cell, from which a pawn would carry too much for the next."""
    sums = tops + grounds  # of each cell, at most 8: adding 8 - n shows in the bit 8 if n or more
    return (
        (sums + 0x33333333) >> 3 & 0x11111111
        | (sums + 0x22222222) >> 2 & 0x22222222
        | (sums + 0x11111111) >> 1 & 0x44444444
        | sums & 0x88888888
    )


@implements(evaluate, DiamState)
def _evaluate(state: DiamState, weights: Weights) -> int:
    # A team moves the pawns of both.
    mine = state.options >> STEP_BITS * state.turn + MOVED_SHIFT & COLOURS_MASK
    standings = facings = owns = fulls = tops = total = 0
    for cell in range(4):
        pile, other = (
            state.low >> PILE_BITS * cell & 0o7777,
            state.high >> PILE_BITS * cell & 0o7777,
        )
        top, other_top = PILE_HEIGHT[pile], PILE_HEIGHT[other]
        own, other_own = int(OWNED_LEVELS[mine, pile]), int(OWNED_LEVELS[mine, other])
        standings += STANDING_TABLE[own, top] + STANDING_TABLE[other_own, other_top]
        facings += FACING_TABLE[own, top, other_top] + FACING_TABLE[other_own, other_top, top]
        owns |= own << 4 * cell | other_own << 4 * cell + 16
        fulls |= ((1 << top) - 1) << 4 * cell | ((1 << other_top) - 1) << 4 * cell + 16
        tops |= top << 4 * cell | other_top << 4 * cell + 16
        if top > other_top > 0:
            total += slot_score(state, mine, cell, other_top, weights)
        elif other_top > top > 0:
            total += slot_score(state, mine, cell + 4, top, weights)
        if pile & 7 and pile & 7 == other & 7:
            total += weights[15] if own & 1 else -weights[15]
    standings += COUNT_BIAS
    facings += COUNT_BIAS
    for i in range(7):
        total += weights[i] * ((standings >> 8 * i & 255) - 128)
    for i in range(5):
        total += weights[7 + i] * ((facings >> 8 * i & 255) - 128)
    up = ~overweight_levels(tops, (tops >> 4 | tops << 28) & 0xFFFFFFFF)
    down = ~overweight_levels(tops, (tops << 4 | tops >> 28) & 0xFFFFFFFF)
    foes = fulls ^ owns
    total += weights[16] * (popcount(owns & up | (owns & down) << 32) - popcount(foes & up))
    return int(total - weights[16] * popcount(foes & down) + weights[17])
