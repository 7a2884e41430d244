"""The moves of Seega, written or counted: placings, captures, plain moves, a blocked player's."""

from __future__ import annotations

from typing import Any, Final

from quinconce.kernels.compiled import compiled, int64
from quinconce.kernels.custodian import (
    Cells,
    adjacent_cells,
    board_mask,
    capture_targets,
    cells_between,
    centre_mask,
    count_cells,
    pawns,
    shift_cells,
    step_shift,
)
from quinconce.kernels.protocol import SuccessorRows, load
from quinconce.kernels.seega_bitboards import store_row

# Under the duty to open, the plays that open are counted from this bit on, and all plays below it.
OPENING_SHIFT: Final = 32

# The rules, the same for every kind of state. `out` is None where plays are only counted.


@compiled
def append_or_count(
    state: Any, out: SuccessorRows | None, row: int, own: Cells, foe: Cells, phase: int, duty: int
) -> int:
    """Write a successor, or count it; returns the next free row."""
    if out is None:
        if state.duty and adjacent_cells(state, foe) & (board_mask(state) ^ own ^ foe) != 0:
            return row + 1 + (1 << OPENING_SHIFT)
        return row + 1
    if row == len(out):
        return row
    store_row(state, out, row, own, foe, phase, duty)
    return row + 1


@compiled
def keep_opening_moves(state: Any, out: SuccessorRows, rows: int) -> int:
    """Under the duty to open, keep the rows that let the blocked player out, if there are any."""
    kept = 0
    for row in range(rows):
        after = load(state, out, row)
        own, foe = pawns(after, state.turn), pawns(after, after.turn)
        if adjacent_cells(state, foe) & (board_mask(state) ^ own ^ foe) != 0:
            kept = append_or_count(state, out, kept, own, foe, 2, 0)
    return kept or rows


@compiled
def missing_ring_cells(state: Any, own: Cells) -> Cells:
    """What Black lacks of the ring, which they may not fill at once. Nothing binds White."""
    if state.turn == 0:
        return board_mask(state)
    return adjacent_cells(state, centre_mask(state)) & (board_mask(state) ^ own)


@compiled
def append_placings(state: Any, out: SuccessorRows, own: Cells, foe: Cells) -> int:
    """Two pawns on empty cells but the centre; Black closes the ring only if they have to."""
    free = board_mask(state) ^ centre_mask(state) ^ own ^ foe
    phase = 2 if count_cells(state, free) == 2 else 1
    row = 0
    for kept in (missing_ring_cells(state, own), board_mask(state)):
        if row > 0:
            break
        ones = free
        while ones != 0:
            one = ones & -ones
            ones ^= one
            twos = ones
            while twos != 0:
                two = twos & -twos
                twos ^= two
                pair = one | two
                if kept ^ (kept & pair) != 0:
                    row = append_or_count(state, out, row, own | pair, foe, phase, 0)
    return row


@compiled
def count_placings(state: Any, own: Cells, foe: Cells) -> int:
    """How many rows `append_placings` writes."""
    free = board_mask(state) ^ centre_mask(state) ^ own ^ foe
    kept = missing_ring_cells(state, own)
    n = count_cells(state, free)
    pairs = n * (n - 1) // 2
    if kept ^ (kept & free) != 0:
        return pairs
    lacking = count_cells(state, kept)
    barred = n - 1 if lacking == 1 else 1 if lacking == 2 else 0
    return pairs - barred or pairs


@compiled
def nonliteral_zero() -> int:
    """Nought, but not as a literal."""
    return int(int64(0))


@compiled
def append_captures(
    state: Any, out: SuccessorRows | None, row: int, own: Cells, foe: Cells, movers: Cells
) -> int:
    """The capturing moves of some pawns, chains included.

    Start at `nonliteral_zero()`, not at 0: for a literal Numba compiles a function of its own,
    which does not call itself but another, and such a call aborts when it comes from the cache.
    """
    if out is not None and row == len(out):
        return row
    empty = board_mask(state) ^ own ^ foe
    prey = foe & (board_mask(state) ^ centre_mask(state))
    targets = capture_targets(state, own, foe)
    if targets != 0:
        for direction in range(4):
            up, down = step_shift(state, direction)
            back_up, back_down = down, up
            front = shift_cells(state, movers, up, down) & empty
            while front != 0:
                hits = front & targets
                while hits != 0:
                    to = hits & -hits
                    hits ^= to
                    caught = prey & cells_between(state, to, own)
                    start = to << back_up >> back_down
                    left = foe ^ caught
                    arrived = own ^ start ^ to
                    after = append_captures(state, out, row, arrived, left, to)
                    if after == row or state.optional:
                        after = append_or_count(state, out, after, arrived, left, 2, 0)
                    row = after
                if state.step:
                    break
                front = shift_cells(state, front, up, down) & empty
                back_up += down
                back_down += up
    return row


@compiled
def append_plain_moves(state: Any, out: SuccessorRows | None, own: Cells, foe: Cells) -> int:
    """The moves that capture nothing: allowed only where no capture is possible."""
    empty = board_mask(state) ^ own ^ foe
    row = 0
    for direction in range(4):
        up, down = step_shift(state, direction)
        back_up, back_down = down, up
        front = shift_cells(state, own, up, down) & empty
        while front != 0:
            ends = front
            while ends != 0:
                to = ends & -ends
                ends ^= to
                row = append_or_count(
                    state, out, row, own ^ to ^ (to << back_up >> back_down), foe, 2, 0
                )
            if state.step:
                break
            front = shift_cells(state, front, up, down) & empty
            back_up += down
            back_down += up
    return row


@compiled
def count_plain_moves(state: Any, own: Cells, foe: Cells) -> int:
    """How many rows `append_plain_moves` writes: each front has a cell for each pawn."""
    empty = board_mask(state) ^ own ^ foe
    total = 0
    for direction in range(4):
        up, down = step_shift(state, direction)
        front = shift_cells(state, own, up, down) & empty
        while front != 0:
            total += count_cells(state, front)
            if state.step:
                break
            front = shift_cells(state, front, up, down) & empty
    return total


@compiled
def append_blocked_moves(state: Any, out: SuccessorRows, own: Cells, foe: Cells) -> int:
    """A blocked player passes, or removes their pawns: White two, Black one, or all they have."""
    if not state.remove:
        return append_or_count(state, out, 0, own, foe, 2, 1)
    row = 0
    single = state.turn == 1 or count_cells(state, own) == 1
    ones = own
    while ones != 0:
        one = ones & -ones
        ones ^= one
        if single:
            row = append_or_count(state, out, row, own ^ one, foe, 2, 0)
        else:
            twos = ones
            while twos != 0:
                two = twos & -twos
                twos ^= two
                row = append_or_count(state, out, row, own ^ one ^ two, foe, 2, 0)
    return row


@compiled
def count_blocked_moves(state: Any, own: Cells) -> int:
    """How many rows `append_blocked_moves` writes."""
    n = count_cells(state, own)
    if not state.remove:
        return 1
    return n if state.turn == 1 or n == 1 else n * (n - 1) // 2
