"""How long a first move takes without compiled code, from the start of a process: `python -m`."""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from typing import Any, Final, NamedTuple

from benchmarks.late_turns import measured_forms
from quinconce import Game

MOVE: Final = """
import json, random, sys
import quinconce
from quinconce.engine import choose
name, options, plies, level = json.loads(sys.argv[1])
chance = random.Random(0)
match = quinconce.Match(quinconce.game(name, **options))
for _ply in range(plies):
    match.play(chance.choice(list(match.legal())))
choose(match, level, seed=0)
"""
LEVELS: Final = (1, 5, 8, 9)


class Cost(NamedTuple):
    """What a process cost that played one move."""

    processor: float  # seconds
    clock: float  # seconds, which others on this machine prolong


def measure_move(game: Game[Any], plies: int, level: int) -> Cost:
    """A process that loads the engine and plays a move of a level after some random plies."""
    question = json.dumps([game.name, game.chosen, plies, level])
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(  # noqa: S603 (ourselves)
        [sys.executable, "-c", MOVE, question],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(used, time.monotonic() - started)


def main() -> None:
    """Print a table of seconds of CPU time, by the clock in brackets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--plies", type=int, default=0, help="random plies before the move")
    given = parser.parse_args()
    sys.stdout.write(f"level: {', '.join(map(str, LEVELS))}\n")
    for game in measured_forms(given.games):
        costs = [measure_move(game, given.plies, level) for level in LEVELS]
        told = ", ".join(f"{cost.processor:.2f} ({cost.clock:.2f})" for cost in costs)
        sys.stdout.write(f"{game.form_id}: {told}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
