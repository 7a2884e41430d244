"""Diam as numbers: three bits a pawn, so that facing piles lie at the same bits of two words."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from quinconce.core.game import EMPTY, Game
from quinconce.kernels.compiled import compiled, implements
from quinconce.kernels.piles import (
    FIRST_BITS,
    HIGHEST,
    PILE,
    exchanged_bytes,
    greatest_ring,
    pile_at,
    sides_exchanged,
)
from quinconce.kernels.protocol import (
    Kernel,
    Rows,
    bits,
    chosen,
    count,
    image,
    images,
    key,
    least,
    load,
    mixed,
    successors,
    winner,
)


def owned(colours: int, pile: int) -> int:
    """The levels of a pile that hold one of these colours, as bits."""
    pawns = [pile >> 3 * level & 7 for level in range(HIGHEST)]
    return sum(1 << i for i, pawn in enumerate(pawns) if pawn and colours >> pawn - 1 & 1)


HEIGHT = np.array(
    [sum(pile >> 3 * level & 7 != 0 for level in range(HIGHEST)) for pile in range(1 << PILE)],
    np.int64,
)
OWNED = np.array([[owned(c, pile) for pile in range(1 << PILE)] for c in range(16)], np.int8)


LEVELS: Final = tuple(0o1000100010001 << 3 * level for level in range(HIGHEST))
ABOVE_GROUND: Final = FIRST_BITS & ~LEVELS[0]

# The exchanges of colours that keep the turns, by how the game is shared out: each as what becomes
# of the four colours, and how many steps the cycle moves on.
PAIRS: Final = [[a, b, c, d, 0] for a, b in ((0, 1), (1, 0)) for c, d in ((2, 3), (3, 2))]
EXCHANGES: Final[dict[int, list[list[int]]]] = {
    2: [*PAIRS, *([c, d, a, b, 1] for a, b, c, d, _step in PAIRS)],
    3: [[0, 1, 2, 3, 0], [1, 0, 2, 3, 0], [0, 1, 3, 2, 2], [1, 0, 3, 2, 2]],
    4: [[0, 1, 2, 3, 0], [2, 3, 1, 0, 1], [1, 0, 3, 2, 2], [3, 2, 0, 1, 3]],
    5: [[0, 1, 2, 3, 0], [1, 2, 3, 0, 1], [2, 3, 0, 1, 2], [3, 0, 1, 2, 3]],
}
EXCHANGE = np.zeros((6, 8, 5), np.int64)
for shared, exchanges in EXCHANGES.items():
    EXCHANGE[shared, : len(exchanges)] = exchanges


class DiamState(NamedTuple):
    """Piles 1 to 4 and 5 to 8, pawns left of each colour, the step of the cycle, and the form.

    The form packs what the options decide: for each step the colours that may be placed and moved,
    then the number of steps, whether one places on piles, the side of each colour, and how the game
    is shared out (2: two players, 3: one against two, 4: two teams, 5: each for himself).
    """

    low: int
    high: int
    stock: int
    turn: int
    form: int


class DiamKernel(Kernel):
    """Positions as words."""

    most = 33  # two colours on eight cells, eight pawns two ways, and room for a pass

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        rules: Any = game
        self.form = len(game.cycle) << 32 | rules.stacking << 35
        for step, seat in enumerate(game.cycle):
            placed, moved = (
                sum(1 << game.letters.index(letter) for letter in letters)
                for letters in (rules.placed[seat], rules.moved[seat])
            )
            self.form |= (placed | moved << 4) << 8 * step
        for colour, kind in enumerate(game.kinds):
            self.form |= game.side(kind.seat) << 36 + 2 * colour
        self.form |= (5 if len(game.sides) == 4 else game.seats) << 44

    def encode(self, position: Any) -> DiamState:
        letters = EMPTY + self.game.letters
        low, high = (
            sum(letters.index(pawn) << 3 * i for i, pawn in enumerate(half))
            for half in (position.board[:16], position.board[16:])
        )
        stock = sum(
            self.game.reserve(position, letter) << 4 * colour
            for colour, letter in enumerate(self.game.letters)
        )
        return DiamState(low, high, stock, position.turn, self.form)

    def decode(self, state: Any) -> Any:
        letters = EMPTY + self.game.letters
        board = "".join(
            letters[word >> 3 * i & 7] for word in (state.low, state.high) for i in range(16)
        )
        return self.game.start()._replace(board=board, turn=state.turn)


@compiled
def decided(low: int, high: int, form: int) -> int:
    """The side that owns the highest diam, or -1."""
    differ = low ^ high
    differ |= differ >> 1 | differ >> 2
    occupied = low | low >> 1 | low >> 2
    facing = occupied & ~differ & ABOVE_GROUND
    if not facing:
        return -1
    for level in (3, 2, 1):
        pair = facing & LEVELS[level]
        if pair:
            colour = low >> bits((pair & -pair) - 1) & 7
            return form >> 36 + 2 * (colour - 1) & 3
    return -1


@compiled
def following(state: DiamState) -> int:
    """The next step of the cycle."""
    turn = state.turn + 1
    return turn if turn < state.form >> 32 & 7 else 0


@compiled
def put(out: Rows, row: int, low: int, high: int, stock: int, turn: int, form: int) -> int:
    """Write a successor; returns the next free row."""
    out[row, 0] = low
    out[row, 1] = high
    out[row, 2] = stock
    out[row, 3] = turn
    out[row, 4] = form
    return row + 1


@implements(successors, DiamState)
def _successors(state: DiamState, out: Rows) -> int:
    low, high, stock, form = state.low, state.high, state.stock, state.form
    if decided(low, high, form) >= 0:
        return 0
    turn = following(state)
    placed = form >> 8 * state.turn & 15
    moved = form >> 8 * state.turn + 4 & 15
    tallest = HIGHEST - 1 if form >> 35 & 1 else 0
    row = 0
    for colour in range(4):
        if placed >> colour & 1 and stock >> 4 * colour & 15:
            left = stock - (1 << 4 * colour)
            for cell in range(8):
                top = HEIGHT[pile_at(low, high, cell)]
                if top <= tallest:
                    pawn = (colour + 1) << PILE * (cell & 3) + 3 * top
                    if cell < 4:
                        row = put(out, row, low | pawn, high, left, turn, form)
                    else:
                        row = put(out, row, low, high | pawn, left, turn, form)
    for cell in range(8):
        pile = pile_at(low, high, cell)
        own = int(OWNED[moved, pile])
        if own:
            top = HEIGHT[pile]
            for sense in (1, 7):
                arrival = (cell + sense) & 7
                ground = HEIGHT[pile_at(low, high, arrival)]
                for level in range(max(0, top + ground - HIGHEST), top):
                    if own >> level & 1:
                        lifted = pile >> 3 * level
                        taken = lifted << PILE * (cell & 3) + 3 * level
                        added = lifted << PILE * (arrival & 3) + 3 * ground
                        new_low = low - (taken if cell < 4 else 0) + (added if arrival < 4 else 0)
                        new_high = high - (taken if cell > 3 else 0) + (added if arrival > 3 else 0)
                        row = put(out, row, new_low, new_high, stock, turn, form)
    if row == 0:
        row = put(out, row, low, high, stock, turn, form)
    return row


@implements(count, DiamState)
def _count(state: DiamState) -> int:
    low, high, stock, form = state.low, state.high, state.stock, state.form
    if decided(low, high, form) >= 0:
        return 0
    placed = form >> 8 * state.turn & 15
    moved = form >> 8 * state.turn + 4 & 15
    tallest = HIGHEST - 1 if form >> 35 & 1 else 0
    colours = 0
    for colour in range(4):
        if placed >> colour & 1 and stock >> 4 * colour & 15:
            colours += 1
    open_cells = 0
    total = 0
    before = HEIGHT[pile_at(low, high, 7)]
    pile = pile_at(low, high, 0)
    top = HEIGHT[pile]
    for cell in range(8):
        next_pile = pile_at(low, high, (cell + 1) & 7)
        after = HEIGHT[next_pile]
        if top <= tallest:
            open_cells += 1
        own = int(OWNED[moved, pile])
        if own:
            # A pawn may go if what it carries fits: its level is at least top + ground - 4.
            total += bits(own >> max(0, top + before - HIGHEST))
            total += bits(own >> max(0, top + after - HIGHEST))
        before, pile, top = top, next_pile, after
    total += colours * open_cells
    return total if total else 1


@implements(winner, DiamState)
def _winner(state: DiamState) -> int:
    return decided(state.low, state.high, state.form)


@implements(load, DiamState)
def _load(state: DiamState, out: Rows, row: int) -> DiamState:
    return DiamState(out[row, 0], out[row, 1], out[row, 2], out[row, 3], out[row, 4])


@implements(key, DiamState)
def _key(state: DiamState) -> int:
    return mixed(mixed(state.low | state.turn << 48) ^ state.high)


@compiled
def recoloured(pile: int, shared: int, exchange: int) -> int:
    """A pile with its colours exchanged."""
    result = 0
    for level in range(HIGHEST):
        pawn = pile >> 3 * level & 7
        if pawn:
            result |= (EXCHANGE[shared, exchange, pawn - 1] + 1) << 3 * level
    return result


@implements(images, DiamState)
def _images(state: DiamState) -> int:
    return 128 if state.form >> 44 == 2 else 64


@implements(image, DiamState)
def _image(state: DiamState, n: int) -> DiamState:
    shared, exchange = state.form >> 44, n >> 4
    shift, sense = n & 7, -1 if n & 8 else 1
    low = high = stock = 0
    for cell in range(8):
        pile = recoloured(pile_at(state.low, state.high, cell), shared, exchange)
        to = (shift + sense * cell) & 7
        if to < 4:
            low |= pile << PILE * to
        else:
            high |= pile << PILE * (to - 4)
    for colour in range(4):
        stock |= (state.stock >> 4 * colour & 15) << 4 * EXCHANGE[shared, exchange, colour]
    turn = (state.turn + EXCHANGE[shared, exchange, 4]) % (state.form >> 32 & 7)
    return DiamState(low, high, stock, turn, state.form)


@implements(chosen, DiamState)
def _chosen(state: DiamState) -> DiamState:
    low, high, stock = state.low, state.high, state.stock
    if state.form >> 44 != 2:
        first: DiamState = least(state)
        return first
    if state.turn == 1:
        low, high, stock = sides_exchanged(low), sides_exchanged(high), exchanged_bytes(stock)
    low, high, stock = greatest_ring(low, high, stock)
    return DiamState(low, high, stock, 0, state.form)
