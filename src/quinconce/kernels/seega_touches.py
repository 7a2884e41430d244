"""The moves of Seega a touch at a time: cells to place on, or a pawn and the cells it goes to."""

from __future__ import annotations

from typing import Any

from quinconce.kernels.compiled import compiled, implements
from quinconce.kernels.custodian import (
    Cells,
    adjacent_cells,
    board_mask,
    capture_targets,
    cells_between,
    centre_mask,
    count_cells,
    pawns,
    reachable_cells,
    row_stride,
    shift_cells,
    step_shift,
)
from quinconce.kernels.protocol import (
    SuccessorRows,
    Touches,
    after_touches,
    next_touches,
    reserve_count,
    winner,
    write_pieces,
)
from quinconce.kernels.seega_bitboards import SeegaState, SeegaWideState, cell_number, store_row
from quinconce.kernels.seega_moves import missing_ring_cells


def longest_path(size: int) -> int:
    """The most touches of a turn: a pawn, and a cell for each enemy that it takes."""
    return 1 + (size * size - 1) // 2


@compiled
def cell_set(state: Any, cell: int) -> Cells:
    """The set of one cell."""
    size, line = state.size, row_stride(state)
    corner = centre_mask(state) >> (size // 2 * (line + 1))
    return corner << (cell // size * line + cell % size)


@compiled
def append_cells(state: Any, cells: Cells, out: Touches) -> int:
    """Write the numbers of cells; how many they are."""
    n = 0
    while cells != 0:
        one = cells & -cells
        cells ^= one
        at = cell_number(state, one)
        out[n] = at - at // row_stride(state)
        n += 1
    return n


@compiled
def pawns_reaching(state: Any, own: Cells, empty: Cells, targets: Cells) -> Cells:
    """The pawns that can move to one of some empty cells: a move read backwards."""
    comers = own & empty  # nobody
    for direction in range(4):
        up, down = step_shift(state, direction)
        front = targets
        while front != 0:
            front = shift_cells(state, front, up, down)
            comers = comers | front & own
            if state.step:
                break
            front = front & empty
    return comers


@compiled
def opening_cells(state: Any, own: Cells, foe: Cells, start: Cells) -> Cells:
    """Where a pawn can go so that the blocked enemy can move: it leaves or leaves open a cell."""
    empty = board_mask(state) ^ own ^ foe
    ends = reachable_cells(state, start, empty)
    found = own & empty  # nothing
    while ends != 0:
        to = ends & -ends
        ends ^= to
        if adjacent_cells(state, foe) & (empty ^ start ^ to) != 0:
            found = found | to
    return found


@compiled
def opening_pawns(state: Any, own: Cells, foe: Cells) -> Cells:
    """The pawns that can let the blocked enemy out."""
    left = own
    found = own ^ own
    while left != 0:
        one = left & -left
        left ^= one
        if opening_cells(state, own, foe, one) != 0:
            found = found | one
    return found


@compiled
def cells_to_place_on(
    state: Any, own: Cells, foe: Cells, path: Touches, length: int
) -> tuple[Cells, bool]:
    """Where the next of two pawns can be placed, and whether both are."""
    free = board_mask(state) ^ centre_mask(state) ^ own ^ foe
    if length == 2:
        return free ^ free, True
    lacking = missing_ring_cells(state, own)
    one = cell_set(state, path[0]) if length == 1 else free ^ free
    left = free ^ one
    if count_cells(state, free) > 2 and count_cells(state, lacking ^ (lacking & free)) == 0:
        closing = lacking & left
        if count_cells(state, closing) == 1:  # this cell would close the ring
            left ^= closing
    return left, False


@compiled
def next_cells(
    state: Any, own: Cells, foe: Cells, path: Touches, length: int
) -> tuple[Cells, bool]:
    """The cells that may be touched next once all pawns are placed; whether the path is a move."""
    empty = board_mask(state) ^ own ^ foe
    targets = capture_targets(state, own, foe)
    takers = pawns_reaching(state, own, empty, targets)
    if length == 0:
        if takers != 0:
            return takers, False
        movers = own & adjacent_cells(state, empty)
        if state.duty:
            openers = opening_pawns(state, own, foe)
            if openers != 0:
                return openers, False
        if movers != 0:
            return movers, False
        if state.remove:
            return own, False
        return movers, True
    start = cell_set(state, path[0])
    if takers != 0:
        own, foe, at = follow_captures(state, own, foe, path, length)
        further = capture_targets(state, own, foe) & reachable_cells(
            state, at, board_mask(state) ^ own ^ foe
        )
        return further, length > 1 and (count_cells(state, further) == 0 or state.optional == 1)
    if (
        count_cells(state, own & adjacent_cells(state, empty)) == 0
    ):  # one takes off pawns of one's own
        if length == 1 and state.turn == 0 and own ^ start != 0:
            return own ^ start, False
        return empty ^ empty, True
    if length == 2:
        return empty ^ empty, True
    if state.duty and opening_pawns(state, own, foe) != 0:
        return opening_cells(state, own, foe, start), False
    return reachable_cells(state, start, empty), False


@compiled
def follow_captures(
    state: Any, own: Cells, foe: Cells, path: Touches, length: int
) -> tuple[Cells, Cells, Cells]:
    """Both sides after a pawn has captured along a path, and where that pawn is."""
    at = cell_set(state, path[0])
    for n in range(1, length):
        to = cell_set(state, path[n])
        foe ^= foe & (board_mask(state) ^ centre_mask(state)) & cells_between(state, to, own)
        own = own ^ at ^ to
        at = to
    return own, foe, at


@implements(next_touches, SeegaWideState)
@implements(next_touches, SeegaState)
def _next_touches(state: Any, path: Touches, length: int, places: Touches) -> tuple[int, bool]:
    own, foe = pawns(state, state.turn), pawns(state, 1 - state.turn)
    if state.phase == 1:
        cells, whole = cells_to_place_on(state, own, foe, path, length)
        return append_cells(state, cells, places), whole
    if winner(state) >= 0:
        return 0, False
    cells, whole = next_cells(state, own, foe, path, length)
    return append_cells(state, cells, places), whole


@implements(after_touches, SeegaWideState)
@implements(after_touches, SeegaState)
def _after_touches(state: Any, path: Touches, length: int, out: SuccessorRows, row: int) -> None:
    own, foe = pawns(state, state.turn), pawns(state, 1 - state.turn)
    phase, duty = 2, 0
    if state.phase == 1:
        free = board_mask(state) ^ centre_mask(state) ^ own ^ foe
        phase = 2 if count_cells(state, free) == 2 else 1
        own = own | cell_set(state, path[0]) | cell_set(state, path[1])
    elif length == 0:
        duty = 1
    elif count_cells(state, own & adjacent_cells(state, board_mask(state) ^ own ^ foe)) == 0:
        for n in range(length):
            own ^= cell_set(state, path[n])
    else:
        own, foe, _at = follow_captures(state, own, foe, path, length)
    store_row(state, out, row, own, foe, phase, duty)


@implements(write_pieces, SeegaWideState)
@implements(write_pieces, SeegaState)
def _write_pieces(state: Any, pieces: Touches) -> None:
    white, black = pawns(state, 0), pawns(state, 1)
    for cell in range(state.size * state.size):
        one = cell_set(state, cell)
        pieces[cell] = 1 if white & one != 0 else 2 if black & one != 0 else 0


@implements(reserve_count, SeegaWideState)
@implements(reserve_count, SeegaState)
def _reserve_count(state: Any, kind: int) -> int:
    if state.phase == 2:
        return 0
    return int((state.size * state.size - 1) // 2 - count_cells(state, pawns(state, kind)))
