"""The functions of the kernels' protocol for Python to call: compiled, and dispatched by state."""

from __future__ import annotations

from typing import Any

from quinconce.kernels import protocol
from quinconce.kernels.compiled import compiled, entry
from quinconce.kernels.protocol import SuccessorRows, Touches, Weights

# Written out, not made in a loop: Numba caches no function that `exec` or a closure made.


@entry
def successors(state: Any, out: SuccessorRows) -> int:
    """`protocol.successors`; an error if there are more than there are rows."""
    rows = protocol.successors(state, out)
    if rows == out.shape[0]:
        raise OverflowError("a position has more moves than this kernel has rows")
    return rows


@entry
def load(state: Any, out: SuccessorRows, row: int) -> Any:
    """`protocol.load`."""
    return protocol.load(state, out, row)


@entry
def winner(state: Any) -> int:
    """`protocol.winner`."""
    return protocol.winner(state)


@entry
def key(state: Any) -> int:
    """`protocol.key`."""
    return protocol.key(state)


@entry
def evaluate(state: Any, weights: Weights) -> int:
    """`protocol.evaluate`."""
    return protocol.evaluate(state, weights)


@entry
def urgency(state: Any) -> int:
    """`protocol.urgency`."""
    return protocol.urgency(state)


@entry
def jammed(state: Any) -> int:
    """`protocol.jammed`."""
    return protocol.jammed(state)


@entry
def is_quiet(state: Any, after: Any) -> int:
    """`protocol.is_quiet`."""
    return protocol.is_quiet(state, after)


@entry
def canonical(state: Any) -> Any:
    """`protocol.canonical`."""
    return protocol.canonical(state)


@entry
def image(state: Any, n: int) -> Any:
    """`protocol.image`."""
    return protocol.image(state, n)


@entry
def image_count(state: Any) -> int:
    """`protocol.image_count`."""
    return protocol.image_count(state)


@entry
def index_count(state: Any) -> int:
    """`protocol.index_count`."""
    return protocol.index_count(state)


@entry
def endgame_layer_start(state: Any, pieces: int) -> int:
    """`protocol.endgame_layer_start`."""
    return protocol.endgame_layer_start(state, pieces)


@entry
def endgame_part_start(state: Any, pieces: int, own: int) -> int:
    """`protocol.endgame_part_start`."""
    return protocol.endgame_part_start(state, pieces, own)


@entry
def indices_per_board(state: Any) -> int:
    """`protocol.indices_per_board`."""
    return protocol.indices_per_board(state)


@entry
def indices_per_cell_set(state: Any, pieces: int, own: int) -> int:
    """`protocol.indices_per_cell_set`."""
    return protocol.indices_per_cell_set(state, pieces, own)


@entry
def quiet_predecessors(state: Any, out: SuccessorRows) -> int:
    """`protocol.quiet_predecessors`."""
    return protocol.quiet_predecessors(state, out)


@entry
def index(state: Any) -> int:
    """`protocol.index`."""
    return protocol.index(state)


@entry
def from_index(state: Any, n: int) -> Any:
    """`protocol.from_index`."""
    return protocol.from_index(state, n)


@compiled
def next_touches(state: Any, path: Touches, length: int, places: Touches) -> tuple[int, bool]:
    """`protocol.next_touches`."""
    return protocol.next_touches(state, path, length, places)


@compiled
def after_touches(state: Any, path: Touches, length: int, out: SuccessorRows, row: int) -> None:
    """`protocol.after_touches`."""
    protocol.after_touches(state, path, length, out, row)


@compiled
def write_pieces(state: Any, pieces: Touches) -> None:
    """`protocol.write_pieces`."""
    protocol.write_pieces(state, pieces)


@compiled
def reserve_count(state: Any, kind: int) -> int:
    """`protocol.reserve_count`."""
    return protocol.reserve_count(state, kind)
