"""What the prover spends its time on in Diam: canonical forms, two ways, and positions a second.

    python -m benchmarks.proof_speed 400000

The number is how many positions a search may take. Times are of the CPU, the best of some runs.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import quinconce
from quinconce import Game
from quinconce.core.claim import Claim
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import SuccessorRows, canonical, key, least_image, load, urgency
from quinconce.solvers.proofs.prover import Prover

SAMPLE_POSITIONS: Final = 3000
RUN_COUNT: Final = 5  # of which the best counts
# The edition, the players, and a question: whether this player wins within so many plies.
QUESTIONS: Final = ((2003, 2, 2, 18), (2003, 3, 2, 30), (2003, 4, 3, 26), (1997, 2, 2, 24))


@compiled
def make_least_images(state: Any, rows: SuccessorRows, n: int) -> int:
    """Every image of so many positions, and the key of the first."""
    found = 0
    for row in range(n):
        found ^= key(least_image(load(state, rows, row)))
    return found


@compiled
def make_canonical_forms(state: Any, rows: SuccessorRows, n: int) -> int:
    """The key of the canonical form of so many positions."""
    found = 0
    for row in range(n):
        found ^= key(canonical(load(state, rows, row)))
    return found


@compiled
def look_for_threats(state: Any, rows: SuccessorRows, n: int) -> int:
    """The urgency of so many positions."""
    found = 0
    for row in range(n):
        found += urgency(load(state, rows, row))
    return found


def random_positions(game: Game[Any], n: int) -> list[Any]:
    """The positions of random games."""
    chance, found = random.Random(5), list[Any]()
    while len(found) < n:
        position = game.start()
        while not game.outcome(position) and len(found) < n:
            found.append(position)
            position = chance.choice(list(game.moves(position)))[1]
    return found


def nanoseconds(
    do: Callable[[Any, SuccessorRows, int], int], rows: SuccessorRows, game: Any
) -> int:
    """How long one position takes."""
    state, best = kernel_for(game).encode(game.start()), float("inf")
    for _run in range(RUN_COUNT + 1):  # the first compiles
        started = time.process_time()
        do(state, rows, len(rows))
        best = min(best, time.process_time() - started)
    return round(best / len(rows) * 1e9)


def searched_per_second(game: Game[Any], player: int, within: int, most: int) -> int:
    """How many positions a second the prover searches."""
    claim = Claim.for_player(game, game.start(), player, within)
    prover, state = Prover(claim), kernel_for(game).encode(game.start())
    prover.compile(state, wide=False)
    started = time.process_time()
    while prover.answer is None and prover.progress.nodes < most:
        prover.pair = prover.search_slice(state, within)
    return round(prover.progress.nodes / (time.process_time() - started))


def main() -> None:
    """Measure, and print a line for each form of the game."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    for edition, players, player, within in QUESTIONS:
        game = quinconce.game("diam", edition=edition, players=players)
        kernel = kernel_for(game)
        sample = random_positions(game, SAMPLE_POSITIONS)
        rows = np.array([kernel.encode(position) for position in sample], np.int64)
        images, forms, threats = (
            nanoseconds(do, rows, game)
            for do in (make_least_images, make_canonical_forms, look_for_threats)
        )
        speed = searched_per_second(game, player, within, most)
        sys.stdout.write(
            f"diam {edition} {players}p: every image {images} ns, canonical form {forms} ns,"
            f" threats {threats} ns; {speed} positions/s\n"
        )


if __name__ == "__main__":
    main()
