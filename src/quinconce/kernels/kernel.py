"""A kernel as Python sees it: from a plain position to numbers and back; perft and random games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from quinconce.core.game import Game
from quinconce.kernels import calls
from quinconce.kernels.arrays import sparse_zeros, writable
from quinconce.kernels.bits import mix64, signed
from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import SuccessorRows, load, successor_count, successors, winner

KERNELS_PACKAGE: Final = "quinconce.kernels"


class Kernel(ABC):
    """The Python side of a kernel: from a plain position to numbers and back."""

    max_successors: int  # no position has more successors
    features: ClassVar[Mapping[str, int]]  # what `evaluate` counts, with weights set by hand
    weight_options: ClassVar[tuple[str, ...]] = ()  # options with fitted weights of their own

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    @abstractmethod
    def encode(self, position: Any) -> Any:
        """The state of a position."""

    @abstractmethod
    def decode(self, state: Any) -> Any:
        """The position of a state."""

    def new_rows(self, plies: int, most: int | None = None) -> npt.NDArray[np.int64]:
        """Rows for the successors of a number of plies: all of them, or `most` for each ply."""
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


@compiled
def random_playout(
    state: Any, out: SuccessorRows, seed: int, max_plies: int
) -> tuple[int, int, int]:
    """A random game to the board's own end or a number of plies: plies, winner, the next seed."""
    plies = 0
    while plies < max_plies:
        n = successors(state, out)
        if n == 0:
            break
        seed = signed(seed + 0x1E3779B97F4A7C15)
        state = load(state, out, (mix64(seed) & 0x7FFFFFFF) * n >> 31)
        plies += 1
    return plies, winner(state), seed


@compiled
def random_playouts(
    state: Any, out: SuccessorRows, seed: int, games: int, max_plies: int
) -> tuple[int, int, int, int, int]:
    """Play random games: the plies of them all, and how many each side won."""
    plies = first = second = third = fourth = 0
    for _game in range(games):
        length, won, seed = random_playout(state, out, seed, max_plies)
        plies += length
        first += won == 0
        second += won == 1
        third += won == 2
        fourth += won == 3
    return plies, first, second, third, fourth
