"""Full width: every move is tried, for «no win is forced within n plies»; what is compiled.

Where the answer is no, nothing is gained by trying the most promising moves first: each move of the
attacker has to be met. This search just does that, in the order of the moves, and remembers.
"""

from __future__ import annotations

from typing import Any, Final

from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.compiled import entry
from quinconce.kernels.protocol import load, successors
from quinconce.solvers.proofs.dfpn import (
    BUDGET,
    DISPROVED,
    NODES,
    PROVED,
    USED,
    Scratch,
    initial_pairs,
    store_pair,
)

OUT_OF_NODES: Final = 1  # a pair that says nothing: there was no time to find out


@entry
def search(
    state: Any,
    name: int,
    left: int,
    ply: int,
    scratch: Scratch,
    table: Int64Array,
    tally: Int64Array,
) -> int:
    """The answer for a position with `left` plies to go: PROVED, DISPROVED or OUT_OF_NODES."""
    if tally[NODES] >= tally[BUDGET]:
        return OUT_OF_NODES
    started = tally[NODES]
    tally[NODES] += 1
    attacks = scratch.attacker_moves[state.turn]
    goal = PROVED if attacks else DISPROVED
    out, pairs = scratch.out[ply], scratch.pairs
    rows = successors(state, out)
    pair = PROVED + DISPROVED - goal
    if initial_pairs(state, rows, left - 1, goal, scratch, ply, table):
        pair = goal
    row = 0
    while row < rows and pair != goal:
        if pairs[ply, row] != PROVED + DISPROVED - goal:
            after, key = load(state, out, row), scratch.keys[ply, row]
            found = search(after, key, left - 1, ply + 1, scratch, table, tally)
            if found == OUT_OF_NODES:
                return OUT_OF_NODES
            if found == goal:
                pair = goal
        row += 1
    tally[USED] += store_pair(table, name, left, pair, tally[NODES] - started)
    return pair
