"""How many steps a second a batch of random games makes: `python -m benchmarks.batch_steps`."""

from __future__ import annotations

import argparse
import time
from typing import Any, Final

from benchmarks.forms import measured_forms
from quinconce import Game
from quinconce.bridges.batch import Batch

GAMES: Final = 4096  # at once
WARM_STEPS: Final = 200  # so that games are of all ages
ROUNDS: Final = 5  # of which the best counts: other work only ever slows a round down


def steps_per_s(batch: Batch, seconds: float) -> float:
    """Steps a second of CPU time, each with a random legal action, masks and new games."""
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        batch.step(batch.random_actions())
        steps += batch.size
    return steps / (time.process_time() - began)


def observations_per_s(batch: Batch, seconds: float) -> float:
    """Observations a second of CPU time."""
    seen, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        batch.observation()
        seen += batch.size
    return seen / (time.process_time() - began)


def measure(game: Game[Any], seconds: float) -> tuple[float, float]:
    """The best round of steps, and of observations."""
    batch = Batch(game, GAMES, seed=1)
    for _step in range(WARM_STEPS):
        batch.step(batch.random_actions())
    batch.observation()
    steps = max(steps_per_s(batch, seconds) for _round in range(ROUNDS))
    return steps, max(observations_per_s(batch, seconds) for _round in range(ROUNDS))


def main() -> None:
    """Print a row of a table for each form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU time of a round")
    given = parser.parse_args()
    for game in measured_forms(given.games):
        steps, seen = measure(game, given.seconds)
        print(f"| {game.form_id} | {steps / 1e6:.1f} | {seen / 1e6:.1f} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
