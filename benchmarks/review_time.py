"""How long the review of a match takes at the usual effort, in one process.

    python -m benchmarks.review_time [FORM …] [--plies 40] [--nodes N]

A form is a game with options, as `diam edition=1997` in quotes. Each plays a match against itself
at a low level for that many plies (or from another opening, where it ends sooner), and reviews it.
Prints the seconds by the clock and of CPU for as many plies, and the longest for one position.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any, Final

from benchmarks.calibration import parse_form
from quinconce import Game, Match
from quinconce.core.move_limit import sample_moves
from quinconce.engine import choose
from quinconce.study.review import USUAL_NODES, report_position, review

FORMS: Final = (
    "buts",
    "diadema",
    "diam",
    "diam players=3",
    "diam edition=1997",
    "diam edition=1997 players=4",
    "seega",
    "seega size=7",
    "seega size=9",
)
LEVEL: Final = 3
OPENING_PLIES: Final = 4
TRIES: Final = 5  # at a match that is long enough


def play_match(game: Game[Any], plies: int, seed: int) -> Match[Any]:
    """A match between weak players, with some moves of chance before."""
    match, chance = Match(game), random.Random(seed)
    while not match.outcome() and len(match.moves) < plies:
        if len(match.moves) < OPENING_PLIES:
            match.play(chance.choice(sorted(sample_moves(game, match.position))))
        else:
            match.play(choose(match, LEVEL, seed=seed))
    return match


def main() -> None:
    """Measure the forms one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forms", nargs="*", default=FORMS)
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=USUAL_NODES)
    given = parser.parse_args()
    for form in given.forms:
        game = parse_form(form)
        played = [play_match(game, given.plies, seed) for seed in range(TRIES)]
        match = max(played, key=lambda one: len(one.moves))
        report_position(Match(game), 1000)  # compiled and loaded before
        began, cpu, slowest, last = time.perf_counter(), time.process_time(), 0.0, 0.0
        for _step in review(match, given.nodes):
            now = time.process_time() - cpu
            slowest, last = max(slowest, now - last), now
        each = given.plies / len(match.moves)
        sys.stdout.write(
            f"{form}: {len(match.moves)} plies; for {given.plies}: "
            f"{each * (time.perf_counter() - began):.1f} s by the clock, "
            f"{each * (time.process_time() - cpu):.1f} s of CPU; "
            f"a position {slowest:.2f} s at most\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
