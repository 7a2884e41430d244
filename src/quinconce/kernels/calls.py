"""The functions of the kernels' protocol for Python to call: compiled, and dispatched by state."""

from __future__ import annotations

from typing import Any

from quinconce.kernels import protocol
from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import SuccessorRows, Weights

# Written out, not made in a loop: Numba caches no function that `exec` or a closure made.


@compiled
def successors(state: Any, out: SuccessorRows) -> int:
    """`protocol.successors`; an error if there are more than there are rows."""
    rows = protocol.successors(state, out)
    if rows == out.shape[0]:
        raise OverflowError("a position has more moves than this kernel has rows")
    return rows


@compiled
def load(state: Any, out: SuccessorRows, row: int) -> Any:
    """`protocol.load`."""
    return protocol.load(state, out, row)


@compiled
def winner(state: Any) -> int:
    """`protocol.winner`."""
    return protocol.winner(state)


@compiled
def key(state: Any) -> int:
    """`protocol.key`."""
    return protocol.key(state)


@compiled
def evaluate(state: Any, weights: Weights) -> int:
    """`protocol.evaluate`."""
    return protocol.evaluate(state, weights)


@compiled
def urgency(state: Any) -> int:
    """`protocol.urgency`."""
    return protocol.urgency(state)


@compiled
def jammed(state: Any) -> int:
    """`protocol.jammed`."""
    return protocol.jammed(state)


@compiled
def is_quiet(state: Any, after: Any) -> int:
    """`protocol.is_quiet`."""
    return protocol.is_quiet(state, after)


@compiled
def canonical(state: Any) -> Any:
    """`protocol.canonical`."""
    return protocol.canonical(state)


@compiled
def image(state: Any, n: int) -> Any:
    """`protocol.image`."""
    return protocol.image(state, n)


@compiled
def image_count(state: Any) -> int:
    """`protocol.image_count`."""
    return protocol.image_count(state)


@compiled
def index_count(state: Any) -> int:
    """`protocol.index_count`."""
    return protocol.index_count(state)


@compiled
def endgame_layer_start(state: Any, pieces: int) -> int:
    """`protocol.endgame_layer_start`."""
    return protocol.endgame_layer_start(state, pieces)


@compiled
def endgame_part_start(state: Any, pieces: int, own: int) -> int:
    """`protocol.endgame_part_start`."""
    return protocol.endgame_part_start(state, pieces, own)


@compiled
def indices_per_board(state: Any) -> int:
    """`protocol.indices_per_board`."""
    return protocol.indices_per_board(state)


@compiled
def indices_per_cell_set(state: Any, pieces: int, own: int) -> int:
    """`protocol.indices_per_cell_set`."""
    return protocol.indices_per_cell_set(state, pieces, own)


@compiled
def quiet_predecessors(state: Any, out: SuccessorRows) -> int:
    """`protocol.quiet_predecessors`."""
    return protocol.quiet_predecessors(state, out)


@compiled
def index(state: Any) -> int:
    """`protocol.index`."""
    return protocol.index(state)


@compiled
def from_index(state: Any, n: int) -> Any:
    """`protocol.from_index`."""
    return protocol.from_index(state, n)
