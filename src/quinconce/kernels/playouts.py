"""Random games at the speed of a kernel."""

from __future__ import annotations

from typing import Any

from quinconce.kernels.bits import mixed
from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import Rows, load, successors, winner


@compiled
def played_out(state: Any, out: Rows, seed: int, most: int) -> tuple[int, int, int]:
    """A random game to the board's own end or so many plies: plies, winner, the next seed."""
    plies = 0
    while plies < most:
        n = successors(state, out)
        if n == 0:
            break
        seed += 0x1E3779B97F4A7C15
        state = load(state, out, (mixed(seed) & 0x7FFFFFFF) * n >> 31)
        plies += 1
    return plies, winner(state), seed


@compiled
def play_outs(
    state: Any, out: Rows, seed: int, games: int, most: int
) -> tuple[int, int, int, int, int]:
    """So many random games: the plies of them all, and how many each side won."""
    plies = first = second = third = fourth = 0
    for _game in range(games):
        length, won, seed = played_out(state, out, seed, most)
        plies += length
        first += won == 0
        second += won == 1
        third += won == 2
        fourth += won == 3
    return plies, first, second, third, fourth
