"""How late short turns are, and how deep, on a busy machine: `python -m` this module."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import quantiles
from typing import Any, Final, NamedTuple

from benchmarks.forms import measured_forms
from quinconce import Game, Match
from quinconce.engine import analyse, prepare
from quinconce.solvers.endgames.tables import wait_for_table

SPINNING: Final = "while True: pass"
OPENING_PLIES: Final = 60  # a turn comes after at most so many random plies
GOOD_DEPTH: Final = 2  # plies that a turn has at least, or it is decided before
GOOD_DELAY: Final = 0.1  # seconds that a turn may be late


class Turn(NamedTuple):
    """What one turn took."""

    form: str
    delay: float  # seconds beyond the time to think, from the question to the answer
    depth: int
    decided: bool  # its value is proved


@contextmanager
def busy_machine(processes: int) -> Iterator[None]:
    """A machine on which so many processes do nothing but turn round."""
    spinning = [
        subprocess.Popen([sys.executable, "-c", SPINNING])  # noqa: S603 (ourselves)
        for _process in range(processes)
    ]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def random_position(game: Game[Any], chance: random.Random) -> Match[Any]:
    """A match after some random moves, which goes on and has a choice of moves."""
    while True:
        match = Match(game)
        for _ply in range(chance.randrange(OPENING_PLIES)):
            if not match.outcome():
                match.play(chance.choice(list(match.legal())))
        if len(match.legal()) > 1:
            return match


def measure_turn(match: Match[Any], seconds: float) -> Turn:
    """One turn of so many seconds."""
    started = time.monotonic()
    *_earlier, last = analyse(match, seconds=seconds)
    delay = time.monotonic() - started - seconds
    return Turn(match.game.form_id, delay, last.depth, last.lines[0].value is not None)


def report(turns: list[Turn]) -> Iterator[str]:
    """The figures of all turns, and those of each form."""
    for form in ("all", *dict.fromkeys(turn.form for turn in turns)):
        own = [turn for turn in turns if form in ("all", turn.form)]
        delays = [1000 * turn.delay for turn in own]
        late = sum(turn.delay > GOOD_DELAY for turn in own)
        shallow = sum(turn.depth < GOOD_DEPTH and not turn.decided for turn in own)
        tail = quantiles(delays, n=100)[-1] if len(delays) > 1 else delays[0]
        yield (
            f"{form}: {len(own)} turns, {late} later than {1000 * GOOD_DELAY:.0f} ms, 99 % within "
            f"{tail:.0f} ms, the latest {max(delays):.0f} ms, {shallow} less deep than {GOOD_DEPTH}"
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--turns", type=int, default=100, help="of each form")
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--busy", type=int, default=4, help="busy processes a core")
    given = parser.parse_args()
    forms = measured_forms(given.games)
    for game in forms:
        prepare(game, informed=True)
        wait_for_table(game)  # what is worked out beside a turn would keep a core busy
    chance = random.Random(0)
    with busy_machine(given.busy * (os.cpu_count() or 1)):
        turns = [
            measure_turn(random_position(game, chance), given.seconds)
            for game in forms * given.turns
        ]
    for line in report(turns):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
