"""Boards where pawns are caught between two others: the sets of cells, and how a side stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from quinconce.kernels.array_types import constant_table
from quinconce.kernels.compiled import by_state, compiled
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
STRAIGHT_RING_1: Final = ZONES.index((1, "straight"))
STRAIGHT_RING_2: Final = ZONES.index((2, "straight"))
ZONE_COUNT: Final = len(ZONES)

MOVING_FEATURES: Final = {
    "pawns": 60,
    "share": 6,
    "freedom": 2,
    "pawns that can move": 3,
    "centre": 15,
    "pawns in danger": -40,
    "pawns that can be flanked": -4,
    "turn": 10,
}
PLACING_FEATURES: Final = {
    "that can be flanked": -3,
    "beside their like": 1,
    "between two enemies": 3,
    "before the centre, with an enemy behind": -10,
}
CUSTODIAN_FEATURES: Final[Mapping[str, int]] = (
    MOVING_FEATURES
    | {f"on ring {ring} {kind}": 3 * (kind == "corner") for ring, kind in ZONES}
    | {
        f"placing: {colour} on ring {ring} {kind}": 8 * (ring == 2 and kind == "straight")
        for colour in ("white", "black")
        for ring, kind in ZONES
    }
    | {
        f"placing: {colour} {what}": weight
        for colour in ("white", "black")
        for what, weight in PLACING_FEATURES.items()
    }
    | {"placing: turn": 0}
)
ZONE_WEIGHTS: Final = len(MOVING_FEATURES)
PLACED_ZONE_WEIGHTS: Final = ZONE_WEIGHTS + ZONE_COUNT
PLACED_PATTERN_WEIGHTS: Final = PLACED_ZONE_WEIGHTS + 2 * ZONE_COUNT
PLACING_TURN_WEIGHT: Final = len(CUSTODIAN_FEATURES) - 1


def lead_share(own: int, others: int) -> int:
    """The lead of a number of pawns over another, in 64ths of them all."""
    share = 64 * abs(own - others) // max(1, own + others)
    return share if own > others else -share


LEAD_SHARES = constant_table(lambda: [[lead_share(n, k) for k in range(41)] for n in range(41)])


# What differs by kind of state.


@by_state
def pawns(state: Any, colour: int) -> Cells:
    """The pawns of White (0) or Black (1)."""
    raise NotImplementedError


@by_state
def board_mask(state: Any) -> Cells:
    """All cells."""
    raise NotImplementedError


@by_state
def centre_mask(state: Any) -> Cells:
    """The refuge."""
    raise NotImplementedError


@by_state
def zone_mask(state: Any, n: int) -> Cells:
    """The cells of one of the ZONES."""
    raise NotImplementedError


@by_state
def row_stride(state: Any) -> int:
    """How many bits a row has: how far apart two cells of a column are that follow each other."""
    raise NotImplementedError


@by_state
def shift_cells(state: Any, cells: Cells, up: int, down: int) -> Cells:
    """Cells moved by a `step_shift`: what `<< up >> down` does, but at less cost."""
    raise NotImplementedError


@by_state
def count_cells(state: Any, cells: Cells) -> int:
    """How many cells there are in a set."""
    raise NotImplementedError


# What captures are made of.


@compiled
def adjacent_cells(state: Any, cells: Cells) -> Cells:
    """The neighbours of some cells, and what lies beside the board."""
    line = row_stride(state)
    return cells << 1 | cells >> 1 | cells << line | cells >> line


@compiled
def cells_between(state: Any, some: Cells, others: Cells) -> Cells:
    """The cells that have one of these on one side and one of those on the side across."""
    line = row_stride(state)
    return (
        some << 1 & others >> 1
        | some >> 1 & others << 1
        | some << line & others >> line
        | some >> line & others << line
    )


@compiled
def capture_targets(state: Any, own: Cells, foe: Cells) -> Cells:
    """The empty cells next to an enemy, not on the centre, with a pawn of one's own behind."""
    line = row_stride(state)
    prey = foe & (board_mask(state) ^ centre_mask(state))
    return (
        (own << 1 & prey) << 1
        | (own >> 1 & prey) >> 1
        | (own << line & prey) << line
        | (own >> line & prey) >> line
    ) & (board_mask(state) ^ own ^ foe)


@compiled
def step_shift(state: Any, direction: int) -> tuple[int, int]:
    """How far up and down a step shifts the bits: two directions along a row, then a column's."""
    far = 1 if direction < 2 else row_stride(state)
    return (far, 0) if direction & 1 else (0, far)


@compiled
def reachable_cells(state: Any, own: Cells, empty: Cells) -> Cells:
    """The cells that pawns of a side can move to."""
    if state.step:
        return adjacent_cells(state, own) & empty
    reached = own & empty  # nothing
    for direction in range(4):
        up, down = step_shift(state, direction)
        front = shift_cells(state, own, up, down) & empty
        while front != 0:
            reached = reached | front
            front = shift_cells(state, front, up, down) & empty
    return reached


@compiled
def can_capture(state: Any, own: Cells, foe: Cells) -> bool:
    """Whether a side has a capturing move."""
    targets = capture_targets(state, own, foe)
    if targets != 0:
        return bool(reachable_cells(state, own, board_mask(state) ^ own ^ foe) & targets != 0)
    return False


@compiled
def can_capture_all(state: Any, own: Cells, foe: Cells, movers: Cells) -> bool:
    """Whether a chain of captures by one of these pawns leaves no enemy."""
    empty = board_mask(state) ^ own ^ foe
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
                    helpers = own ^ (to << back_up >> back_down)
                    left = foe ^ (
                        foe
                        & (board_mask(state) ^ centre_mask(state))
                        & cells_between(state, to, own)
                    )
                    # The helping pawn stands still: an enemy that it cannot help to take stays.
                    sides = board_mask(state) ^ (board_mask(state) & helpers)
                    if left ^ (left & cells_between(state, helpers, sides)) != 0:
                        continue
                    if left != 0:
                        if can_capture_all(state, helpers | to, left, to):
                            return True
                    else:
                        return True
                if state.step:
                    break
                front = shift_cells(state, front, up, down) & empty
                back_up += down
                back_down += up
    return False


# What `evaluate` counts.


@compiled
def flankable_pawns(state: Any, own: Cells) -> Cells:
    """The pawns with neither one of their own nor the border beside them, on a row or a column."""
    line, all_cells = row_stride(state), board_mask(state)
    others = all_cells ^ own
    flat = others << 1 & others >> 1
    steep = others << line & others >> line
    return own & (flat | steep) & (all_cells ^ centre_mask(state))


@compiled
def moving_score(state: Any, own: Cells, foe: Cells, weights: Weights) -> int:
    """How the player to move stands once all pawns are placed."""
    empty = board_mask(state) ^ own ^ foe
    n, others = count_cells(state, own), count_cells(state, foe)
    cells, foe_cells = reachable_cells(state, own, empty), reachable_cells(state, foe, empty)
    near = adjacent_cells(state, empty)
    hidden = board_mask(state) ^ centre_mask(state)
    danger = own & hidden & cells_between(state, foe, foe_cells)
    prey = foe & hidden & cells_between(state, own, cells)
    total = (
        weights[0] * (n - others)
        + weights[1] * LEAD_SHARES[n, others]
        + weights[2] * (count_cells(state, cells) - count_cells(state, foe_cells))
        + weights[3] * (count_cells(state, own & near) - count_cells(state, foe & near))
        + weights[5] * (count_cells(state, danger) - count_cells(state, prey))
        + weights[7]
    )
    if own & centre_mask(state) != 0:
        total += weights[4]
    elif foe & centre_mask(state) != 0:
        total -= weights[4]
    open_own, open_foe = flankable_pawns(state, own), flankable_pawns(state, foe)
    total += weights[6] * (count_cells(state, open_own) - count_cells(state, open_foe))
    for i in range((state.size >> 1) * 3 - 1):
        cells = zone_mask(state, i)
        total += weights[ZONE_WEIGHTS + i] * (
            count_cells(state, own & cells) - count_cells(state, foe & cells)
        )
    return int(total)


@compiled
def placing_score(state: Any, own: Cells, foe: Cells, colour: int, weights: Weights) -> int:
    """What a colour has in its pawns while they are being placed."""
    total = 0
    for i in range((state.size >> 1) * 3 - 1):
        total += weights[PLACED_ZONE_WEIGHTS + colour * ZONE_COUNT + i] * count_cells(
            state, own & zone_mask(state, i)
        )
    line, first = row_stride(state), PLACED_PATTERN_WEIGHTS + 4 * colour
    alike = count_cells(state, own & own << 1) + count_cells(state, own & own << line)
    inward = adjacent_cells(state, foe & zone_mask(state, STRAIGHT_RING_2)) & zone_mask(
        state, STRAIGHT_RING_1
    )
    return int(
        total
        + weights[first] * count_cells(state, flankable_pawns(state, own))
        + weights[first + 1] * alike
        + weights[first + 2] * count_cells(state, own & cells_between(state, foe, foe))
        + weights[first + 3] * count_cells(state, own & inward)
    )


@compiled
def custodian_score(state: Any, weights: Weights) -> int:
    """How the position looks to the player to move: a sum of CUSTODIAN_FEATURES."""
    if state.phase == 2:
        return moving_score(state, pawns(state, state.turn), pawns(state, 1 - state.turn), weights)
    white, black = pawns(state, 0), pawns(state, 1)
    ahead = placing_score(state, white, black, 0, weights) - placing_score(
        state, black, white, 1, weights
    )
    return int((ahead if state.turn == 0 else -ahead) + weights[PLACING_TURN_WEIGHT])
