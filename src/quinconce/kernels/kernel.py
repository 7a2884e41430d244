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
from quinconce.kernels.protocol import count, load
from quinconce.kernels.sparse_array import room

ROOM: Final = "quinconce.kernels"


class Kernel(ABC):
    """The Python side of a kernel: from a plain position to numbers and back."""

    most: int  # no position has more successors
    features: ClassVar[Mapping[str, int]]  # what `evaluate` counts, with weights set by hand
    fitted_for: ClassVar[tuple[str, ...]] = ()  # the options that have fitted weights of their own

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    @abstractmethod
    def encode(self, position: Any) -> Any:
        """The state of a position."""

    @abstractmethod
    def decode(self, state: Any) -> Any:
        """The position of a state."""

    def rows(self, depth: int) -> npt.NDArray[np.int64]:
        """Room for the successors of so many plies."""
        fields = len(self.encode(self.game.start()))
        return room(depth, self.most, fields)

    def moves(self, position: Any) -> list[Any]:
        """Where each legal move leads, as plain positions."""
        state, out = self.encode(position), self.rows(1)[0]
        rows = calls.successors(state, out)
        return [self.decode(calls.load(state, out, row)) for row in range(rows)]

    def perft(self, position: Any, depth: int) -> int:
        """The number of sequences of exactly `depth` moves."""
        if depth == 0:
            return 1
        return int(leaves(self.encode(position), depth, self.rows(depth), 0))


def kernel(game: Game[Any]) -> Kernel:
    """The kernel of a game, found by the name of its file."""
    module = import_module(f"{ROOM}.{game.name}")
    found: type[Kernel] = next(
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Kernel) and thing is not Kernel
    )
    return found(game)


@compiled
def leaves(state: Any, depth: int, out: npt.NDArray[np.int64], ply: int) -> int:
    """Sequences of exactly `depth` moves; those of the last ply are counted without being made."""
    if depth == 1:
        return count(state)
    total = 0
    for row in range(calls.successors(state, out[ply])):
        total += leaves(load(state, out[ply], row), depth - 1, out, ply + 1)
    return total
