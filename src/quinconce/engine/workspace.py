"""What a thread has to search with: room of its own, and what it shares with others."""

from __future__ import annotations

from contextlib import suppress
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.engine.table import Table
from quinconce.kernels.protocol import Kernel, Weights
from quinconce.kernels.room import room

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

# Desks that nobody uses just now, by kind of state: taking one is quicker than making one, because
# the system hands out memory in large pages and clears each.
free_desks: Final[dict[type, list[Desk]]] = {}
KEPT: Final = 4  # free desks of a kind


def desk_for(kernel: Kernel) -> Desk:
    """Room for one thread, as good as new."""
    kind = type(kernel.encode(kernel.game.start()))
    with suppress(IndexError):
        desk = free_desks.setdefault(kind, []).pop()
        if desk[0].shape[1] >= kernel.most:
            for used in desk[2:]:
                used.fill(0)
            return desk
    return (
        kernel.rows(DEEPEST + 1),
        room(DEEPEST + 1, kernel.most),
        np.zeros(DEEPEST + 1, np.int64),
        np.zeros((DEEPEST + 1, 2), np.int64),
        np.zeros((2, TRACES), np.int64),
        np.zeros(APART, np.int64),
    )


def hand_back(kind: type, desk: Desk) -> None:
    """Leave a desk to whoever searches next."""
    if len(free_desks.setdefault(kind, [])) < KEPT:
        free_desks[kind].append(desk)
