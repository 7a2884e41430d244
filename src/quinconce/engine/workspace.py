"""What a thread has to search with: its settings, memory of its own, what it shares with others."""

from __future__ import annotations

from typing import Final, NamedTuple

from quinconce.core.move_limit import MOVE_LIMIT
from quinconce.engine.limits import MAX_DEPTH
from quinconce.engine.transpositions import BufferPool, TranspositionTable
from quinconce.kernels.array_types import Int16Array, Int64Array
from quinconce.kernels.arrays import ArrayMaker, NativeArrays
from quinconce.kernels.kernel import Kernel
from quinconce.kernels.protocol import Weights

Distances = Int16Array

MAX_PLY: Final = 2 * MAX_DEPTH  # plies from the root, quiescence included
SEARCHED_MOVES: Final = MOVE_LIMIT  # of a position; where chains of captures give more, the first
SIGNATURE_COUNT: Final = 4096
DEFER_SLOTS: Final = 1 << 12  # for the successors that threads are just searching

# What steers a thread, by place in `control`.
STOP_FLAG: Final = 0
NODE_LIMIT: Final = 1  # the search stops after this many
QUIET_LIMIT: Final = 2  # the quiet limit, or 0
THREAD_COUNT: Final = 3
EVALUATION_NOISE: Final = 4  # how far estimates are off, either way
BLINDNESS: Final = 5  # how many of 1024 positions are overlooked
BLIND_FROM_PLY: Final = 6  # from this ply on
WEAKNESS_SEED: Final = 7  # of both
PROOF_MODE: Final = 8  # 1 while one asks what is proved of victories by counting
DRAW_SCORE: Final = 9  # what an even jam is worth to the first side
ROOT_QUIET: Final = 10  # quiet turns in a row before the root
# More than there are settings: what one thread writes is in no other's line of the cache.
CONTROL_SIZE: Final = 32


class Workspace(NamedTuple):
    """What a thread needs to search, its own or shared with others."""

    rows: Int64Array  # the successors at each ply
    ranks: Int64Array  # which of them to try first
    path: Int64Array  # the keys of the positions that led here
    killers: Int64Array  # signatures of moves that refuted others at this ply
    history: Int64Array  # how often a signature refuted anything, by side; one for all threads
    nodes: Int64Array  # searched by this thread
    control: Int64Array  # its own too, written by others: see STOP_FLAG and what follows it
    table: TranspositionTable  # shared from here on
    occurrences: Int64Array  # positions of the match so far, with how often each occurred
    being_searched: Int64Array  # which successors a thread is searching just now
    weights: Weights
    endgame_distances: Distances  # of positions with few pieces, by their index; or nothing


# What a thread has for itself: the first fields of a workspace.
ThreadBuffers = tuple[Int64Array, ...]

thread_buffer_pool: Final = BufferPool[tuple[type, int], ThreadBuffers](4)


def acquire_thread_buffers(owner: object, kernel: Kernel, arrays: ArrayMaker) -> ThreadBuffers:
    """The buffers of one thread, as good as new, until its owner is gone."""
    if not isinstance(arrays, NativeArrays):
        return new_thread_buffers(kernel, arrays)
    kind = type(kernel.encode(kernel.game.start())), kernel.max_successors
    buffers = thread_buffer_pool.acquire(owner, kind, lambda: new_thread_buffers(kernel, arrays))
    for buffer in buffers[2:]:
        buffer.fill(0)
    return buffers


def new_thread_buffers(kernel: Kernel, arrays: ArrayMaker) -> ThreadBuffers:
    """The buffers of one thread, made anew; the first two are written before they are read."""
    moves, fields = (
        min(SEARCHED_MOVES, kernel.max_successors),
        len(kernel.encode(kernel.game.start())),
    )
    return (
        arrays.empty(MAX_PLY + 1, moves, fields),
        arrays.empty(MAX_PLY + 1, moves),
        arrays.zeros(MAX_PLY + 1),
        arrays.zeros(MAX_PLY + 1, 2),
        arrays.zeros(2, SIGNATURE_COUNT),
        arrays.zeros(CONTROL_SIZE),
    )
