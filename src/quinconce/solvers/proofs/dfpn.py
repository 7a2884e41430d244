"""Proof-number search, depth first, for a win within a number of plies: what is compiled of it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.compiled import compiled, entry
from quinconce.kernels.protocol import (
    MUST_ANSWER,
    WIN_IN_ONE,
    SuccessorRows,
    canonical,
    key,
    load,
    successor_count,
    successors,
    urgency,
    winner,
)

# The question is always: does the attacker's side win within N plies? The proof number of a
# position says how many more positions must be won, at least, to answer yes; the disproof number,
# how many must not be won to answer no. Both are at most INFINITY, which stands for never.
NUMBER_BITS: Final = 24  # bits
INFINITY: Final = (1 << NUMBER_BITS) - 1
PLIES_BITS: Final = 7  # bits
DEEPEST_PROOF: Final = (1 << PLIES_BITS) - 1
PROVED: Final = INFINITY << NUMBER_BITS  # proof number 0; a pair is proof | disproof << NUMBER_BITS
DISPROVED: Final = INFINITY
TO_LOOK_UP: Final = -1  # no pair: the table is to be asked
THREATENED: Final = -2  # the same, where a threat must be answered
# Four slots of a table lie in one line of the processor's cache. A slot is the key of a position
# with its symmetric ones, then from the lowest bit: a pair, the plies left, and the logarithm of
# the work below. Positions with the same board but other plies left share their four slots.
BUCKET_SLOTS: Final = 4
SLOT_BYTES: Final = 16
ATTACKER_KEY: Final = 0x2545F4914F6CDD1D  # in the key of a position where the attacker moves
NODES, BUDGET, USED = 0, 1, 2  # the places of a tally


class Scratch(NamedTuple):
    """Room for one search, none of which holds anything between two."""

    out: SuccessorRows  # the successors, ply by ply
    keys: Int64Array
    pairs: Int64Array
    attacker_moves: Int64Array  # by turn: whether the attacker moves
    side: int  # the attacker's


@compiled
def proof_number(pair: int) -> int:
    """The proof number of a pair."""
    return pair & INFINITY


@compiled
def disproof_number(pair: int) -> int:
    """The disproof number of a pair."""
    return pair >> NUMBER_BITS & INFINITY


@compiled
def probe_table(table: Int64Array, position_key: int, left: int) -> int:
    """The pair of a position with a number of plies left; 0 if the table does not know it.

    Who wins within some plies wins within more, and who does not does not within fewer.
    """
    first = (position_key & (table.shape[0] // BUCKET_SLOTS - 1)) * BUCKET_SLOTS
    for slot in range(first, first + BUCKET_SLOTS):
        if table[slot, 0] == position_key:
            word: int = table[slot, 1]
            plies = word >> 2 * NUMBER_BITS & DEEPEST_PROOF
            if plies == left or (plies < left and proof_number(word) == 0 and word != 0):
                return word & (1 << 2 * NUMBER_BITS) - 1
            if plies > left and disproof_number(word) == 0 and word != 0:
                return word & (1 << 2 * NUMBER_BITS) - 1
    return 0


@compiled
def store_word(table: Int64Array, name: int, word: int) -> int:
    """Keep a word in place of what cost least; returns how many more slots are in use."""
    first = (name & (table.shape[0] // BUCKET_SLOTS - 1)) * BUCKET_SLOTS
    place, least = first, INFINITY
    for slot in range(first, first + BUCKET_SLOTS):
        other = table[slot, 1]
        if table[slot, 0] == name and (other ^ word) >> 2 * NUMBER_BITS & DEEPEST_PROOF == 0:
            place = slot
            break
        cost = other >> 2 * NUMBER_BITS + PLIES_BITS
        if cost < least:
            place, least = slot, cost
    fresh = table[place, 1] == 0
    table[place, 0] = name
    table[place, 1] = word
    return 1 if fresh else 0


@compiled
def store_pair(table: Int64Array, name: int, left: int, pair: int, work: int) -> int:
    """Keep a pair that `work` nodes were searched for; returns how many more slots are in use."""
    effort = 1
    while work > 1:
        effort += 1
        work >>= 1
    return store_word(
        table, name, pair | left << 2 * NUMBER_BITS | effort << 2 * NUMBER_BITS + PLIES_BITS
    )


@compiled
def rehash_table(old: Int64Array, new: Int64Array) -> None:
    """Put everything into a table of another size."""
    for slot in range(old.shape[0]):
        if old[slot, 1]:
            store_word(new, old[slot, 0], old[slot, 1])


@compiled
def settle_last_ply(state: Any, out: SuccessorRows, side: int) -> int:
    """The answer with one ply left, which is the defender's: yes if each of their moves loses."""
    rows = successors(state, out)
    for row in range(rows):
        if winner(load(state, out, row)) != side:
            return DISPROVED
    return PROVED


@compiled
def pair_without_table(state: Any, left: int, scratch: Scratch, ply: int, row: int) -> int:
    """The pair of a position that needs no search; else TO_LOOK_UP or THREATENED, its key kept."""
    side = winner(state)
    if side >= 0:
        return PROVED if side == scratch.side else DISPROVED
    if left == 0:
        return DISPROVED
    attacks = scratch.attacker_moves[state.turn]
    pressure = urgency(state)
    if pressure == WIN_IN_ONE:
        return PROVED if attacks else DISPROVED
    if left == 1:
        return DISPROVED if attacks else settle_last_ply(state, scratch.out[ply + 1], scratch.side)
    scratch.keys[ply, row] = key(canonical(state)) ^ (ATTACKER_KEY if attacks else 0)
    return THREATENED if pressure == MUST_ANSWER else TO_LOOK_UP


@compiled
def pair_with_table(
    state: Any, left: int, found: int, scratch: Scratch, name: int, table: Int64Array
) -> int:
    """The pair of a position that has to be looked up, as `pair_without_table` says."""
    pair = probe_table(table, name, left)
    if pair:
        return pair
    # Under a threat almost everything loses at once, so that it is worth following.
    moves = 1 if found == THREATENED else successor_count(state)
    if scratch.attacker_moves[state.turn]:
        return 1 | moves << NUMBER_BITS
    return moves | 1 << NUMBER_BITS


@entry
def initial_pair(
    state: Any, left: int, scratch: Scratch, ply: int, row: int, table: Int64Array
) -> int:
    """The pair of a position before it is searched."""
    pair = pair_without_table(state, left, scratch, ply, row)
    if pair < 0:
        pair = pair_with_table(state, left, pair, scratch, scratch.keys[ply, row], table)
    return pair


@compiled
def initial_pairs(
    state: Any, rows: int, left: int, settled: int, scratch: Scratch, ply: int, table: Int64Array
) -> bool:
    """The pairs of all positions after one, before they are searched; whether one settles it.

    The table is read when all keys are known: the processor then waits for its lines together.
    """
    out, pairs = scratch.out[ply], scratch.pairs
    for row in range(rows):
        pair = pair_without_table(load(state, out, row), left, scratch, ply, row)
        pairs[ply, row] = pair
        if pair == settled:
            return True
    for row in range(rows):
        pair = pairs[ply, row]
        if pair < 0:
            after = load(state, out, row)
            pair = pair_with_table(after, left, pair, scratch, scratch.keys[ply, row], table)
            pairs[ply, row] = pair
            if pair == settled:
                return True
    return False


@compiled
def combine_pairs(
    pairs: Int64Array, ply: int, rows: int, attacks: int
) -> tuple[int, int, int, int]:
    """The pair of a position from those after it; the best move, and what the second best costs."""
    least, second, best, total = INFINITY, INFINITY, 0, 0
    for row in range(rows):
        pair = pairs[ply, row]
        cost, more = (
            (proof_number(pair), disproof_number(pair))
            if attacks
            else (disproof_number(pair), proof_number(pair))
        )
        total += more
        if cost < least:
            least, second, best = cost, least, row
        elif cost < second:
            second = cost
    total = min(total, INFINITY - 1) if least > 0 else INFINITY
    pair = least | total << NUMBER_BITS if attacks else total | least << NUMBER_BITS
    return pair, best, second, total


@entry
def search(
    state: Any,
    name: int,
    left: int,
    proof_limit: int,
    disproof_limit: int,
    ply: int,
    scratch: Scratch,
    table: Int64Array,
    tally: Int64Array,
) -> int:
    """Search below a position until a number reaches its limit; returns its pair."""
    started = tally[NODES]
    tally[NODES] += 1
    attacks = scratch.attacker_moves[state.turn]
    out, pairs = scratch.out[ply], scratch.pairs
    rows = successors(state, out)
    settled = PROVED if attacks else DISPROVED
    pair = settled if initial_pairs(state, rows, left - 1, settled, scratch, ply, table) else 0
    while pair != settled:
        pair, best, second, total = combine_pairs(pairs, ply, rows, attacks)
        if (
            proof_number(pair) >= proof_limit
            or disproof_number(pair) >= disproof_limit
            or tally[NODES] >= tally[BUDGET]
        ):
            break
        # A little more than the second best, so as not to jump to and fro between the two.
        near = second + second // 4 + 1
        below = pairs[ply, best]
        if attacks:
            one = min(proof_limit, near)
            two = disproof_limit - total + disproof_number(below)
        else:
            one = proof_limit - total + proof_number(below)
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
    tally[USED] += store_pair(table, name, left, pair, tally[NODES] - started)
    return pair
