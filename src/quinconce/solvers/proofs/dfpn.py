"""Proof-number search, depth first, for a win within so many plies: what is compiled of it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import (
    PRESSED,
    WON,
    Rows,
    chosen,
    count,
    key,
    load,
    successors,
    urgency,
    winner,
)

# The question is always: does the attacker's side win within so many plies? The proof number of a
# position says how many more positions must be won, at least, to answer yes; the disproof number,
# how many must not be won to answer no. Both are at most ENDLESS, which stands for never.
Words = npt.NDArray[np.int64]
NUMBER: Final = 24  # bits
ENDLESS: Final = (1 << NUMBER) - 1
PLIES: Final = 7  # bits
DEEPEST: Final = (1 << PLIES) - 1
PROVED: Final = ENDLESS << NUMBER  # proof number 0; a pair is proof | disproof << NUMBER
DISPROVED: Final = ENDLESS
# Four slots of a table lie in one line of the processor's cache. A slot is the key of a position
# with its symmetric ones, then from the lowest bit: a pair, the plies left, and the logarithm of
# the work below. Positions with the same board but other plies left share their four slots.
SLOTS: Final = 4
SLOT_BYTES: Final = 16
ATTACKING: Final = 0x2545F4914F6CDD1D  # in the key of a position where the attacker moves
NODES, BUDGET, USED = 0, 1, 2  # the places of a tally


class Scratch(NamedTuple):
    """Room for one search, none of which holds anything between two."""

    out: Rows  # the successors, ply by ply
    keys: Words
    pairs: Words
    attacks: Words  # by turn: whether the attacker moves
    side: int  # the attacker's


@compiled
def proof(pair: int) -> int:
    """The proof number of a pair."""
    return pair & ENDLESS


@compiled
def disproof(pair: int) -> int:
    """The disproof number of a pair."""
    return pair >> NUMBER & ENDLESS


@compiled
def probed(table: Words, name: int, left: int) -> int:
    """The pair of a position with so many plies left; 0 if the table does not know it.

    Who wins within some plies wins within more, and who does not does not within fewer.
    """
    first = (name & (table.shape[0] // SLOTS - 1)) * SLOTS
    for slot in range(first, first + SLOTS):
        if table[slot, 0] == name:
            word: int = table[slot, 1]
            plies = word >> 2 * NUMBER & DEEPEST
            if plies == left or (plies < left and proof(word) == 0 and word != 0):
                return word & (1 << 2 * NUMBER) - 1
            if plies > left and disproof(word) == 0 and word != 0:
                return word & (1 << 2 * NUMBER) - 1
    return 0


@compiled
def kept(table: Words, name: int, word: int) -> int:
    """Keep a word in place of what cost least; returns how many more slots are in use."""
    first = (name & (table.shape[0] // SLOTS - 1)) * SLOTS
    place, least = first, ENDLESS
    for slot in range(first, first + SLOTS):
        other = table[slot, 1]
        if table[slot, 0] == name and (other ^ word) >> 2 * NUMBER & DEEPEST == 0:
            place = slot
            break
        cost = other >> 2 * NUMBER + PLIES
        if cost < least:
            place, least = slot, cost
    fresh = table[place, 1] == 0
    table[place, 0] = name
    table[place, 1] = word
    return 1 if fresh else 0


@compiled
def stored(table: Words, name: int, left: int, pair: int, work: int) -> int:
    """Keep a pair that so many nodes were searched for; returns how many more slots are in use."""
    effort = 1
    while work > 1:
        effort += 1
        work >>= 1
    return kept(table, name, pair | left << 2 * NUMBER | effort << 2 * NUMBER + PLIES)


@compiled
def moved(old: Words, new: Words) -> None:
    """Put everything into a table of another size."""
    for slot in range(old.shape[0]):
        if old[slot, 1]:
            kept(new, old[slot, 0], old[slot, 1])


@compiled
def last_ply(state: Any, out: Rows, side: int) -> int:
    """The answer with one ply left, which is the other's: yes if every move of his loses."""
    rows = successors(state, out)
    for row in range(rows):
        if winner(load(state, out, row)) != side:
            return DISPROVED
    return PROVED


@compiled
def first_look(state: Any, left: int, scratch: Scratch, ply: int, row: int, table: Words) -> int:
    """The pair of a position before it is searched."""
    side = winner(state)
    if side >= 0:
        return PROVED if side == scratch.side else DISPROVED
    if left == 0:
        return DISPROVED
    attacks = scratch.attacks[state.turn]
    pressure = urgency(state)
    if pressure == WON:
        return PROVED if attacks else DISPROVED
    if left == 1:
        return DISPROVED if attacks else last_ply(state, scratch.out[ply + 1], scratch.side)
    name = key(chosen(state)) ^ (ATTACKING if attacks else 0)
    scratch.keys[ply, row] = name
    pair = probed(table, name, left)
    if pair:
        return pair
    moves = count(state)
    if pressure == PRESSED:
        moves = 1  # almost everything loses at once, so a threat is worth following
    return 1 | moves << NUMBER if attacks else moves | 1 << NUMBER


@compiled
def summed(pairs: Words, ply: int, rows: int, attacks: int) -> tuple[int, int, int, int]:
    """The pair of a position from those after it; the best move, and what the second best costs."""
    least, second, best, total = ENDLESS, ENDLESS, 0, 0
    for row in range(rows):
        pair = pairs[ply, row]
        cost, more = (proof(pair), disproof(pair)) if attacks else (disproof(pair), proof(pair))
        total += more
        if cost < least:
            least, second, best = cost, least, row
        elif cost < second:
            second = cost
    total = min(total, ENDLESS - 1) if least > 0 else ENDLESS
    pair = least | total << NUMBER if attacks else total | least << NUMBER
    return pair, best, second, total


@compiled
def search(
    state: Any,
    name: int,
    left: int,
    proof_limit: int,
    disproof_limit: int,
    ply: int,
    scratch: Scratch,
    table: Words,
    tally: Words,
) -> int:
    """Search below a position until a number reaches its limit; returns its pair."""
    started = tally[NODES]
    tally[NODES] += 1
    attacks = scratch.attacks[state.turn]
    out, pairs = scratch.out[ply], scratch.pairs
    rows = successors(state, out)
    settled = PROVED if attacks else DISPROVED
    pair = 0
    for row in range(rows):
        pairs[ply, row] = first_look(load(state, out, row), left - 1, scratch, ply, row, table)
        if pairs[ply, row] == settled:
            pair = settled
            break
    while pair != settled:
        pair, best, second, total = summed(pairs, ply, rows, attacks)
        if (
            proof(pair) >= proof_limit
            or disproof(pair) >= disproof_limit
            or tally[NODES] >= tally[BUDGET]
        ):
            break
        # A little more than the second best, so as not to jump to and fro between the two.
        near = second + second // 4 + 1
        below = pairs[ply, best]
        if attacks:
            one = min(proof_limit, near)
            two = disproof_limit - total + disproof(below)
        else:
            one = proof_limit - total + proof(below)
            two = min(disproof_limit, near)
        pairs[ply, best] = search(
            load(state, out, best),
            scratch.keys[ply, best],
            left - 1,
            one,
            two,
            ply + 1,
            scratch,
            table,
            tally,
        )
    tally[USED] += stored(table, name, left, pair, tally[NODES] - started)
    return pair
