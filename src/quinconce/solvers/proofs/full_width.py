"""Full width: every move is tried, for «no win is forced within so many plies»; what is compiled.

Where the answer is no, nothing is gained by trying the most promising moves first: each move of the
attacker has to be met. This search just does that, in the order of the moves, and remembers.
"""

from __future__ import annotations

from typing import Any, Final

from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import load, successors
from quinconce.solvers.proofs.dfpn import (
    BUDGET,
    DISPROVED,
    NODES,
    PROVED,
    USED,
    Scratch,
    Words,
    first_look,
    stored,
)

STOPPED: Final = 1  # a pair that says nothing: there was no time to find out


@compiled
def swept(
    state: Any, name: int, left: int, ply: int, scratch: Scratch, table: Words, tally: Words
) -> int:
    """The answer for a position with so many plies left: PROVED, DISPROVED, or STOPPED."""
    if tally[NODES] >= tally[BUDGET]:
        return STOPPED
    started = tally[NODES]
    tally[NODES] += 1
    attacks = scratch.attacks[state.turn]
    goal = PROVED if attacks else DISPROVED
    out, pairs = scratch.out[ply], scratch.pairs
    rows = successors(state, out)
    pair = PROVED + DISPROVED - goal
    for row in range(rows):
        found = first_look(load(state, out, row), left - 1, scratch, ply, row, table)
        pairs[ply, row] = found
        if found == goal:
            pair = goal
            break
    row = 0
    while row < rows and pair != goal:
        if pairs[ply, row] != PROVED + DISPROVED - goal:
            after, key = load(state, out, row), scratch.keys[ply, row]
            found = swept(after, key, left - 1, ply + 1, scratch, table, tally)
            if found == STOPPED:
                return STOPPED
            if found == goal:
                pair = goal
        row += 1
    tally[USED] += stored(table, name, left, pair, tally[NODES] - started)
    return pair
