"""What a thread has to search with: room of its own, and what it shares with others."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.engine.buffer_pool import Stock
from quinconce.engine.transpositions import Table
from quinconce.kernels.kernel import Kernel
from quinconce.kernels.protocol import Weights
from quinconce.kernels.sparse_array import room

Numbers = npt.NDArray[np.int64]
Worths = npt.NDArray[np.int16]

DEEPEST: Final = 100  # plies from the root, quiescence included
TRACES: Final = 4096
SLOTS: Final = 1 << 12  # for the successors that threads are just searching

# What steers a thread, by place in `control`.
STOP: Final = 0
NODES: Final = 1  # it stops after so many
QUIET: Final = 2  # the quiet limit, or 0
THREADS: Final = 3
NOISE: Final = 4  # how far estimates are off, either way
BLIND: Final = 5  # of 1024 positions so many are overlooked
SIGHT: Final = 6  # from this ply on
SEED: Final = 7  # of both
PROVING: Final = 8  # what crosses keys while victories by counting are proved, or 0
SETTINGS: Final = 9
APART: Final = 32  # numbers, so that what one thread writes is in no other's line of the cache


class Workspace(NamedTuple):
    """What a thread needs to search, its own or shared with others."""

    rows: npt.NDArray[np.int64]  # the successors at each ply
    ranks: Numbers  # which of them to try first
    path: Numbers  # the keys of the positions that led here
    killers: Numbers  # traces of moves that refuted others at this ply
    history: Numbers  # how often a trace refuted anything, by side; one for all threads
    nodes: Numbers  # searched by this thread
    control: Numbers  # its own too, written by others: see STOP and what follows it
    table: Table  # shared from here on
    seen: Numbers  # positions of the match so far, with how often each occurred
    busy: Numbers  # which successors a thread is searching just now
    weights: Weights
    endings: Worths  # what positions with few pieces are worth, by their index; or nothing


Desk = tuple[Numbers, ...]  # what a thread has for itself: the first fields of a workspace

free_desks: Final = Stock[tuple[type, int], Desk](4)


def desk_for(owner: object, kernel: Kernel) -> Desk:
    """Room for one thread, as good as new, until its owner is gone."""
    kind = type(kernel.encode(kernel.game.start())), kernel.most
    desk = free_desks.lend(owner, kind, lambda: new_desk(kernel))
    for used in desk[2:]:
        used.fill(0)
    return desk


def new_desk(kernel: Kernel) -> Desk:
    """Room for one thread."""
    return (
        kernel.rows(DEEPEST + 1),
        room(DEEPEST + 1, kernel.most),
        np.zeros(DEEPEST + 1, np.int64),
        np.zeros((DEEPEST + 1, 2), np.int64),
        np.zeros((2, TRACES), np.int64),
        np.zeros(APART, np.int64),
    )
