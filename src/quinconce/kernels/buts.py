"""The goal game as numbers: a word of 64 bits for each side's pawns, A1 lowest, H8 the sign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from quinconce.core.game import EMPTY
from quinconce.kernels.array_types import constant_table
from quinconce.kernels.bits import mix64, popcount
from quinconce.kernels.compiled import compiled, implements
from quinconce.kernels.kernel import Kernel
from quinconce.kernels.protocol import (
    CALM,
    MUST_ANSWER,
    WIN_IN_ONE,
    SuccessorRows,
    Touches,
    Weights,
    after_touches,
    append_two_sided,
    evaluate,
    image,
    image_count,
    key,
    load,
    next_touches,
    successor_count,
    successors,
    urgency,
    winner,
    write_bits,
    write_pieces,
)

GOAL_CELL_NUMBERS: Final = ((59, 60), (3, 4))  # White's H4 H5, Black's A4 A5
NEIGHBOUR_OFFSETS: Final = (
    1,
    7,
    8,
    9,
)  # from a cell to its neighbours: right, and the three of the row below

LandingMasks = tuple[int, int, int, int, int, int, int, int]


def bitboard(cells: Iterable[int]) -> int:
    """The bits of cells, as a signed number: a mask beyond int64 would not stay an integer."""
    return sum(-1 << 63 if cell == 63 else 1 << cell for cell in cells)


def slide_targets(place: int, row: int, length: int) -> list[int]:
    """What is free in line with a place, up to the first pawn on either side."""
    free = []
    for sense in (-1, 1):
        to = place + sense
        while 0 <= to < length and not row >> to & 1:
            free.append(to)
            to += sense
    return free


NOT_FIRST_COLUMN: Final = bitboard(cell for cell in range(64) if cell % 8 > 0)  # columns
NOT_LAST_COLUMN: Final = bitboard(cell for cell in range(64) if cell % 8 < 7)
WHITE_GOALS: Final = bitboard(GOAL_CELL_NUMBERS[0])
BLACK_GOALS: Final = bitboard(GOAL_CELL_NUMBERS[1])
OWN_GOALS = constant_table(lambda: [WHITE_GOALS, BLACK_GOALS])
# A jump changes row and column by 0 or 2, so a pawn keeps to one of four kinds of cells.
JUMP_CLASSES = constant_table(
    lambda: [bitboard(c for c in range(64) if c & 9 == kind) for kind in (0, 1, 8, 9)]
)

# Slides along a row of the board, by column and what stands in the row; along the four cells of a
# column in a camp, by row and what stands there, as bits of the camp's first column.
ROW_SLIDES = constant_table(
    lambda: [
        [bitboard(slide_targets(column, full, 8)) for full in range(256)] for column in range(8)
    ]
)
COLUMN_SLIDES = constant_table(
    lambda: [
        [bitboard(8 * to for to in slide_targets(row, full, 4)) for full in range(16)]
        for row in range(4)
    ]
)


def landing_masks(turn: int, step: int) -> list[int]:
    """Where a side can land, jumping by a step and back by it.

    There is a cell to jump from, and it is not the other's goal: reaching that ends the move.
    """
    other_goals = GOAL_CELL_NUMBERS[1 - turn]
    jumps = [
        (start, start + 2 * step)
        for start in range(64 - 2 * step)
        if abs(start % 8 - (start + 2 * step) % 8) <= 2
    ]
    return [
        bitboard(end for start, end in jumps if start not in other_goals),
        bitboard(start for start, end in jumps if end not in other_goals),
    ]


LANDING_MASKS = constant_table(
    lambda: [[landing_masks(turn, step) for step in NEIGHBOUR_OFFSETS] for turn in (0, 1)]
)

# The cells as White sees them, left and right alike: eight rows of four columns, but for the goals,
# where no pawn stands while the game goes on.
CELL_CLASSES: Final = [
    (row, column) for row in range(1, 9) for column in range(1, 5) if (row % 7, column) != (1, 4)
]


def cell_class(cell: int) -> int:
    """Which of the CELL_CLASSES a cell belongs to, or -1."""
    place = 8 - cell // 8, min(cell % 8, 7 - cell % 8) + 1
    return CELL_CLASSES.index(place) if place in CELL_CLASSES else -1


CELL_CLASS_NUMBER = constant_table(lambda: list(map(cell_class, range(64))))
ROW_WEIGHTS: Final = (0, -10, 0, 10, 15, 20, 30, 30)
REACH_WEIGHTS: Final = len(CELL_CLASSES)  # the features that follow


class ButsState(NamedTuple):
    """The pawns of each side, and who is to move."""

    white: int
    black: int
    turn: int


class ButsKernel(Kernel):
    """Positions as words."""

    max_successors = 8 * 46  # each pawn to every cell but the sixteen pawns' and its own goals
    features: ClassVar[Mapping[str, int]] = {
        f"row {row} column {column}": ROW_WEIGHTS[row - 1] + 4 * column
        for row, column in CELL_CLASSES
    } | {
        "reach": 3,
        "reach row 5": 3,
        "reach row 6": 6,
        "reach row 7": 10,
        "reach row 8": 15,
        "goals in reach": 150,
        "neighbours": 4,
        "turn": 15,
    }

    def encode(self, position: Any) -> ButsState:
        white, black = (
            bitboard(i for i, pawn in enumerate(position.board) if pawn == own) for own in "wb"
        )
        return ButsState(white, black, position.turn)

    def decode(self, state: Any) -> Any:
        board = "".join(
            "w" if state.white >> i & 1 else "b" if state.black >> i & 1 else EMPTY
            for i in range(64)
        )
        return self.game.start()._replace(board=board, turn=state.turn)


@compiled
def has_goal(white: int, black: int) -> bool:
    """Whether a pawn stands in a goal of the other side."""
    return (white & BLACK_GOALS | black & WHITE_GOALS) != 0


# Right shifts copy the sign: here and in `jump_closure` a mask comes after each and holds no copy.
@compiled
def landing_cells(own: int, free: int, turn: int) -> LandingMasks:
    """The free cells behind a pawn of one's own, for each step and back."""
    return (
        own << 1 & free & LANDING_MASKS[turn, 0, 0],
        own >> 1 & free & LANDING_MASKS[turn, 0, 1],
        own << 7 & free & LANDING_MASKS[turn, 1, 0],
        own >> 7 & free & LANDING_MASKS[turn, 1, 1],
        own << 8 & free & LANDING_MASKS[turn, 2, 0],
        own >> 8 & free & LANDING_MASKS[turn, 2, 1],
        own << 9 & free & LANDING_MASKS[turn, 3, 0],
        own >> 9 & free & LANDING_MASKS[turn, 3, 1],
    )


@compiled
def one_pawn_per_class(pawns: int) -> int:
    """One pawn of each kind: they jump at once, since their ways share no cell.

    What a pawn jumps over is of another kind, so never itself, and its own cell brings nothing new:
    nobody has to be lifted off the board.
    """
    chosen = 0
    for kind in range(4):
        alike = pawns & JUMP_CLASSES[kind]
        chosen |= alike & -alike
    return chosen


@compiled
def jump_closure(pawns: int, lands: LandingMasks) -> int:
    """The pawns' own cells and every cell that chains of jumps reach from there."""
    reached = pawns
    while True:
        more = reached | (
            (reached << 2 & lands[0] | reached >> 2 & lands[1])
            | (reached << 14 & lands[2] | reached >> 14 & lands[3])
            | (reached << 16 & lands[4] | reached >> 16 & lands[5])
            | (reached << 18 & lands[6] | reached >> 18 & lands[7])
        )
        if more == reached:
            return reached
        reached = more


@compiled
def slide_moves(cell: int, full: int, turn: int) -> int:
    """The home moves of a pawn; one's own goals count as full."""
    if cell >> 5 == turn:  # in the other's camp: White's is the second half of the board
        return 0
    row, column = cell & 56, cell & 39  # column: the cell's in the first row of the camp
    # The multiplication brings the four bits of the column together.
    gathered = (full >> column & 0x01010101) * 0x01020408 >> 24 & 15
    across: int = ROW_SLIDES[cell & 7, full >> row & 255]
    along: int = COLUMN_SLIDES[cell >> 3 & 3, gathered]
    return across << row | along << column


@compiled
def destinations(pawn: int, reached: int, full: int, turn: int) -> int:
    """Where a pawn can end its move, given the free cells its round of pioneers has reached."""
    cell = popcount(pawn - 1)
    kind: int = JUMP_CLASSES[cell >> 2 & 2 | cell & 1]
    return slide_moves(cell, full, turn) | reached & kind


@implements(successors, ButsState)
def _successors(state: ButsState, out: SuccessorRows) -> int:
    if has_goal(state.white, state.black):
        return 0
    turn = state.turn
    own, foe = (state.white, state.black) if turn == 0 else (state.black, state.white)
    full = own | foe | OWN_GOALS[turn]
    lands = landing_cells(own, ~full, turn)
    row = 0
    left = own
    while left:
        pawns = one_pawn_per_class(left)
        left ^= pawns
        reached = jump_closure(pawns, lands) & ~full
        while pawns:
            pawn = pawns & -pawns
            pawns ^= pawn
            to = destinations(pawn, reached, full, turn)
            while to:
                row = append_two_sided(out, row, own ^ pawn | (to & -to), foe, turn)
                to &= to - 1
    return row if row else append_two_sided(out, 0, own, foe, turn)  # a pass


@implements(successor_count, ButsState)
def _successor_count(state: ButsState) -> int:
    if has_goal(state.white, state.black):
        return 0
    turn = state.turn
    own = state.white if turn == 0 else state.black
    full = state.white | state.black | OWN_GOALS[turn]
    lands = landing_cells(own, ~full, turn)
    total = 0
    left = own
    while left:
        pawns = one_pawn_per_class(left)
        left ^= pawns
        reached = jump_closure(pawns, lands) & ~full
        while pawns:
            pawn = pawns & -pawns
            pawns ^= pawn
            total += popcount(destinations(pawn, reached, full, turn))
    return max(total, 1)  # a pass


@implements(winner, ButsState)
def _winner(state: ButsState) -> int:
    if state.white & BLACK_GOALS:
        return 0
    return 1 if state.black & WHITE_GOALS else -1


@implements(load, ButsState)
def _load(state: ButsState, out: SuccessorRows, row: int) -> ButsState:
    return ButsState(out[row, 0], out[row, 1], out[row, 2])


@implements(key, ButsState)
def _key(state: ButsState) -> int:
    # White never stands in H4: its bit says who is to move.
    return mix64(mix64(state.white | state.turn << 59) ^ state.black)


@compiled
def flip_horizontal(cells: int) -> int:
    """The board with left and right exchanged."""
    cells = cells >> 1 & 0x5555555555555555 | (cells & 0x5555555555555555) << 1
    cells = cells >> 2 & 0x3333333333333333 | (cells & 0x3333333333333333) << 2
    return cells >> 4 & 0x0F0F0F0F0F0F0F0F | (cells & 0x0F0F0F0F0F0F0F0F) << 4


@compiled
def flip_vertical(cells: int) -> int:
    """The board with above and below exchanged."""
    cells = cells >> 8 & 0x00FF00FF00FF00FF | (cells & 0x00FF00FF00FF00FF) << 8
    cells = cells >> 16 & 0x0000FFFF0000FFFF | (cells & 0x0000FFFF0000FFFF) << 16
    return cells >> 32 & 0xFFFFFFFF | cells << 32


@implements(image_count, ButsState)
def _image_count(state: ButsState) -> int:
    return 4


@implements(image, ButsState)
def _image(state: ButsState, n: int) -> ButsState:
    white, black, turn = state.white, state.black, state.turn
    if n & 1:
        white, black = flip_horizontal(white), flip_horizontal(black)
    if n & 2:  # seen by the other player
        white, black, turn = flip_vertical(black), flip_vertical(white), 1 - turn
    return ButsState(white, black, turn)


@compiled
def jump_reach(own: int, foe: int, turn: int) -> int:
    """Every cell that pawns of a side reach by jumping, and their own.

    All of them jump at once: what they jump over never moves, because it is of another kind than
    the pawn that jumps, and where two meet each could have come alone.
    """
    return jump_closure(own, landing_cells(own, ~(own | foe | OWN_GOALS[turn]), turn))


@implements(urgency, ButsState)
def _urgency(state: ButsState) -> int:
    if has_goal(state.white, state.black):
        return CALM
    # Home moves stay in the camp: only a jump reaches a goal.
    if state.turn == 0:
        if jump_reach(state.white, state.black, 0) & BLACK_GOALS:
            return WIN_IN_ONE
        return MUST_ANSWER if jump_reach(state.black, state.white, 1) & WHITE_GOALS else CALM
    if jump_reach(state.black, state.white, 1) & WHITE_GOALS:
        return WIN_IN_ONE
    return MUST_ANSWER if jump_reach(state.white, state.black, 0) & BLACK_GOALS else CALM


@compiled
def piece_square_score(pawns: int, weights: Weights) -> int:
    """What White's pawns are worth where they stand."""
    total = 0
    pawns = pawns & ~(WHITE_GOALS | BLACK_GOALS)
    while pawns:
        total += weights[CELL_CLASS_NUMBER[popcount((pawns & -pawns) - 1)]]
        pawns &= pawns - 1
    return total


@compiled
def reach_score(own: int, foe: int, weights: Weights) -> int:
    """What White's reach is worth."""
    cells = jump_reach(own, foe, 0) & ~own
    pairs = popcount(own & own << 8) + popcount(own & own << 1 & NOT_FIRST_COLUMN)
    pairs += popcount(own & own << 9 & NOT_FIRST_COLUMN) + popcount(
        own & own << 7 & NOT_LAST_COLUMN
    )
    return int(
        weights[REACH_WEIGHTS] * popcount(cells)
        + weights[REACH_WEIGHTS + 1] * popcount(cells & 0xFF000000)
        + weights[REACH_WEIGHTS + 2] * popcount(cells & 0xFF0000)
        + weights[REACH_WEIGHTS + 3] * popcount(cells & 0xFF00)
        + weights[REACH_WEIGHTS + 4] * popcount(cells & 0xFF)
        + weights[REACH_WEIGHTS + 5] * popcount(cells & BLACK_GOALS)
        + weights[REACH_WEIGHTS + 6] * pairs
    )


@implements(evaluate, ButsState)
def _evaluate(state: ButsState, weights: Weights) -> int:
    # Black is judged as White would be with the board turned over.
    white, black = state.white, state.black
    ahead = piece_square_score(white, weights) - piece_square_score(flip_vertical(black), weights)
    ahead += reach_score(white, black, weights) - reach_score(
        flip_vertical(black), flip_vertical(white), weights
    )
    return int((ahead if state.turn == 0 else -ahead) + weights[REACH_WEIGHTS + 7])


@implements(next_touches, ButsState)
def _next_touches(
    state: ButsState, path: Touches, length: int, places: Touches
) -> tuple[int, bool]:
    if has_goal(state.white, state.black):
        return 0, False
    if length == 2:
        return 0, True
    turn = state.turn
    own = state.white if turn == 0 else state.black
    full = state.white | state.black | OWN_GOALS[turn]
    lands = landing_cells(own, ~full, turn)
    if length == 1:
        pawn = 1 << path[0]
        reached = jump_closure(pawn, lands) & ~full
        return write_bits(destinations(pawn, reached, full, turn), 0, places, 0), False
    # A mask after each right shift, which copies the sign.
    movers = own & (
        (lands[0] >> 2 & 0x3FFFFFFFFFFFFFFF | lands[1] << 2)
        | (lands[2] >> 14 & 0x3FFFFFFFFFFFF | lands[3] << 14)
        | (lands[4] >> 16 & 0xFFFFFFFFFFFF | lands[5] << 16)
        | (lands[6] >> 18 & 0x3FFFFFFFFFFF | lands[7] << 18)
    )
    left = own ^ movers
    while left:
        pawn = left & -left
        left ^= pawn
        if slide_moves(popcount(pawn - 1), full, turn):
            movers |= pawn
    n = write_bits(movers, 0, places, 0)
    return n, n == 0


@implements(after_touches, ButsState)
def _after_touches(
    state: ButsState, path: Touches, length: int, out: SuccessorRows, row: int
) -> None:
    own, foe = (state.white, state.black) if state.turn == 0 else (state.black, state.white)
    if length == 2:
        own = own ^ 1 << path[0] ^ 1 << path[1]
    append_two_sided(out, row, own, foe, state.turn)


@implements(write_pieces, ButsState)
def _write_pieces(state: ButsState, pieces: Touches) -> None:
    for cell in range(64):
        pieces[cell] = (state.white >> cell & 1) + 2 * (state.black >> cell & 1)
