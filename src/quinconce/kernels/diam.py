"""Diam as numbers: three bits a pawn, so that facing piles lie at the same bits of two words."""

from __future__ import annotations

from typing import Any, Final

from quinconce.core.game import EMPTY, Game
from quinconce.kernels.array_types import constant_table
from quinconce.kernels.bits import mix64, popcount
from quinconce.kernels.compiled import compiled, implements
from quinconce.kernels.diam_evaluation import DIAM_FEATURES
from quinconce.kernels.diam_piles import (
    COLOURS_MASK,
    CYCLE_MASK,
    CYCLE_SHIFT,
    EACH_ALONE,
    MAX_HEIGHT,
    MOVED_SHIFT,
    OWNED_LEVELS,
    PAWN_LOW_BITS,
    PILE_BITS,
    PILE_HEIGHT,
    SHARING_SHIFT,
    SIDES_SHIFT,
    STACKING_SHIFT,
    STEP_BITS,
    TWO_PLAYERS,
    DiamState,
    canonical_ring,
    least_ring,
    pile_at,
    recolour_word,
    swap_owners,
    swap_reserve_owners,
)
from quinconce.kernels.kernel import Kernel
from quinconce.kernels.protocol import (
    CALM,
    MUST_ANSWER,
    WIN_IN_ONE,
    SuccessorRows,
    Touches,
    after_touches,
    canonical,
    image,
    image_count,
    key,
    load,
    next_touches,
    reserve_count,
    successor_count,
    successors,
    urgency,
    winner,
    write_pieces,
)

LEVEL_MASKS: Final = tuple(0o1000100010001 << 3 * level for level in range(MAX_HEIGHT))
ABOVE_GROUND_MASK: Final = PAWN_LOW_BITS & ~LEVEL_MASKS[0]

# The exchanges of colours that keep the turns, by how the game is shared out: each as what becomes
# of the four colours, and how many steps the cycle moves on.
PAIR_SWAPS: Final = [[a, b, c, d, 0] for a, b in ((0, 1), (1, 0)) for c, d in ((2, 3), (3, 2))]
COLOUR_SWAPS: Final[dict[int, list[list[int]]]] = {
    2: [*PAIR_SWAPS, *([c, d, a, b, 1] for a, b, c, d, _step in PAIR_SWAPS)],
    3: [[0, 1, 2, 3, 0], [1, 0, 2, 3, 0], [0, 1, 3, 2, 2], [1, 0, 3, 2, 2]],
    4: [[0, 1, 2, 3, 0], [2, 3, 1, 0, 1], [1, 0, 3, 2, 2], [3, 2, 0, 1, 3]],
    5: [[0, 1, 2, 3, 0], [1, 2, 3, 0, 1], [2, 3, 0, 1, 2], [3, 0, 1, 2, 3]],
}


def swap_rows(shared: int) -> list[list[int]]:
    """The exchanges of a way to share the game out, in eight rows."""
    swaps = COLOUR_SWAPS.get(shared, [])
    return swaps + [[0] * 5] * (8 - len(swaps))


def swapped_codes(shared: int) -> list[int]:
    """The new codes of the four colours for `recolour_word`, by exchange; eight of them."""
    swaps = COLOUR_SWAPS.get(shared, [])
    codes = [sum(c + 1 << 3 * i for i, c in enumerate(swap[:4])) for swap in swaps]
    return codes + [0] * (8 - len(codes))


COLOUR_SWAP_TABLE = constant_table(lambda: list(map(swap_rows, range(6))))
SWAPPED_CODES = constant_table(lambda: list(map(swapped_codes, range(6))))


class DiamKernel(Kernel):
    """Positions as words."""

    max_successors = 33  # two colours on eight cells, eight pawns two ways, and room for a pass
    features = DIAM_FEATURES
    weight_options = ("edition", "players")

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        rules: Any = game
        self.options = len(game.cycle) << CYCLE_SHIFT | rules.stacking << STACKING_SHIFT
        for step, seat in enumerate(game.cycle):
            placed, moved = (
                sum(1 << game.letters.index(letter) for letter in letters)
                for letters in (rules.placed_colours[seat], rules.movable_colours[seat])
            )
            self.options |= (placed | moved << MOVED_SHIFT) << STEP_BITS * step
        for colour, kind in enumerate(game.kinds):
            self.options |= game.side(kind.seat) << SIDES_SHIFT + 2 * colour
        sharing = EACH_ALONE if len(game.sides) == 4 else game.seats
        self.options |= sharing << SHARING_SHIFT

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
        return DiamState(low, high, stock, position.turn, self.options)

    def decode(self, state: Any) -> Any:
        letters = EMPTY + self.game.letters
        board = "".join(
            letters[word >> 3 * i & 7] for word in (state.low, state.high) for i in range(16)
        )
        return self.game.start()._replace(board=board, turn=state.turn)


@compiled
def diam_owner(low: int, high: int, form: int) -> int:
    """The side that owns the highest diam, or -1."""
    differ = low ^ high
    differ |= differ >> 1 | differ >> 2
    occupied = low | low >> 1 | low >> 2
    facing = occupied & ~differ & ABOVE_GROUND_MASK
    if not facing:
        return -1
    for level in (3, 2, 1):
        pair = facing & LEVEL_MASKS[level]
        if pair:
            colour = low >> popcount((pair & -pair) - 1) & 7
            return form >> SIDES_SHIFT + 2 * (colour - 1) & 3
    return -1


@compiled
def next_step(state: DiamState) -> int:
    """The next step of the cycle."""
    turn = state.turn + 1
    return turn if turn < state.options >> CYCLE_SHIFT & CYCLE_MASK else 0


@compiled
def append_piles(out: SuccessorRows, row: int, low: int, high: int, stock: int, turn: int) -> int:
    """Write a successor, but for the form, which `load` has from the state before; the next row."""
    out[row, 0] = low
    out[row, 1] = high
    out[row, 2] = stock
    out[row, 3] = turn
    return row + 1


@compiled
def pile_heights(low: int, high: int) -> int:
    """How high the piles are, four bits each."""
    tops = 0
    for cell in range(4):
        tops |= int(PILE_HEIGHT[low >> PILE_BITS * cell & 0o7777]) << 4 * cell
        tops |= int(PILE_HEIGHT[high >> PILE_BITS * cell & 0o7777]) << 4 * cell + 16
    return tops


@implements(successors, DiamState)
def _successors(state: DiamState, out: SuccessorRows) -> int:
    low, high, stock, form = state.low, state.high, state.reserves, state.options
    if diam_owner(low, high, form) >= 0:
        return 0
    turn = next_step(state)
    placed = form >> STEP_BITS * state.turn & COLOURS_MASK
    moved = form >> STEP_BITS * state.turn + MOVED_SHIFT & COLOURS_MASK
    tallest = MAX_HEIGHT - 1 if form >> STACKING_SHIFT & 1 else 0
    tops = pile_heights(low, high)
    row = 0
    for colour in range(4):
        if placed >> colour & 1 and stock >> 4 * colour & 15:
            left = stock - (1 << 4 * colour)
            for cell in range(8):
                top = tops >> 4 * cell & 7
                if top <= tallest:
                    pawn = (colour + 1) << PILE_BITS * (cell & 3) + 3 * top
                    if cell < 4:
                        row = append_piles(out, row, low | pawn, high, left, turn)
                    else:
                        row = append_piles(out, row, low, high | pawn, left, turn)
    for cell in range(8):
        pile = pile_at(low, high, cell)
        own = int(OWNED_LEVELS[moved, pile])
        if own:
            top = tops >> 4 * cell & 7
            for sense in (1, 7):
                arrival = (cell + sense) & 7
                ground = tops >> 4 * arrival & 7
                for level in range(max(0, top + ground - MAX_HEIGHT), top):
                    if own >> level & 1:
                        lifted = pile >> 3 * level
                        taken = lifted << PILE_BITS * (cell & 3) + 3 * level
                        added = lifted << PILE_BITS * (arrival & 3) + 3 * ground
                        new_low = low - (taken if cell < 4 else 0) + (added if arrival < 4 else 0)
                        new_high = high - (taken if cell > 3 else 0) + (added if arrival > 3 else 0)
                        row = append_piles(out, row, new_low, new_high, stock, turn)
    if row == 0:
        row = append_piles(out, row, low, high, stock, turn)
    return row


@implements(successor_count, DiamState)
def _successor_count(state: DiamState) -> int:
    low, high, stock, form = state.low, state.high, state.reserves, state.options
    if diam_owner(low, high, form) >= 0:
        return 0
    placed = form >> STEP_BITS * state.turn & COLOURS_MASK
    moved = form >> STEP_BITS * state.turn + MOVED_SHIFT & COLOURS_MASK
    tallest = MAX_HEIGHT - 1 if form >> STACKING_SHIFT & 1 else 0
    colours = 0
    for colour in range(4):
        if placed >> colour & 1 and stock >> 4 * colour & 15:
            colours += 1
    open_cells = 0
    total = 0
    before = PILE_HEIGHT[pile_at(low, high, 7)]
    pile = pile_at(low, high, 0)
    top = PILE_HEIGHT[pile]
    for cell in range(8):
        next_pile = pile_at(low, high, (cell + 1) & 7)
        after = PILE_HEIGHT[next_pile]
        if top <= tallest:
            open_cells += 1
        own = int(OWNED_LEVELS[moved, pile])
        if own:
            # A pawn may go if what it carries fits: its level is at least top + ground - 4.
            total += popcount(own >> max(0, top + before - MAX_HEIGHT))
            total += popcount(own >> max(0, top + after - MAX_HEIGHT))
        before, pile, top = top, next_pile, after
    total += colours * open_cells
    return total if total else 1


@implements(winner, DiamState)
def _winner(state: DiamState) -> int:
    return diam_owner(state.low, state.high, state.options)


@implements(load, DiamState)
def _load(state: DiamState, out: SuccessorRows, row: int) -> DiamState:
    return DiamState(out[row, 0], out[row, 1], out[row, 2], out[row, 3], state.options)


@implements(key, DiamState)
def _key(state: DiamState) -> int:
    return mix64(mix64(state.low | state.turn << 48) ^ state.high)


@compiled
def recolour_pile(pile: int, shared: int, exchange: int) -> int:
    """A pile with its colours exchanged."""
    result = 0
    for level in range(MAX_HEIGHT):
        pawn = pile >> 3 * level & 7
        if pawn:
            result |= (COLOUR_SWAP_TABLE[shared, exchange, pawn - 1] + 1) << 3 * level
    return result


@implements(image_count, DiamState)
def _image_count(state: DiamState) -> int:
    return 128 if state.options >> SHARING_SHIFT == TWO_PLAYERS else 64


@implements(image, DiamState)
def _image(state: DiamState, n: int) -> DiamState:
    shared, exchange = state.options >> SHARING_SHIFT, n >> 4
    shift, sense = n & 7, -1 if n & 8 else 1
    low = high = 0
    for cell in range(8):
        pile = recolour_pile(pile_at(state.low, state.high, cell), shared, exchange)
        to = (shift + sense * cell) & 7
        if to < 4:
            low |= pile << PILE_BITS * to
        else:
            high |= pile << PILE_BITS * (to - 4)
    stock = swap_reserves(state.reserves, shared, exchange)
    steps = state.options >> CYCLE_SHIFT & CYCLE_MASK
    turn = (state.turn + COLOUR_SWAP_TABLE[shared, exchange, 4]) % steps
    return DiamState(low, high, stock, turn, state.options)


@compiled
def swap_reserves(stock: int, shared: int, exchange: int) -> int:
    """The pawns left of each colour, four bits each, the colours exchanged."""
    result = 0
    for colour in range(4):
        result |= (stock >> 4 * colour & 15) << 4 * COLOUR_SWAP_TABLE[shared, exchange, colour]
    return result


@compiled
def canonical_of_several(state: DiamState) -> DiamState:
    """What `least_image` returns, for three or four players, without making every image."""
    shared = state.options >> SHARING_SHIFT
    steps = state.options >> CYCLE_SHIFT & CYCLE_MASK
    best, turn = 0, state.turn
    low, high = least_ring(state.low, state.high)
    for exchange in range(1, 4):
        codes = SWAPPED_CODES[shared, exchange]
        new_low, new_high = least_ring(
            recolour_word(state.low, codes), recolour_word(state.high, codes)
        )
        new_turn = state.turn + COLOUR_SWAP_TABLE[shared, exchange, 4]
        new_turn -= steps if new_turn >= steps else 0
        # Equal boards have equal reserves. `|` and `&`: the processor cannot guess any of this.
        first = (new_low < low) | (new_low == low) & (
            (new_high < high) | (new_high == high) & (new_turn < turn)
        )
        best, turn = (exchange, new_turn) if first else (best, turn)
        low, high = (new_low, new_high) if first else (low, high)
    stock = swap_reserves(state.reserves, shared, best)
    return DiamState(low, high, stock, turn, state.options)


@implements(canonical, DiamState)
def _canonical(state: DiamState) -> DiamState:
    if state.options >> SHARING_SHIFT != TWO_PLAYERS:
        return canonical_of_several(state)
    low, high, stock = state.low, state.high, state.reserves
    if state.turn == 1:
        low, high, stock = swap_owners(low), swap_owners(high), swap_reserve_owners(stock)
    low, high, stock = canonical_ring(low, high, stock)
    return DiamState(low, high, stock, 0, state.options)


@compiled
def highest_diam_colour(pile: int, other: int) -> int:
    """The colour of the highest diam that two facing piles make, from 1, or 0."""
    differ = pile ^ other
    differ |= differ >> 1 | differ >> 2
    alike = (other | other >> 1 | other >> 2) & ~differ & 0o1110
    for level in (3, 2, 1):
        if alike >> 3 * level & 1:
            return other >> 3 * level & 7
    return 0


@compiled
def makes_diam(state: DiamState, step: int, arrival: int, ground: int, other: int) -> bool:
    """Whether a move to a cell at this step of the cycle makes a diam, the highest for the mover.

    The pile at the cell is `ground` high, and lower than the one that it faces, `other`.
    """
    low, high, form = state.low, state.high, state.options
    wanted = (other >> 3 * ground & 7) - 1
    if (
        ground
        and form >> STACKING_SHIFT & 1
        and form >> STEP_BITS * step + wanted & 1
        and state.reserves >> 4 * wanted & 15
    ):
        return True
    moved = form >> STEP_BITS * step + MOVED_SHIFT & COLOURS_MASK
    for sense in (1, 7):
        pile = pile_at(low, high, (arrival + sense) & 7)
        lowest = max(0, PILE_HEIGHT[pile] + ground - MAX_HEIGHT)
        own = int(OWNED_LEVELS[moved, pile]) >> lowest << lowest
        while own:
            level = popcount((own & -own) - 1)
            own &= own - 1
            made = highest_diam_colour(pile >> 3 * level << 3 * ground, other)
            if made and moved >> made - 1 & 1:
                return True
    return False


@implements(urgency, DiamState)
def _urgency(state: DiamState) -> int:
    low, high = state.low, state.high
    if diam_owner(low, high, state.options) >= 0:
        return CALM
    # A move adds to one pile only, so this pile and the one it faces make whatever diams are new.
    low_pawns = (low | low >> 1 | low >> 2) & ABOVE_GROUND_MASK
    high_pawns = (high | high >> 1 | high >> 2) & ABOVE_GROUND_MASK
    after = next_step(state)
    found = CALM
    for first in (0, 4):
        # Pawns above the ground that face nothing.
        single = high_pawns & ~low_pawns if first == 0 else low_pawns & ~high_pawns
        while single:
            cell = popcount((single & -single) - 1) // PILE_BITS
            single &= ~(0o7777 << PILE_BITS * cell)
            arrival = first + cell
            other = pile_at(low, high, arrival ^ 4)
            ground = int(PILE_HEIGHT[pile_at(low, high, arrival)])
            if makes_diam(state, state.turn, arrival, ground, other):
                return WIN_IN_ONE
            if found == CALM and makes_diam(state, after, arrival, ground, other):
                found = MUST_ANSWER
    return found


# The places of the board are each pile and then its levels, five numbers a cell; the reserves of
# the four colours follow.
PLACES_PER_CELL: Final = 1 + MAX_HEIGHT
RESERVE_PLACES: Final = 8 * PLACES_PER_CELL


@implements(next_touches, DiamState)
def _next_touches(
    state: DiamState, path: Touches, length: int, places: Touches
) -> tuple[int, bool]:
    low, high, form = state.low, state.high, state.options
    if length == 2:
        return 0, True
    if diam_owner(low, high, form) >= 0:
        return 0, False
    tops = pile_heights(low, high)
    tallest = MAX_HEIGHT - 1 if form >> STACKING_SHIFT & 1 else 0
    if length == 1:
        n = 0
        if path[0] >= RESERVE_PLACES:
            for cell in range(8):
                if tops >> 4 * cell & 7 <= tallest:
                    places[n] = PLACES_PER_CELL * cell
                    n += 1
            return n, False
        cell, level = path[0] // PLACES_PER_CELL, path[0] % PLACES_PER_CELL - 1
        carried = (tops >> 4 * cell & 7) - level
        for sense in (1, 7):
            arrival = (cell + sense) & 7
            if carried + (tops >> 4 * arrival & 7) <= MAX_HEIGHT:
                places[n] = PLACES_PER_CELL * arrival
                n += 1
        return n, False
    n = append_movable_pawns(state, tops, places)
    placed = form >> STEP_BITS * state.turn & COLOURS_MASK
    has_room = False
    for cell in range(8):
        has_room |= tops >> 4 * cell & 7 <= tallest
    for colour in range(4):
        if has_room and placed >> colour & 1 and state.reserves >> 4 * colour & 15:
            places[n] = RESERVE_PLACES + colour
            n += 1
    return n, n == 0


@compiled
def append_movable_pawns(state: DiamState, tops: int, out: Touches) -> int:
    """Write the pawns that can go to the next cell with what they carry; how many they are."""
    moved = state.options >> STEP_BITS * state.turn + MOVED_SHIFT & COLOURS_MASK
    n = 0
    for cell in range(8):
        own = int(OWNED_LEVELS[moved, pile_at(state.low, state.high, cell)])
        if own:
            top = tops >> 4 * cell & 7
            ground = min(tops >> 4 * (cell + 1 & 7) & 7, tops >> 4 * (cell + 7 & 7) & 7)
            for level in range(max(0, top + ground - MAX_HEIGHT), top):
                if own >> level & 1:
                    out[n] = PLACES_PER_CELL * cell + 1 + level
                    n += 1
    return n


@implements(after_touches, DiamState)
def _after_touches(
    state: DiamState, path: Touches, length: int, out: SuccessorRows, row: int
) -> None:
    low, high, stock = state.low, state.high, state.reserves
    if length == 2:
        arrival = path[1] // PLACES_PER_CELL
        ground = int(PILE_HEIGHT[pile_at(low, high, arrival)])
        if path[0] >= RESERVE_PLACES:
            lifted = path[0] - RESERVE_PLACES + 1
            stock -= 1 << 4 * (lifted - 1)
        else:
            cell, level = path[0] // PLACES_PER_CELL, path[0] % PLACES_PER_CELL - 1
            lifted = pile_at(low, high, cell) >> 3 * level
            taken = lifted << PILE_BITS * (cell & 3) + 3 * level
            low, high = (low - taken, high) if cell < 4 else (low, high - taken)
        added = lifted << PILE_BITS * (arrival & 3) + 3 * ground
        low, high = (low + added, high) if arrival < 4 else (low, high + added)
    append_piles(out, row, low, high, stock, next_step(state))


@implements(write_pieces, DiamState)
def _write_pieces(state: DiamState, pieces: Touches) -> None:
    for pawn in range(16):
        pieces[pawn] = state.low >> 3 * pawn & 7
        pieces[16 + pawn] = state.high >> 3 * pawn & 7


@implements(reserve_count, DiamState)
def _reserve_count(state: DiamState, kind: int) -> int:
    return state.reserves >> 4 * kind & 15
