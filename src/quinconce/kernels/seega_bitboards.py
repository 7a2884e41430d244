"""Positions of Seega as words: one for each colour's pawns, or two on the widest board."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from quinconce.core.game import EMPTY
from quinconce.kernels.array_types import constant_table
from quinconce.kernels.bits import mix64, popcount
from quinconce.kernels.compiled import by_state, implements
from quinconce.kernels.custodian import (
    ZONES,
    Cells,
    board_mask,
    centre_mask,
    count_cells,
    pawns,
    row_stride,
    shift_cells,
    zone_mask,
)
from quinconce.kernels.protocol import SuccessorRows, key, load
from quinconce.kernels.wide_bitboard import (
    LOW_BITS,
    LOW_MASK,
    high_word,
    low_word,
    shift_wide,
    wide_cells,
)

BOARD_SIZES: Final = (5, 7, 9)


def cell_bit(size: int, cell: int) -> int:
    """A cell of the plain board as a set."""
    return 1 << (cell // size * (size + 1) + cell % size)


BOARD_MASKS: Final = {
    size: sum(cell_bit(size, cell) for cell in range(size * size)) for size in BOARD_SIZES
}
CENTRE_MASKS: Final = {size: cell_bit(size, size * size // 2) for size in BOARD_SIZES}
BOARD_5, BOARD_7, BOARD_9, BOARD_LOW, BOARD_HIGH = (
    BOARD_MASKS[5],
    BOARD_MASKS[7],
    BOARD_MASKS[9],
    BOARD_MASKS[9] & LOW_MASK,
    BOARD_MASKS[9] >> LOW_BITS,
)
CENTRE_5, CENTRE_7, CENTRE_LOW = CENTRE_MASKS[5], CENTRE_MASKS[7], CENTRE_MASKS[9]


def zone_of_cell(size: int, cell: int) -> tuple[int, str]:
    """The zone of a cell: its ring around the centre, and how it lies there."""
    across, along = sorted((abs(cell // size - size // 2), abs(cell % size - size // 2)))
    return along, "straight" if across == 0 else "corner" if across == along else "rest"


def zone_words(size: int, zone: tuple[int, str]) -> list[int]:
    """The cells of a zone in two words, of which the second is for the widest board."""
    if size not in BOARD_SIZES:
        return [0, 0]
    cells = (cell for cell in range(size * size) if cell != size * size // 2)
    word = sum(cell_bit(size, cell) for cell in cells if zone_of_cell(size, cell) == zone)
    return [word & LOW_MASK, word >> LOW_BITS] if size == 9 else [word, 0]


# By size.
ZONE_MASKS = constant_table(
    lambda: [[zone_words(size, zone) for zone in ZONES] for size in range(10)]
)


# A board as the digits of a number: the pawns of one colour, White's first.
COLOUR_DIGITS: Final = [
    str.maketrans({own: "1", other: "0", EMPTY: "0"}) for own, other in ("wb", "bw")
]


@lru_cache(1 << 12)  # a search asks again for every position of the match
def pawn_bitboards(board: str, size: int) -> tuple[int, int]:
    """The pawns of White and of Black on a plain board."""
    lines = (board[i : i + size] for i in range(0, size * size, size))
    text = EMPTY.join(lines)[::-1]  # the cell of the lowest bit is written last
    white, black = (int(text.translate(only), 2) for only in COLOUR_DIGITS)
    return white, black


class SeegaState(NamedTuple):
    """A position on 5×5 or 7×7, then the options."""

    white: int
    black: int
    turn: int
    phase: int
    duty: int
    size: int
    step: int
    optional: int
    remove: int


class SeegaWideState(NamedTuple):
    """A position on 9×9, then the options."""

    white_low: int
    white_high: int
    black_low: int
    black_high: int
    turn: int
    phase: int
    duty: int
    size: int
    step: int
    optional: int
    remove: int


# What differs by kind of state.


@by_state
def cell_number(state: Any, one: Cells) -> int:
    """The number of the bit of a single cell."""
    raise NotImplementedError


@by_state
def store_row(
    state: Any, out: SuccessorRows, row: int, own: Cells, foe: Cells, phase: int, duty: int
) -> None:
    """Write a row, but for the options, which `load` has from the state before."""
    raise NotImplementedError


@implements(pawns, SeegaState)
def _pawns(state: SeegaState, colour: int) -> int:
    return state.white if colour == 0 else state.black


@implements(pawns, SeegaWideState)
def _wide_pawns(state: SeegaWideState, colour: int) -> Cells:
    if colour == 0:
        return wide_cells(state.white_low, state.white_high)
    return wide_cells(state.black_low, state.black_high)


@implements(board_mask, SeegaState)
def _board_mask(state: SeegaState) -> int:
    return BOARD_5 if state.size == 5 else BOARD_7


@implements(board_mask, SeegaWideState)
def _wide_board_mask(state: SeegaWideState) -> Cells:
    return wide_cells(BOARD_LOW, BOARD_HIGH)


@implements(centre_mask, SeegaState)
def _centre_mask(state: SeegaState) -> int:
    return CENTRE_5 if state.size == 5 else CENTRE_7


@implements(centre_mask, SeegaWideState)
def _wide_centre_mask(state: SeegaWideState) -> Cells:
    return wide_cells(CENTRE_LOW, 0)


@implements(zone_mask, SeegaState)
def _zone_mask(state: SeegaState, n: int) -> int:
    return int(ZONE_MASKS[state.size, n, 0])


@implements(zone_mask, SeegaWideState)
def _wide_zone_mask(state: SeegaWideState, n: int) -> Cells:
    return wide_cells(ZONE_MASKS[9, n, 0], ZONE_MASKS[9, n, 1])


@implements(row_stride, SeegaState)
def _row_stride(state: SeegaState) -> int:
    return state.size + 1


@implements(row_stride, SeegaWideState)
def _wide_row_stride(state: SeegaWideState) -> int:
    return 10  # known beforehand, so that shifts by it cost less


@implements(shift_cells, SeegaState)
def _shift_cells(state: SeegaState, cells: int, up: int, down: int) -> int:
    return cells << up >> down


@implements(shift_cells, SeegaWideState)
def _wide_shift_cells(state: SeegaWideState, cells: Cells, up: int, down: int) -> Cells:
    return shift_wide(cells, up, down)


@implements(count_cells, SeegaState)
def _count_cells(state: SeegaState, cells: int) -> int:
    return popcount(cells)


@implements(count_cells, SeegaWideState)
def _wide_count_cells(state: SeegaWideState, cells: Cells) -> int:
    return popcount(low_word(cells)) + popcount(high_word(cells))


@implements(cell_number, SeegaState)
def _cell_number(state: SeegaState, one: int) -> int:
    return popcount(one - 1)


@implements(cell_number, SeegaWideState)
def _wide_cell_number(state: SeegaWideState, one: Cells) -> int:
    if low_word(one):
        return popcount(low_word(one) - 1)
    return LOW_BITS + popcount(high_word(one) - 1)


@implements(store_row, SeegaState)
def _store_row(
    state: Any, out: SuccessorRows, row: int, own: int, foe: int, phase: int, duty: int
) -> None:
    out[row, 0], out[row, 1] = (own, foe) if state.turn == 0 else (foe, own)
    out[row, 2], out[row, 3], out[row, 4] = 1 - state.turn, phase, duty


@implements(store_row, SeegaWideState)
def _wide_store_row(
    state: Any,
    out: SuccessorRows,
    row: int,
    own: Cells,
    foe: Cells,
    phase: int,
    duty: int,
) -> None:
    white, black = (own, foe) if state.turn == 0 else (foe, own)
    out[row, 0], out[row, 1] = low_word(white), high_word(white)
    out[row, 2], out[row, 3] = low_word(black), high_word(black)
    out[row, 4], out[row, 5], out[row, 6] = 1 - state.turn, phase, duty


@implements(load, SeegaState)
def _load(state: SeegaState, out: SuccessorRows, row: int) -> SeegaState:
    return SeegaState(out[row, 0], out[row, 1], out[row, 2], out[row, 3], out[row, 4], *state[5:])


@implements(load, SeegaWideState)
def _wide_load(state: SeegaWideState, out: SuccessorRows, row: int) -> SeegaWideState:
    white, black = (out[row, 0], out[row, 1]), (out[row, 2], out[row, 3])
    return SeegaWideState(*white, *black, out[row, 4], out[row, 5], out[row, 6], *state[7:])


@implements(key, SeegaState)
def _key(state: SeegaState) -> int:
    rest = state.turn | (state.phase - 1) << 1 | state.duty << 2
    return mix64(mix64(state.white << 3 | rest) + state.black)


@implements(key, SeegaWideState)
def _wide_key(state: SeegaWideState) -> int:
    rest = state.turn | (state.phase - 1) << 1 | state.duty << 2
    white = mix64(mix64(state.white_low << 3 | rest) + state.white_high)
    return mix64(mix64(white + state.black_low) + state.black_high)
