"""Positions of Seega as words: one for each colour's pawns, or two on the widest board."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from quinconce.core.game import EMPTY
from quinconce.kernels.bits import bits, mixed
from quinconce.kernels.compiled import implements
from quinconce.kernels.custodian import (
    ZONES,
    Cells,
    board,
    centre,
    line_of,
    pawns,
    size_of,
    stepped,
    zone,
)
from quinconce.kernels.protocol import Rows, key, load
from quinconce.kernels.wide_bitboard import LOW, LOW_ALL, WideCells, nudged

SIZES: Final = (5, 7, 9)


def bit(size: int, cell: int) -> int:
    """A cell of the plain board as a set."""
    return 1 << (cell // size * (size + 1) + cell % size)


BOARD: Final = {size: sum(bit(size, cell) for cell in range(size * size)) for size in SIZES}
CENTRE: Final = {size: bit(size, size * size // 2) for size in SIZES}
BOARD_5, BOARD_7, BOARD_LOW, BOARD_HIGH = BOARD[5], BOARD[7], BOARD[9] & LOW_ALL, BOARD[9] >> LOW
CENTRE_5, CENTRE_7, CENTRE_LOW = CENTRE[5], CENTRE[7], CENTRE[9]


def zone_at(size: int, cell: int) -> tuple[int, str]:
    """The zone of a cell: its ring around the centre, and how it lies there."""
    across, along = sorted((abs(cell // size - size // 2), abs(cell % size - size // 2)))
    return along, "straight" if across == 0 else "corner" if across == along else "rest"


ZONE = np.zeros((10, len(ZONES), 2), np.int64)  # by size; the second word for the widest board
for size in SIZES:
    for cell in range(size * size):
        if cell != size * size // 2:
            here = bit(size, cell)
            low, high = (here & LOW_ALL, here >> LOW) if size == 9 else (here, 0)
            ZONE[size, ZONES.index(zone_at(size, cell))] |= (low, high)


# A board as the digits of a number: the pawns of one colour, White's first.
ONLY: Final = [str.maketrans({own: "1", other: "0", EMPTY: "0"}) for own, other in ("wb", "bw")]


@lru_cache(1 << 12)  # a search asks again for every position of the match
def words(board: str, size: int) -> tuple[int, int]:
    """The pawns of White and of Black on a plain board."""
    lines = (board[i : i + size] for i in range(0, size * size, size))
    text = EMPTY.join(lines)[::-1]  # the cell of the lowest bit is written last
    white, black = (int(text.translate(only), 2) for only in ONLY)
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


def place(state: Any, one: Cells) -> int:
    """The number of the bit of a single cell."""
    raise NotImplementedError


def write(state: Any, out: Rows, row: int, own: Cells, foe: Cells, phase: int, duty: int) -> None:
    """Write a row, but for the options, which `load` has from the state before."""
    raise NotImplementedError


@implements(pawns, SeegaState)
def _pawns(state: SeegaState, colour: int) -> int:
    return state.white if colour == 0 else state.black


@implements(pawns, SeegaWideState)
def _wide_pawns(state: SeegaWideState, colour: int) -> WideCells:
    if colour == 0:
        return WideCells(state.white_low, state.white_high)
    return WideCells(state.black_low, state.black_high)


@implements(board, SeegaState)
def _board(state: SeegaState) -> int:
    return BOARD_5 if state.size == 5 else BOARD_7


@implements(board, SeegaWideState)
def _wide_board(state: SeegaWideState) -> WideCells:
    return WideCells(BOARD_LOW, BOARD_HIGH)


@implements(centre, SeegaState)
def _centre(state: SeegaState) -> int:
    return CENTRE_5 if state.size == 5 else CENTRE_7


@implements(centre, SeegaWideState)
def _wide_centre(state: SeegaWideState) -> WideCells:
    return WideCells(CENTRE_LOW, 0)


@implements(zone, SeegaState)
def _zone(state: SeegaState, n: int) -> int:
    return int(ZONE[state.size, n, 0])


@implements(zone, SeegaWideState)
def _wide_zone(state: SeegaWideState, n: int) -> WideCells:
    return WideCells(ZONE[9, n, 0], ZONE[9, n, 1])


@implements(line_of, SeegaState)
def _line_of(state: SeegaState) -> int:
    return state.size + 1


@implements(line_of, SeegaWideState)
def _wide_line_of(state: SeegaWideState) -> int:
    return 10  # known beforehand, so that shifts by it cost less


@implements(stepped, SeegaState)
def _stepped(state: SeegaState, cells: int, up: int, down: int) -> int:
    return cells << up >> down


@implements(stepped, SeegaWideState)
def _wide_stepped(state: SeegaWideState, cells: WideCells, up: int, down: int) -> WideCells:
    return nudged(cells, up, down)


@implements(size_of, SeegaState)
def _size_of(state: SeegaState, cells: int) -> int:
    return bits(cells)


@implements(size_of, SeegaWideState)
def _wide_size_of(state: SeegaWideState, cells: WideCells) -> int:
    return bits(cells.low) + bits(cells.high)


@implements(place, SeegaState)
def _place(state: SeegaState, one: int) -> int:
    return bits(one - 1)


@implements(place, SeegaWideState)
def _wide_place(state: SeegaWideState, one: WideCells) -> int:
    return bits(one.low - 1) if one.low else LOW + bits(one.high - 1)


@implements(write, SeegaState)
def _write(state: Any, out: Rows, row: int, own: int, foe: int, phase: int, duty: int) -> None:
    out[row, 0], out[row, 1] = (own, foe) if state.turn == 0 else (foe, own)
    out[row, 2], out[row, 3], out[row, 4] = 1 - state.turn, phase, duty


@implements(write, SeegaWideState)
def _wide_write(
    state: Any, out: Rows, row: int, own: WideCells, foe: WideCells, phase: int, duty: int
) -> None:
    white, black = (own, foe) if state.turn == 0 else (foe, own)
    out[row, 0], out[row, 1] = white.low, white.high
    out[row, 2], out[row, 3] = black.low, black.high
    out[row, 4], out[row, 5], out[row, 6] = 1 - state.turn, phase, duty


@implements(load, SeegaState)
def _load(state: SeegaState, out: Rows, row: int) -> SeegaState:
    here = out[row]
    return SeegaState(here[0], here[1], here[2], here[3], here[4], *state[5:])


@implements(load, SeegaWideState)
def _wide_load(state: SeegaWideState, out: Rows, row: int) -> SeegaWideState:
    here = out[row]
    white, black = (here[0], here[1]), (here[2], here[3])
    return SeegaWideState(*white, *black, here[4], here[5], here[6], *state[7:])


@implements(key, SeegaState)
def _key(state: SeegaState) -> int:
    rest = state.turn | (state.phase - 1) << 1 | state.duty << 2
    return mixed(mixed(state.white << 3 | rest) + state.black)


@implements(key, SeegaWideState)
def _wide_key(state: SeegaWideState) -> int:
    rest = state.turn | (state.phase - 1) << 1 | state.duty << 2
    white = mixed(mixed(state.white_low << 3 | rest) + state.white_high)
    return mixed(mixed(white + state.black_low) + state.black_high)
