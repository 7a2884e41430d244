"""The greatest numbers of moves met in random games of Seega: `python -m` this module."""

from __future__ import annotations

import random
import time
from typing import Any

import click

from quinconce import Game, game
from quinconce.core.move_limit import MOVE_LIMIT
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for

MAX_PLIES = 400


def move_counts(rules: Game[Any], chance: random.Random, seconds: float) -> tuple[int, list[int]]:
    """How many games were played, and the numbers of moves once all pawns are placed."""
    kernel = kernel_for(rules)
    rows, counts, games = kernel.new_rows(1)[0], [], 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        state = kernel.encode(rules.start())
        for _ply in range(MAX_PLIES):
            n = int(calls.successors(state, rows))
            if n == 0:
                break
            if state.phase == 2:
                counts.append(n)
            state = calls.load(state, rows, chance.randrange(n))
        games += 1
    return games, sorted(counts, reverse=True)


@click.command()
@click.option("--seconds", default=60.0, help="for each form of the game")
def main(seconds: float) -> None:
    """Print the greatest numbers for each size, chains compulsory and optional."""
    for size in (5, 7, 9):
        for chain in ("compulsory", "optional"):
            rules = game("seega", size=size, chain=chain)
            games, counts = move_counts(rules, random.Random(1), seconds)
            over = sum(n > MOVE_LIMIT for n in counts)
            most = ", ".join(map(str, counts[:5]))
            click.echo(f"{size} {chain}: {games} games, most {most}; {over} above {MOVE_LIMIT}")


if __name__ == "__main__":
    main()
