"""Seega as numbers: its moves, symmetries and evaluation, and the numbers of its endings."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from quinconce.core.game import EMPTY, Game
from quinconce.kernels.bits import bits
from quinconce.kernels.combinatorial_index import FEW, SHARES, STARTS, ranked, unranked
from quinconce.kernels.compiled import compiled, implements
from quinconce.kernels.custodian import (
    FEATURES,
    Cells,
    around,
    between,
    board,
    can_capture,
    centre,
    leap,
    line_of,
    outlook,
    pawns,
    size_of,
    stepped,
    strikes,
    takes_all,
)
from quinconce.kernels.kernel import Kernel
from quinconce.kernels.protocol import (
    CALM,
    PRESSED,
    WON,
    Rows,
    Weights,
    count,
    ending,
    ending_share,
    evaluate,
    image,
    images,
    index,
    indexed,
    is_quiet,
    jammed,
    load,
    placing,
    successors,
    urgency,
    variants,
    winner,
)
from quinconce.kernels.seega_bitboards import SeegaState, SeegaWideState, bit, place, words, write
from quinconce.kernels.wide_bitboard import LOW, LOW_ALL

# Under the duty to open, the plays that open are counted from this bit on, and all plays below it.
OPENED: Final = 32
# Placing has at most 276, 1 128 or 3 160 pairs of cells, but chains of captures can be many. On 5×5
# no board found by climbing has more than 1 504 moves. A board made for it has millions on 7×7 and
# 9×9, more than any room would hold; random games, thousands of them, met 2 877 and 18 949.
# Where the rows do not suffice, `successors` fills them and leaves out the rest; `count` does not.
MOST: Final = {5: 1 << 12, 7: 1 << 14, 9: 1 << 16}


class SeegaKernel(Kernel):
    """Positions as words."""

    features = FEATURES
    fitted_for = ("size", "reach")

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        self.size = game.width
        self.most = MOST[self.size]
        self.options = tuple(
            int(game.chosen[name] == value)
            for name, value in (("reach", "step"), ("chain", "optional"), ("blocked", "remove"))
        )

    def encode(self, position: Any) -> SeegaState | SeegaWideState:
        white, black = words(position.board, self.size)
        rest = (position.turn, position.phase, position.duty, self.size, *self.options)
        if self.size < 9:
            return SeegaState(white, black, *rest)
        return SeegaWideState(white & LOW_ALL, white >> LOW, black & LOW_ALL, black >> LOW, *rest)

    def decode(self, state: Any) -> Any:
        if self.size < 9:
            white, black = state.white, state.black
        else:
            white = state.white_low | state.white_high << LOW
            black = state.black_low | state.black_high << LOW
        cells = [bit(self.size, i) for i in range(self.size * self.size)]
        board = "".join("w" if white & i else "b" if black & i else EMPTY for i in cells)
        return self.game.start()._replace(
            board=board, turn=state.turn, phase=state.phase, duty=state.duty
        )


# The rules, the same for every kind of state. `out` is None where plays are only counted.


@compiled
def put(
    state: Any, out: Rows | None, row: int, own: Cells, foe: Cells, phase: int, duty: int
) -> int:
    """Write a successor, or count it; returns the next free row."""
    if out is None:
        if state.duty and around(state, foe) & (board(state) ^ own ^ foe) != 0:
            return row + 1 + (1 << OPENED)
        return row + 1
    if row == len(out):
        return row
    write(state, out, row, own, foe, phase, duty)
    return row + 1


@compiled
def opened(state: Any, out: Rows, rows: int) -> int:
    """Under the duty to open, keep the rows that let the blocked player out, if there are any."""
    kept = 0
    for row in range(rows):
        after = load(state, out, row)
        own, foe = pawns(after, state.turn), pawns(after, after.turn)
        if around(state, foe) & (board(state) ^ own ^ foe) != 0:
            kept = put(state, out, kept, own, foe, 2, 0)
    return kept or rows


@compiled
def gap(state: Any, own: Cells) -> Cells:
    """What Black lacks of the ring: he may not fill all of it at once. Nothing binds White."""
    if state.turn == 0:
        return board(state)
    return around(state, centre(state)) & (board(state) ^ own)


@compiled
def placings(state: Any, out: Rows, own: Cells, foe: Cells) -> int:
    """Two pawns on empty cells but the centre; Black closes the ring only if he has to."""
    free = board(state) ^ centre(state) ^ own ^ foe
    phase = 2 if size_of(state, free) == 2 else 1
    row = 0
    for kept in (gap(state, own), board(state)):
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
                    row = put(state, out, row, own | pair, foe, phase, 0)
    return row


@compiled
def placing_count(state: Any, own: Cells, foe: Cells) -> int:
    """How many rows `placings` writes."""
    free = board(state) ^ centre(state) ^ own ^ foe
    kept = gap(state, own)
    n = size_of(state, free)
    pairs = n * (n - 1) // 2
    if kept ^ (kept & free) != 0:
        return pairs
    lacking = size_of(state, kept)
    barred = n - 1 if lacking == 1 else 1 if lacking == 2 else 0
    return pairs - barred or pairs


@compiled
def first_row() -> int:
    """Nought, but not as a literal."""
    return int(np.int64(0))


@compiled
def captures(state: Any, out: Rows | None, row: int, own: Cells, foe: Cells, movers: Cells) -> int:
    """The capturing moves of some pawns, chains included.

    Start at `first_row`, not at a literal 0: for a literal Numba compiles a function of its own,
    which does not call itself but another, and such a call aborts when it comes from the cache.
    """
    if out is not None and row == len(out):
        return row
    empty = board(state) ^ own ^ foe
    prey = foe & (board(state) ^ centre(state))
    targets = strikes(state, own, foe)
    if targets != 0:
        for way in range(4):
            up, down = leap(state, way)
            back_up, back_down = down, up
            front = stepped(state, movers, up, down) & empty
            while front != 0:
                hits = front & targets
                while hits != 0:
                    to = hits & -hits
                    hits ^= to
                    caught = prey & between(state, to, own)
                    start = to << back_up >> back_down
                    left = foe ^ caught
                    arrived = own ^ start ^ to
                    after = captures(state, out, row, arrived, left, to)
                    if after == row or state.optional:
                        after = put(state, out, after, arrived, left, 2, 0)
                    row = after
                if state.step:
                    break
                front = stepped(state, front, up, down) & empty
                back_up += down
                back_down += up
    return row


@compiled
def plain(state: Any, out: Rows | None, own: Cells, foe: Cells) -> int:
    """The moves that capture nothing, which nobody may play if he can capture."""
    empty = board(state) ^ own ^ foe
    row = 0
    for way in range(4):
        up, down = leap(state, way)
        back_up, back_down = down, up
        front = stepped(state, own, up, down) & empty
        while front != 0:
            ends = front
            while ends != 0:
                to = ends & -ends
                ends ^= to
                row = put(state, out, row, own ^ to ^ (to << back_up >> back_down), foe, 2, 0)
            if state.step:
                break
            front = stepped(state, front, up, down) & empty
            back_up += down
            back_down += up
    return row


@compiled
def plain_count(state: Any, own: Cells, foe: Cells) -> int:
    """How many rows `plain` writes: each front holds as many cells as there are pawns that come."""
    empty = board(state) ^ own ^ foe
    total = 0
    for way in range(4):
        up, down = leap(state, way)
        front = stepped(state, own, up, down) & empty
        while front != 0:
            total += size_of(state, front)
            if state.step:
                break
            front = stepped(state, front, up, down) & empty
    return total


@compiled
def blocked(state: Any, out: Rows, own: Cells, foe: Cells) -> int:
    """A blocked player passes, or takes off his own: two if White, one if Black, or all he has."""
    if not state.remove:
        return put(state, out, 0, own, foe, 2, 1)
    row = 0
    single = state.turn == 1 or size_of(state, own) == 1
    ones = own
    while ones != 0:
        one = ones & -ones
        ones ^= one
        if single:
            row = put(state, out, row, own ^ one, foe, 2, 0)
        else:
            twos = ones
            while twos != 0:
                two = twos & -twos
                twos ^= two
                row = put(state, out, row, own ^ one ^ two, foe, 2, 0)
    return row


@compiled
def blocked_count(state: Any, own: Cells) -> int:
    """How many rows `blocked` writes."""
    n = size_of(state, own)
    if not state.remove:
        return 1
    return n if state.turn == 1 or n == 1 else n * (n - 1) // 2


@implements(successors, SeegaWideState)
@implements(successors, SeegaState)
def _successors(state: Any, out: Rows) -> int:
    own, foe = pawns(state, state.turn), pawns(state, 1 - state.turn)
    if state.phase == 1:
        return placings(state, out, own, foe)
    if winner(state) >= 0:
        return 0
    row = captures(state, out, first_row(), own, foe, own)
    if row == 0:
        row = plain(state, out, own, foe)
        if row == 0:
            return blocked(state, out, own, foe)
    return opened(state, out, row) if state.duty else row


@implements(count, SeegaWideState)
@implements(count, SeegaState)
def _count(state: Any) -> int:
    own, foe = pawns(state, state.turn), pawns(state, 1 - state.turn)
    if state.phase == 1:
        return placing_count(state, own, foe)
    if winner(state) >= 0:
        return 0
    total = captures(state, None, first_row(), own, foe, own)
    if total == 0:
        total = plain(state, None, own, foe) if state.duty else plain_count(state, own, foe)
        if total == 0:
            return blocked_count(state, own)
    if state.duty:
        return total >> OPENED or total
    return total


@implements(winner, SeegaWideState)
@implements(winner, SeegaState)
def _winner(state: Any) -> int:
    if state.phase == 1 or (pawns(state, 0) != 0 and pawns(state, 1) != 0):
        return -1
    return 0 if pawns(state, 0) != 0 else 1


@implements(placing, SeegaWideState)
@implements(placing, SeegaState)
def _placing(state: Any) -> int:
    return 1 if state.phase == 1 else 0


@compiled
def turned(state: Any, cells: Cells, n: int) -> Cells:
    """A set of cells seen in a mirror, upside down, or with rows and columns exchanged."""
    size, line = state.size, line_of(state)
    corner = centre(state) >> (size // 2 * (line + 1))  # a1's row and column counted from 0
    result = cells ^ cells
    while cells != 0:
        one = cells & -cells
        cells ^= one
        at = place(state, one)
        row, column = at // line, at % line
        if n & 1:
            column = size - 1 - column
        if n & 2:
            row = size - 1 - row
        if n & 4:
            row, column = column, row
        result = result | corner << (row * line + column)
    return result


@implements(images, SeegaWideState)
@implements(images, SeegaState)
def _images(state: Any) -> int:
    return 8


@implements(image, SeegaState)
def _image(state: SeegaState, n: int) -> SeegaState:
    return SeegaState(turned(state, state.white, n), turned(state, state.black, n), *state[2:])


@implements(image, SeegaWideState)
def _wide_image(state: SeegaWideState, n: int) -> SeegaWideState:
    white, black = turned(state, pawns(state, 0), n), turned(state, pawns(state, 1), n)
    return SeegaWideState(white.low, white.high, black.low, black.high, *state[4:])


@implements(urgency, SeegaWideState)
@implements(urgency, SeegaState)
def _urgency(state: Any) -> int:
    if state.phase == 1 or winner(state) >= 0:
        return CALM
    own, foe = pawns(state, state.turn), pawns(state, 1 - state.turn)
    # One captures from an empty cell next to an enemy: never under the duty to open, when the
    # enemy is blocked, so that the duty forbids no win.
    if can_capture(state, own, foe):
        hopeless = foe ^ (foe & between(state, own, board(state)))
        if hopeless | (foe & centre(state)) != 0 or not takes_all(state, own, foe, own):
            return PRESSED
        return WON
    if around(state, own) & (board(state) ^ own ^ foe) != 0 and not state.duty:
        return CALM
    return PRESSED


@implements(evaluate, SeegaWideState)
@implements(evaluate, SeegaState)
def _evaluate(state: Any, weights: Weights) -> int:
    return outlook(state, weights)


@implements(jammed, SeegaWideState)
@implements(jammed, SeegaState)
def _jammed(state: Any) -> int:
    if state.phase == 1:
        return 0
    own, foe = pawns(state, state.turn), pawns(state, 1 - state.turn)
    ahead = size_of(state, own) - size_of(state, foe)
    return 1 if ahead > 0 else -1 if ahead < 0 else 0


@compiled
def standing(state: Any) -> int:
    """How many pawns are on the board."""
    return size_of(state, pawns(state, 0) | pawns(state, 1))


@implements(is_quiet, SeegaWideState)
@implements(is_quiet, SeegaState)
def _is_quiet(state: Any, after: Any) -> int:
    return 1 if standing(state) == standing(after) else 0


# Endings on 5×5 have numbers: a board's, twice, and one more under the duty to open.


@compiled
def closed_up(cells: int) -> int:
    """A set of cells of 5×5 without the bits between the rows."""
    result = 0
    for row in range(5):
        result |= (cells >> 6 * row & 31) << 5 * row
    return result


@compiled
def spread_out(cells: int) -> int:
    """The set that `closed_up` closed up."""
    result = 0
    for row in range(5):
        result |= (cells >> 5 * row & 31) << 6 * row
    return result


@compiled
def has_endings(state: SeegaState) -> bool:
    """Whether there are numbers: for the default chain, and the rules that are equal for both."""
    # Removing pawns of one's own depends on the colour.
    return state.size == 5 and not state.remove and not state.optional


@implements(ending, SeegaState)
def _ending(state: SeegaState, pieces: int) -> int:
    if not has_endings(state) or pieces > FEW + 1:
        return -1
    first: int = 2 * STARTS[pieces]
    return first


@implements(ending_share, SeegaState)
def _ending_share(state: SeegaState, pieces: int, own: int) -> int:
    if not has_endings(state) or pieces > FEW:
        return -1
    first: int = 2 * SHARES[pieces, own]
    return first


@implements(variants, SeegaState)
def _variants(state: SeegaState) -> int:
    return 2


@implements(index, SeegaState)
def _index(state: SeegaState) -> int:
    if not has_endings(state) or state.phase != 2:
        return -1
    if bits(state.white | state.black) > FEW:
        return -1
    white, black = closed_up(state.white), closed_up(state.black)
    board_number = ranked(white, black) if state.turn == 0 else ranked(black, white)
    return 2 * board_number + state.duty


@implements(indexed, SeegaState)
def _indexed(state: SeegaState, n: int) -> SeegaState:
    white, black = unranked(n >> 1)
    white, black = spread_out(white), spread_out(black)
    duty = n & 1
    if around(state, black) & (board(state) ^ white ^ black):
        duty = 0  # who can move has not passed
    return SeegaState(
        white, black, 0, 2, duty, state.size, state.step, state.optional, state.remove
    )
