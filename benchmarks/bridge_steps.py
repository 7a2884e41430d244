"""How many steps a second random players make through PettingZoo's bridge: `python -m`."""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any, NamedTuple

from benchmarks.forms import measured_forms
from quinconce import Game
from quinconce.bridges.pettingzoo import raw_env


class Run(NamedTuple):
    """What was played in a run, and how long that took."""

    steps: int
    moves: int
    games: int
    processor: float  # seconds
    clock: float  # seconds, which others on this machine prolong


def play(game: Game[Any], seconds: float, chance: random.Random) -> Run:
    """Random games, with the observation, the mask and the info of every step."""
    options: dict[str, Any] = dict(game.chosen)
    env = raw_env(game.name, **options)
    steps = moves = games = 0
    clock, processor = time.perf_counter(), time.process_time()
    while time.process_time() - processor < seconds:
        env.reset()
        games += 1
        while True:
            seen, _reward, terminated, truncated, _info = env.last()
            if terminated or truncated:
                break
            legal = seen["action_mask"].nonzero()[0]
            env.step(int(legal[int(chance.random() * len(legal))]))
            steps += 1
        moves += len(env.episode.match.moves)
    return Run(steps, moves, games, time.process_time() - processor, time.perf_counter() - clock)


def main() -> None:
    """Print a line for each form: steps a second of CPU time in the best round and the middle one.

    Other work on the machine only ever slows a round down.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of a round")
    given = parser.parse_args()
    sys.stdout.write("form | best steps/s | middle | by the clock | steps a move | moves a game\n")
    for game in measured_forms(given.games):
        chance = random.Random(1)
        runs = [play(game, given.seconds, chance) for _round in range(given.rounds)]
        rates = sorted(run.steps / run.processor for run in runs)
        clock = max(run.steps / run.clock for run in runs)
        steps, moves, games = (sum(run[field] for run in runs) for field in range(3))
        sys.stdout.write(
            f"{game.form_id} | {rates[-1]:.0f} | {rates[len(rates) // 2]:.0f} | {clock:.0f}"
            f" | {steps / moves:.2f} | {moves / games:.0f}\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
