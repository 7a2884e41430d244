"""Random games at the speed of a kernel."""

from __future__ import annotations

from typing import Any

from quinconce.kernels.bits import mix64, signed
from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import SuccessorRows, load, successors, winner


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
