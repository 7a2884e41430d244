"""A kernel as Python sees it: from a plain position to numbers and back; perft and random games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar, Final

from quinconce.core.game import Game
from quinconce.kernels import calls
from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.arrays import NATIVE_ARRAYS, ArrayMaker, temporary_arrays
from quinconce.kernels.bits import mix64
from quinconce.kernels.compiled import compiled, entry
from quinconce.kernels.protocol import SuccessorRows, load, successor_count, successors, winner

KERNELS_PACKAGE: Final = "quinconce.kernels"


class Kernel(ABC):
    """The Python side of a kernel: from a plain position to numbers and back."""

    max_successors: int  # no position has more successors
    max_touches: int = 2  # no move is a longer path
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

    def new_rows(
        self, plies: int, most: int | None = None, arrays: ArrayMaker = NATIVE_ARRAYS
    ) -> Int64Array:
        """Rows for the successors of a number of plies: all of them, or `most` for each ply."""
        fields = len(self.encode(self.game.start()))
        rows = self.max_successors if most is None else min(most, self.max_successors)
        made: Int64Array = arrays.empty(plies, rows, fields)
        return made

    def successor_states(self, state: Any) -> list[Any]:
        """Where each legal move leads."""
        with temporary_arrays(state) as arrays:
            out = self.new_rows(1, arrays=arrays)[0]
            return [calls.load(state, out, row) for row in range(calls.successors(state, out))]

    def successors(self, position: Any) -> list[Any]:
        """Where each legal move leads, as plain positions."""
        return list(map(self.decode, self.successor_states(self.encode(position))))

    def perft(self, position: Any, depth: int) -> int:
        """The number of sequences of exactly `depth` moves."""
        if depth == 0:
            return 1
        state = self.encode(position)
        with temporary_arrays(state) as arrays:
            return int(count_leaves(state, depth, self.new_rows(depth, arrays=arrays), 0))


def kernel_for(game: Game[Any]) -> Kernel:
    """The kernel of a game, found by the name of its file."""
    module = import_module(f"{KERNELS_PACKAGE}.{game.name}")
    found: type[Kernel] = next(
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Kernel) and thing is not Kernel
    )
    return found(game)


@entry
def count_leaves(state: Any, depth: int, out: Int64Array, ply: int) -> int:
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
        seed += 0x1E3779B97F4A7C15
        state = load(state, out, (mix64(seed) & 0x7FFFFFFF) * n >> 31)
        plies += 1
    return plies, winner(state), seed


@entry
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
