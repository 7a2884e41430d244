"""What a search in slices loses against one that is never stopped: `python -m` this module."""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any, Final

from quinconce import Match, game
from quinconce.engine.limits import Limits
from quinconce.engine.preparation import new_search
from quinconce.engine.slices import SLICE_MEGABYTES, SlicedSearch

LINES: Final = 3
SLICE_SECONDS: Final = 0.08
POSITIONS: Final[
    tuple[tuple[str, dict[str, str], int], ...]
] = (  # a game, its options, and the random plies before
    ("diam", {"edition": "1997"}, 14),
    ("seega", {}, 60),
    ("buts", {}, 10),
)


def random_position(name: str, options: dict[str, str], plies: int) -> Match[Any]:
    """A position that is the same each time."""
    chance, match = random.Random(5), Match(game(name, **options))
    for _ply in range(plies):
        match.play(chance.choice(sorted(match.legal())))
    return match


def whole_nodes(match: Match[Any], seconds: float) -> dict[int, int]:
    """The nodes of each depth that a search comes to in so many seconds of the processor."""
    search = new_search(match, Limits(memory=SLICE_MEGABYTES), use_proofs=True)
    found, started = {}, time.process_time()
    while time.process_time() - started < seconds and search.deepen(LINES):
        found[search.depth_reached] = search.nodes
        if search.limits.is_reached(search, LINES):
            break
    return found


def sliced_nodes(match: Match[Any], depth: int) -> dict[int, int]:
    """The same in slices, to a depth."""
    search, found = SlicedSearch(match, lines=LINES), dict[int, int]()
    while max(found, default=0) < depth:
        report = search.run(SLICE_SECONDS)
        found.setdefault(report.depth, report.nodes)
        if report.done:
            break
    return found


def main() -> None:
    """Print how many times as many nodes slices take, at each depth of more than a slice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0, help="of each search")
    seconds = parser.parse_args().seconds
    for name, options, plies in POSITIONS:
        match = random_position(name, dict(options), plies)
        whole = whole_nodes(match, seconds)
        sliced = sliced_nodes(match, max(whole))
        ratios = [f"{d}: {sliced[d] / whole[d]:.2f}" for d in sorted(whole) if d in sliced]
        sys.stdout.write(f"{match.game}: {', '.join(ratios[-6:])}\n")


if __name__ == "__main__":
    main()
