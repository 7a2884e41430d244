"""Which move of a position is searched first: the table's, those that refuted others, the rest."""

from __future__ import annotations

from typing import Any, Final

from quinconce.engine.workspace import SIGNATURE_COUNT, Workspace
from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import evaluate, load

# How early a move is tried: the highest rank first, other moves by their history.
TABLE_MOVE_RANK: Final = 1 << 40  # the move that the table remembers
KILLER_RANK: Final = 1 << 30
DEFERRED_RANK: Final = -(1 << 50)
TRIED_RANK: Final = -(1 << 51)


@compiled
def move_signature(state: Any, rows: Int64Array, row: int) -> int:
    """A number for what a move changes, the same wherever the same change is made."""
    changed = 0
    for field in range(2):
        changed = (changed ^ rows[row, field] ^ state[field]) * 0x2545F4914F6CDD1D
    return (changed >> 40) & (SIGNATURE_COUNT - 1)


@compiled
def rank_moves(state: Any, ply: int, n: int, best: int, w: Workspace) -> None:
    """Rank every successor by how early it is tried."""
    side = state.turn & 1
    first, second = w.killers[ply, 0], w.killers[ply, 1]
    for row in range(n):
        signature = move_signature(state, w.rows[ply], row)
        value = w.history[side, signature]
        if signature == first:
            value += KILLER_RANK
        elif signature == second:
            value += KILLER_RANK >> 1
        w.ranks[ply, row] = value
    if best < n:
        w.ranks[ply, best] = TABLE_MOVE_RANK


@compiled
def select_placings(state: Any, ply: int, n: int, depth: int, best: int, w: Workspace) -> int:
    """While pieces are placed there are hundreds of moves: keep to those that look best.

    Each is evaluated for that, and counts as a node.
    """
    w.nodes[0] += n
    for row in range(n):
        w.ranks[ply, row] = -evaluate(load(state, w.rows[ply], row), w.weights)
    if best < n:
        w.ranks[ply, best] = TABLE_MOVE_RANK
    return min(n, 6 + 4 * max(depth, 0))


@compiled
def pick_next_row(ply: int, n: int, w: Workspace) -> int:
    """The successor to try next; it will not be chosen again."""
    chosen = 0
    highest = TRIED_RANK
    for row in range(n):
        if w.ranks[ply, row] > highest:
            chosen, highest = row, w.ranks[ply, row]
    w.ranks[ply, chosen] = TRIED_RANK
    return chosen


@compiled
def keep_deferred(ply: int, n: int, w: Workspace) -> None:
    """Leave nothing to be tried but the successors that were put off."""
    for row in range(n):
        if w.ranks[ply, row] != DEFERRED_RANK:
            w.ranks[ply, row] = TRIED_RANK


@compiled
def record_fail_high(state: Any, ply: int, row: int, depth: int, w: Workspace) -> None:
    """A move was too good to be allowed: try its like earlier elsewhere."""
    side, signature = state.turn & 1, move_signature(state, w.rows[ply], row)
    if w.killers[ply, 0] != signature:
        w.killers[ply, 1] = w.killers[ply, 0]
        w.killers[ply, 0] = signature
    w.history[side, signature] += max(depth, 1) * max(depth, 1)
    if w.history[side, signature] > KILLER_RANK >> 2:
        for other in range(SIGNATURE_COUNT):
            w.history[side, other] >>= 1
