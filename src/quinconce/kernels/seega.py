"""Seega as numbers: its moves, symmetries and evaluation, and the numbers of its endgames."""

from __future__ import annotations

from typing import Any, Final

from quinconce.core.game import EMPTY, Game
from quinconce.kernels.bits import popcount
from quinconce.kernels.combinatorial_index import (
    BINOMIAL,
    LAYER_STARTS,
    MAX_RANKED_PIECES,
    PART_STARTS,
    rank_board,
    unrank_board,
)
from quinconce.kernels.compiled import compiled, implements
from quinconce.kernels.custodian import (
    CUSTODIAN_FEATURES,
    Cells,
    adjacent_cells,
    board_mask,
    can_capture,
    can_capture_all,
    cells_between,
    centre_mask,
    count_cells,
    custodian_score,
    pawns,
    row_stride,
    shift_cells,
    step_shift,
)
from quinconce.kernels.kernel import Kernel
from quinconce.kernels.protocol import (
    CALM,
    MUST_ANSWER,
    WIN_IN_ONE,
    SuccessorRows,
    Weights,
    endgame_layer_start,
    endgame_part_start,
    evaluate,
    from_index,
    image,
    image_count,
    index,
    indices_per_board,
    indices_per_cell_set,
    is_placing,
    is_quiet,
    jammed,
    prunes_by_estimate,
    quiet_predecessors,
    successor_count,
    successors,
    urgency,
    winner,
)
from quinconce.kernels.seega_bitboards import (
    SeegaState,
    SeegaWideState,
    cell_bit,
    cell_number,
    pawn_bitboards,
)
from quinconce.kernels.seega_moves import (
    OPENING_SHIFT,
    append_blocked_moves,
    append_captures,
    append_placings,
    append_plain_moves,
    count_blocked_moves,
    count_placings,
    count_plain_moves,
    keep_opening_moves,
    nonliteral_zero,
)
from quinconce.kernels.seega_touches import longest_path
from quinconce.kernels.wide_bitboard import LOW_BITS, LOW_MASK, high_word, low_word

# Placing has at most 276, 1 128 or 3 160 pairs of cells, but chains of captures can be many. On 5×5
# no board found by climbing has more than 1 504 moves. A board made for it has millions on 7×7 and
# 9×9, more than any room would hold; random games, thousands of them, met 2 877 and 18 949.
# Where the rows do not suffice, `successors` fills them and leaves out the rest; `successor_count`
# counts all.
MAX_SUCCESSORS: Final = {5: 1 << 12, 7: 1 << 14, 9: 1 << 16}


class SeegaKernel(Kernel):
    """Positions as words."""

    features = CUSTODIAN_FEATURES
    weight_options = ("size", "reach")

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        self.size = game.width
        self.max_successors = MAX_SUCCESSORS[self.size]
        self.max_touches = longest_path(self.size)
        self.options = tuple(
            int(game.chosen[name] == value)
            for name, value in (("reach", "step"), ("chain", "optional"), ("blocked", "remove"))
        )

    def encode(self, position: Any) -> SeegaState | SeegaWideState:
        white, black = pawn_bitboards(position.board, self.size)
        rest = (position.turn, position.phase, position.duty, self.size, *self.options)
        if self.size < 9:
            return SeegaState(white, black, *rest)
        return SeegaWideState(
            white & LOW_MASK, white >> LOW_BITS, black & LOW_MASK, black >> LOW_BITS, *rest
        )

    def decode(self, state: Any) -> Any:
        if self.size < 9:
            white, black = state.white, state.black
        else:
            white = state.white_low | state.white_high << LOW_BITS
            black = state.black_low | state.black_high << LOW_BITS
        cells = [cell_bit(self.size, i) for i in range(self.size * self.size)]
        board = "".join("w" if white & i else "b" if black & i else EMPTY for i in cells)
        return self.game.start()._replace(
            board=board, turn=state.turn, phase=state.phase, duty=state.duty
        )


@implements(successors, SeegaWideState)
@implements(successors, SeegaState)
def _successors(state: Any, out: SuccessorRows) -> int:
    own, foe = pawns(state, state.turn), pawns(state, 1 - state.turn)
    if state.phase == 1:
        return append_placings(state, out, own, foe)
    if winner(state) >= 0:
        return 0
    row = append_captures(state, out, nonliteral_zero(), own, foe, own)
    if row == 0:
        row = append_plain_moves(state, out, own, foe)
        if row == 0:
            return append_blocked_moves(state, out, own, foe)
    return keep_opening_moves(state, out, row) if state.duty else row


@implements(successor_count, SeegaWideState)
@implements(successor_count, SeegaState)
def _successor_count(state: Any) -> int:
    own, foe = pawns(state, state.turn), pawns(state, 1 - state.turn)
    if state.phase == 1:
        return count_placings(state, own, foe)
    if winner(state) >= 0:
        return 0
    total = append_captures(state, None, nonliteral_zero(), own, foe, own)
    if total == 0:
        total = (
            append_plain_moves(state, None, own, foe)
            if state.duty
            else count_plain_moves(state, own, foe)
        )
        if total == 0:
            return count_blocked_moves(state, own)
    if state.duty:
        return total >> OPENING_SHIFT or total
    return total


@implements(winner, SeegaWideState)
@implements(winner, SeegaState)
def _winner(state: Any) -> int:
    if state.phase == 1 or (pawns(state, 0) != 0 and pawns(state, 1) != 0):
        return -1
    return 0 if pawns(state, 0) != 0 else 1


@implements(is_placing, SeegaWideState)
@implements(is_placing, SeegaState)
def _is_placing(state: Any) -> int:
    return 1 if state.phase == 1 else 0


@implements(prunes_by_estimate, SeegaState)
def _prunes_by_estimate(state: SeegaState) -> int:
    return 1 if state.phase == 2 else 0


@compiled
def transform_cells(state: Any, cells: Cells, n: int) -> Cells:
    """A set of cells seen in a mirror, upside down, or with rows and columns exchanged."""
    size, line = state.size, row_stride(state)
    corner = centre_mask(state) >> (size // 2 * (line + 1))  # a1's row and column counted from 0
    result = cells ^ cells
    while cells != 0:
        one = cells & -cells
        cells ^= one
        at = cell_number(state, one)
        row, column = at // line, at % line
        if n & 1:
            column = size - 1 - column
        if n & 2:
            row = size - 1 - row
        if n & 4:
            row, column = column, row
        result = result | corner << (row * line + column)
    return result


@implements(image_count, SeegaWideState)
@implements(image_count, SeegaState)
def _image_count(state: Any) -> int:
    return 8


# On 5×5, where endgames are turned by the million: the columns and rows of a set, and the cells
# as far right of the diagonal as they are shifted for rows and columns to be exchanged.
COLUMN_5: Final = 0o101010101
ROW_5: Final = 0o37


@compiled
def transform_small_board(cells: int, n: int) -> int:
    """The same on 5×5, many cells at once."""
    if n & 1:
        cells = (
            (cells & COLUMN_5) << 4
            | (cells & COLUMN_5 << 1) << 2
            | cells & COLUMN_5 << 2
            | cells >> 2 & COLUMN_5 << 1
            | cells >> 4 & COLUMN_5
        )
    if n & 2:
        cells = (
            (cells & ROW_5) << 24
            | (cells & ROW_5 << 6) << 12
            | cells & ROW_5 << 12
            | cells >> 12 & ROW_5 << 6
            | cells >> 24 & ROW_5
        )
    if n & 4:
        turned = 0
        for right in range(5):
            # The cells of a line beside the diagonal are 7 bits apart, 5 - right of them.
            line = 0o2010040201 & (1 << 7 * (5 - right)) - 1
            turned |= (cells & line << right) << 5 * right
            turned |= cells >> 5 * right & line << right
        cells = turned
    return cells


@implements(image, SeegaState)
def _image(state: SeegaState, n: int) -> SeegaState:
    if state.size == 5:
        white, black = transform_small_board(state.white, n), transform_small_board(state.black, n)
        return SeegaState(white, black, *state[2:])
    return SeegaState(
        transform_cells(state, state.white, n), transform_cells(state, state.black, n), *state[2:]
    )


@implements(image, SeegaWideState)
def _wide_image(state: SeegaWideState, n: int) -> SeegaWideState:
    white, black = (
        transform_cells(state, pawns(state, 0), n),
        transform_cells(state, pawns(state, 1), n),
    )
    words = low_word(white), high_word(white), low_word(black), high_word(black)
    return SeegaWideState(*words, *state[4:])


@implements(urgency, SeegaWideState)
@implements(urgency, SeegaState)
def _urgency(state: Any) -> int:
    if state.phase == 1 or winner(state) >= 0:
        return CALM
    own, foe = pawns(state, state.turn), pawns(state, 1 - state.turn)
    # One captures from an empty cell next to an enemy: never under the duty to open, when the
    # enemy is blocked, so that the duty forbids no win.
    if can_capture(state, own, foe):
        hopeless = foe ^ (foe & cells_between(state, own, board_mask(state)))
        if hopeless | (foe & centre_mask(state)) != 0 or not can_capture_all(state, own, foe, own):
            return MUST_ANSWER
        return WIN_IN_ONE
    if adjacent_cells(state, own) & (board_mask(state) ^ own ^ foe) != 0 and not state.duty:
        return CALM
    return MUST_ANSWER


@implements(evaluate, SeegaWideState)
@implements(evaluate, SeegaState)
def _evaluate(state: Any, weights: Weights) -> int:
    return custodian_score(state, weights)


@implements(jammed, SeegaWideState)
@implements(jammed, SeegaState)
def _jammed(state: Any) -> int:
    if state.phase == 1:
        return 0
    own, foe = pawns(state, state.turn), pawns(state, 1 - state.turn)
    ahead = count_cells(state, own) - count_cells(state, foe)
    return 1 if ahead > 0 else -1 if ahead < 0 else 0


@compiled
def pawn_count(state: Any) -> int:
    """How many pawns are on the board."""
    return count_cells(state, pawns(state, 0) | pawns(state, 1))


@implements(is_quiet, SeegaWideState)
@implements(is_quiet, SeegaState)
def _is_quiet(state: Any, after: Any) -> int:
    return 1 if pawn_count(state) == pawn_count(after) else 0


# Endgames on 5×5 have numbers: a board's, twice, and one more under the duty to open.


@compiled
def pack_rows(cells: int) -> int:
    """A set of cells of 5×5 without the bits between the rows."""
    result = 0
    for row in range(5):
        result |= (cells >> 6 * row & 31) << 5 * row
    return result


@compiled
def unpack_rows(cells: int) -> int:
    """The set that `pack_rows` packed."""
    result = 0
    for row in range(5):
        result |= (cells >> 5 * row & 31) << 6 * row
    return result


@compiled
def has_endgame_index(state: SeegaState) -> bool:
    """Whether there are numbers: for the default chain, and the rules that are equal for both."""
    # Removing pawns of one's own depends on the colour.
    return state.size == 5 and not state.remove and not state.optional


@implements(endgame_layer_start, SeegaState)
def _endgame_layer_start(state: SeegaState, pieces: int) -> int:
    if not has_endgame_index(state) or pieces > MAX_RANKED_PIECES + 1:
        return -1
    first: int = 2 * LAYER_STARTS[pieces]
    return first


@implements(endgame_part_start, SeegaState)
def _endgame_part_start(state: SeegaState, pieces: int, own: int) -> int:
    if not has_endgame_index(state) or pieces > MAX_RANKED_PIECES:
        return -1
    first: int = 2 * PART_STARTS[pieces, own]
    return first


@implements(indices_per_board, SeegaState)
def _indices_per_board(state: SeegaState) -> int:
    return 2


@implements(indices_per_cell_set, SeegaState)
def _indices_per_cell_set(state: SeegaState, pieces: int, own: int) -> int:
    return 2 * int(BINOMIAL[pieces, own])


@implements(quiet_predecessors, SeegaState)
def _quiet_predecessors(state: SeegaState, out: SuccessorRows) -> int:
    """A pawn that moved back moves like any other; who has passed has not moved."""
    mover = SeegaState(state.white, state.black, 1 - state.turn, *state[3:])
    if state.duty:
        return append_before(mover, out, 0, pawns(mover, mover.turn))
    own, foe = pawns(mover, mover.turn), pawns(mover, state.turn)
    empty = board_mask(state) ^ own ^ foe
    row = 0
    for direction in range(4):
        up, down = step_shift(state, direction)
        back_up, back_down = down, up
        front = shift_cells(state, own, up, down) & empty
        while front:
            ends = front
            while ends:
                to = ends & -ends
                ends ^= to
                row = append_before(mover, out, row, own ^ to ^ (to << back_up >> back_down))
            if state.step:
                break
            front = shift_cells(state, front, up, down) & empty
            back_up += down
            back_down += up
    return row


@compiled
def append_before(mover: SeegaState, out: SuccessorRows, row: int, own: int) -> int:
    """Write the position before a quiet turn, where the mover's pawns were others; the next row.

    A second row is for the mover under the duty to open: if their turn opened, or nothing would.
    """
    foe, opened = pawns(mover, 1 - mover.turn), pawns(mover, mover.turn)
    white, black = (own, foe) if mover.turn == 0 else (foe, own)
    before = SeegaState(white, black, mover.turn, 2, 1, *mover[5:])
    near = adjacent_cells(before, foe)
    for duty in range(2):
        if duty and near & (board_mask(before) ^ own ^ foe):
            break  # nobody was blocked
        if (
            duty
            and own != opened
            and not near & (board_mask(before) ^ opened ^ foe)
            and append_plain_moves(before, None, own, foe) >> OPENING_SHIFT
        ):
            break
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = white, black, mover.turn, 2
        out[row, 4] = duty
        row += 1
    return row


@implements(index, SeegaState)
def _index(state: SeegaState) -> int:
    if not has_endgame_index(state) or state.phase != 2:
        return -1
    if popcount(state.white | state.black) > MAX_RANKED_PIECES:
        return -1
    white, black = pack_rows(state.white), pack_rows(state.black)
    board_number = rank_board(white, black) if state.turn == 0 else rank_board(black, white)
    return 2 * board_number + state.duty


@implements(from_index, SeegaState)
def _from_index(state: SeegaState, n: int) -> SeegaState:
    white, black = unrank_board(n >> 1)
    white, black = unpack_rows(white), unpack_rows(black)
    duty = n & 1
    if adjacent_cells(state, black) & (board_mask(state) ^ white ^ black):
        duty = 0  # who can move has not passed
    return SeegaState(
        white, black, 0, 2, duty, state.size, state.step, state.optional, state.remove
    )
