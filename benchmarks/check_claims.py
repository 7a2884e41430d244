"""Asks the prover about every win or loss that the engine claims.

    python -m benchmarks.check_claims

The two share nothing but the kernels: one is alpha-beta with estimates and a table of bounds, the
other proof-number search without either. A win in n must be provable within n plies and not within
n - 1, a loss the same for the other side after the best move.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from typing import Any

import click

from quinconce.core.claim import Claim
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.registry import game as made
from quinconce.engine import analyse
from quinconce.solvers.proofs.prover import Prover

CLAIM_GAMES: tuple[tuple[str, dict[str, str]], ...] = (
    ("diam", {}),
    ("diam", {"edition": "1997"}),
    ("diam", {"players": "4"}),
    ("buts", {}),
    ("diadema", {}),
)
MAX_CHECKED_PLIES = 13  # plies: what is further takes the prover long


def random_position(game: Game[Any], chance: random.Random) -> Match[Any]:
    """A position of a game of chance, in which nobody overlooks a win in one that they see."""
    while True:
        match = Match(game)
        for _ply in range(chance.randint(6, 60)):
            if match.outcome():
                break
            match.play(chance.choice(list(match.legal())))
        if not match.outcome():
            return Match(game, match.position)


def is_exact_win(game: Game[Any], position: Any, side: int, plies: int) -> bool:
    """Whether a side wins within a number of plies and no sooner."""
    within, sooner = (
        Prover(Claim(game, position, side, n), 64).run() if n else False for n in (plies, plies - 1)
    )
    return within and not sooner


def main() -> None:
    """Count what was claimed, and name what does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name, options in CLAIM_GAMES:
        game, chance = made(name, **options), random.Random(given.seed)
        counts = Counter[str]()
        for _position in range(given.positions):
            match = random_position(game, chance)
            *_earlier, last = analyse(match, nodes=given.nodes)
            line = last.lines[0]
            counts[line.value or "nothing"] += 1
            if line.value in ("win", "loss") and line.plies and line.plies <= MAX_CHECKED_PLIES:
                own = game.side(match.seat)
                side = own if line.value == "win" else 1 - own
                counts["checked"] += 1
                if not is_exact_win(game, match.position, side, line.plies):
                    counts["WRONG"] += 1
                    click.echo(f"WRONG {game} {game.write(match.position)} {line}")
        click.echo(f"{game} {dict(sorted(counts.items()))}")


if __name__ == "__main__":
    main()
