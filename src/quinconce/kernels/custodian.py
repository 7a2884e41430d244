"""Boards where pawns are caught between two others: the sets of cells, and how a side stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import Weights

# A set of cells is a word. Each row has a bit more than it has cells, which is never set: a shift
# by 1 or by size + 1 moves the whole set one cell, and what leaves the board falls beside it.
# The rules are written for words; on a wide board the same operators work on two of them.
Cells = Any  # int or WideCells

# The cells that symmetries of the square exchange, or nearly: rings around the centre, in each the
# cells straight from the centre, those of the corners, and the rest, which ring 1 has none of.
ZONES: Final = [
    (ring, kind)
    for ring in (1, 2, 3, 4)
    for kind in ("straight", "corner", "rest")
    if (ring, kind) != (1, "rest")
]
STRAIGHT_1: Final = ZONES.index((1, "straight"))
STRAIGHT_2: Final = ZONES.index((2, "straight"))
N: Final = len(ZONES)

MOVING: Final = {
    "pawns": 60,
    "share": 6,
    "freedom": 2,
    "pawns that can move": 3,
    "centre": 15,
    "pawns in danger": -40,
    "pawns that can be flanked": -4,
    "turn": 10,
}
PLACING: Final = {
    "that can be flanked": -3,
    "beside their like": 1,
    "between two enemies": 3,
    "before the centre, with an enemy behind": -10,
}
FEATURES: Final[Mapping[str, int]] = (
    MOVING
    | {f"on ring {ring} {kind}": 3 * (kind == "corner") for ring, kind in ZONES}
    | {
        f"placing: {colour} on ring {ring} {kind}": 8 * (ring == 2 and kind == "straight")
        for colour in ("white", "black")
        for ring, kind in ZONES
    }
    | {
        f"placing: {colour} {what}": weight
        for colour in ("white", "black")
        for what, weight in PLACING.items()
    }
    | {"placing: turn": 0}
)
ON_RINGS: Final = len(MOVING)
PLACED: Final = ON_RINGS + N
PATTERNS: Final = PLACED + 2 * N
PLACING_TURN: Final = len(FEATURES) - 1

# The lead of one number of pawns over another, in 64ths of them all.
SHARES = np.zeros((41, 41), np.int64)
for n in range(41):
    for others in range(n):
        SHARES[n, others] = 64 * (n - others) // (n + others)
        SHARES[others, n] = -SHARES[n, others]


# What differs by kind of state.


def pawns(state: Any, colour: int) -> Cells:
    """The pawns of White (0) or Black (1)."""
    raise NotImplementedError


def board(state: Any) -> Cells:
    """All cells."""
    raise NotImplementedError


def centre(state: Any) -> Cells:
    """The refuge."""
    raise NotImplementedError


def zone(state: Any, n: int) -> Cells:
    """The cells of one of the ZONES."""
    raise NotImplementedError


def line_of(state: Any) -> int:
    """How many bits a row has: how far apart two cells of a column are that follow each other."""
    raise NotImplementedError


def stepped(state: Any, cells: Cells, up: int, down: int) -> Cells:
    """All these cells moved one cell by a `leap`: what `<< up >> down` does, but at less cost."""
    raise NotImplementedError


def size_of(state: Any, cells: Cells) -> int:
    """How many cells there are in a set."""
    raise NotImplementedError


# What captures are made of.


@compiled
def around(state: Any, cells: Cells) -> Cells:
    """The neighbours of some cells, and what lies beside the board."""
    line = line_of(state)
    return cells << 1 | cells >> 1 | cells << line | cells >> line


@compiled
def between(state: Any, some: Cells, others: Cells) -> Cells:
    """The cells that have one of these on one side and one of those on the side across."""
    line = line_of(state)
    return (
        some << 1 & others >> 1
        | some >> 1 & others << 1
        | some << line & others >> line
        | some >> line & others << line
    )


@compiled
def strikes(state: Any, own: Cells, foe: Cells) -> Cells:
    """The empty cells next to an enemy, not on the centre, with a pawn of one's own behind."""
    line = line_of(state)
    prey = foe & (board(state) ^ centre(state))
    return (
        (own << 1 & prey) << 1
        | (own >> 1 & prey) >> 1
        | (own << line & prey) << line
        | (own >> line & prey) >> line
    ) & (board(state) ^ own ^ foe)


@compiled
def leap(state: Any, way: int) -> tuple[int, int]:
    """How far up and down the bits are shifted by a step one way: along a row, then a column."""
    far = 1 if way < 2 else line_of(state)
    return (far, 0) if way & 1 else (0, far)


@compiled
def reach(state: Any, own: Cells, empty: Cells) -> Cells:
    """The cells that pawns of a side can move to."""
    if state.step:
        return around(state, own) & empty
    reached = own & empty  # nothing
    for way in range(4):
        up, down = leap(state, way)
        front = stepped(state, own, up, down) & empty
        while front != 0:
            reached = reached | front
            front = stepped(state, front, up, down) & empty
    return reached


@compiled
def can_capture(state: Any, own: Cells, foe: Cells) -> bool:
    """Whether a side has a capturing move."""
    targets = strikes(state, own, foe)
    if targets != 0:
        return bool(reach(state, own, board(state) ^ own ^ foe) & targets != 0)
    return False


@compiled
def takes_all(state: Any, own: Cells, foe: Cells, movers: Cells) -> bool:
    """Whether a chain of captures by one of these pawns leaves no enemy."""
    empty = board(state) ^ own ^ foe
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
                    helpers = own ^ (to << back_up >> back_down)
                    left = foe ^ (foe & (board(state) ^ centre(state)) & between(state, to, own))
                    # Who helps stands still: an enemy they cannot help against is there to stay.
                    sides = board(state) ^ (board(state) & helpers)
                    if left ^ (left & between(state, helpers, sides)) != 0:
                        continue
                    if left != 0:
                        if takes_all(state, helpers | to, left, to):
                            return True
                    else:
                        return True
                if state.step:
                    break
                front = stepped(state, front, up, down) & empty
                back_up += down
                back_down += up
    return False


# What `evaluate` counts.


@compiled
def open_to_capture(state: Any, own: Cells) -> Cells:
    """The pawns with neither one of their own nor the border beside them, on a row or a column."""
    line, all_cells = line_of(state), board(state)
    others = all_cells ^ own
    flat = others << 1 & others >> 1
    steep = others << line & others >> line
    return own & (flat | steep) & (all_cells ^ centre(state))


@compiled
def moving(state: Any, own: Cells, foe: Cells, weights: Weights) -> int:
    """How the player to move stands once all pawns are placed."""
    empty = board(state) ^ own ^ foe
    n, others = size_of(state, own), size_of(state, foe)
    cells, foe_cells = reach(state, own, empty), reach(state, foe, empty)
    near = around(state, empty)
    hidden = board(state) ^ centre(state)
    danger = own & hidden & between(state, foe, foe_cells)
    prey = foe & hidden & between(state, own, cells)
    total = (
        weights[0] * (n - others)
        + weights[1] * SHARES[n, others]
        + weights[2] * (size_of(state, cells) - size_of(state, foe_cells))
        + weights[3] * (size_of(state, own & near) - size_of(state, foe & near))
        + weights[5] * (size_of(state, danger) - size_of(state, prey))
        + weights[7]
    )
    if own & centre(state) != 0:
        total += weights[4]
    elif foe & centre(state) != 0:
        total -= weights[4]
    open_own, open_foe = open_to_capture(state, own), open_to_capture(state, foe)
    total += weights[6] * (size_of(state, open_own) - size_of(state, open_foe))
    for i in range((state.size >> 1) * 3 - 1):
        cells = zone(state, i)
        total += weights[ON_RINGS + i] * (size_of(state, own & cells) - size_of(state, foe & cells))
    return int(total)


@compiled
def placed(state: Any, own: Cells, foe: Cells, colour: int, weights: Weights) -> int:
    """What a colour has in its pawns while they are being placed."""
    total = 0
    for i in range((state.size >> 1) * 3 - 1):
        total += weights[PLACED + colour * N + i] * size_of(state, own & zone(state, i))
    line, first = line_of(state), PATTERNS + 4 * colour
    alike = size_of(state, own & own << 1) + size_of(state, own & own << line)
    inward = around(state, foe & zone(state, STRAIGHT_2)) & zone(state, STRAIGHT_1)
    return int(
        total
        + weights[first] * size_of(state, open_to_capture(state, own))
        + weights[first + 1] * alike
        + weights[first + 2] * size_of(state, own & between(state, foe, foe))
        + weights[first + 3] * size_of(state, own & inward)
    )


@compiled
def outlook(state: Any, weights: Weights) -> int:
    """How the position looks to the player to move: a sum of FEATURES."""
    if state.phase == 2:
        return moving(state, pawns(state, state.turn), pawns(state, 1 - state.turn), weights)
    white, black = pawns(state, 0), pawns(state, 1)
    ahead = placed(state, white, black, 0, weights) - placed(state, black, white, 1, weights)
    return int((ahead if state.turn == 0 else -ahead) + weights[PLACING_TURN])
