"""A kernel as Python sees it: from a plain position to numbers and back, and perft."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from quinconce.core.game import Game
from quinconce.kernels import calls
from quinconce.kernels.compiled import compiled
from quinconce.kernels.plain_arrays import writable
from quinconce.kernels.protocol import load, successor_count
from quinconce.kernels.sparse_array import sparse_zeros

KERNELS_PACKAGE: Final = "quinconce.kernels"


class Kernel(ABC):
    """The Python side of a kernel: from a plain position to numbers and back."""

    max_successors: int  # no position has more successors
    features: ClassVar[Mapping[str, int]]  # what `evaluate` counts, with weights set by hand
    weight_options: ClassVar[
        tuple[str, ...]
    ] = ()  # the options that have fitted weights of their own

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    @abstractmethod
    def encode(self, position: Any) -> Any:
        """The state of a position."""

    @abstractmethod
    def decode(self, state: Any) -> Any:
        """The position of a state."""

    def new_rows(self, plies: int, most: int | None = None) -> npt.NDArray[np.int64]:
        """Room for the successors of a number of plies, all of them or so many at most."""
        fields = len(self.encode(self.game.start()))
        rows = self.max_successors if most is None else min(most, self.max_successors)
        return writable(sparse_zeros(plies, rows, fields))

    def successors(self, position: Any) -> list[Any]:
        """Where each legal move leads, as plain positions."""
        state, out = self.encode(position), self.new_rows(1)[0]
        rows = calls.successors(state, out)
        return [self.decode(calls.load(state, out, row)) for row in range(rows)]

    def perft(self, position: Any, depth: int) -> int:
        """The number of sequences of exactly `depth` moves."""
        if depth == 0:
            return 1
        return int(count_leaves(self.encode(position), depth, self.new_rows(depth), 0))


def kernel_for(game: Game[Any]) -> Kernel:
    """The kernel of a game, found by the name of its file."""
    module = import_module(f"{KERNELS_PACKAGE}.{game.name}")
    found: type[Kernel] = next(
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Kernel) and thing is not Kernel
    )
    return found(game)


@compiled
def count_leaves(state: Any, depth: int, out: npt.NDArray[np.int64], ply: int) -> int:
    """Sequences of exactly `depth` moves; those of the last ply are counted without being made."""
    if depth == 1:
        return successor_count(state)
    total = 0
    for row in range(calls.successors(state, out[ply])):
        total += count_leaves(load(state, out[ply], row), depth - 1, out, ply + 1)
    return total
