"""How levels err in drawn positions of a solved game, by how deep the refutation lies.

    python -m benchmarks.level_errors [GAME] [--positions 12000] [--seed 1]

A level is asked for its move in positions of chance, each of another class. Of those where a move
loses in so many plies, it tells in how many that move was played; then what share of all moves
lose, and how well each model of an opponent foretells the moves: the mean logarithm of the chance
that it gave to what was played.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from typing import Any

import click
import numpy as np

import quinconce
from benchmarks.fixed_levels import FIXED_LEVELS, fixed_player
from quinconce import Game, Match
from quinconce.core.value import Value
from quinconce.engine.match_runner import Player
from quinconce.engine.opponent_models import MODELS
from quinconce.engine.preparation import prepare
from quinconce.engine.problem_setting import MatchOutlook
from quinconce.engine.winning_chances import WinningChances, winning_chances
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.retrograde import DRAWN, Solution, solution

UNLIKELY = 1e-6


def drawn_matches(
    game: Game[Any], chances: WinningChances, positions: int, chance: random.Random
) -> list[Match[Any]]:
    """Matches that begin in drawn positions of different classes."""
    kernel = kernel_for(game)
    start = kernel.encode(game.start())
    drawn = chances.firsts[chances.worths == DRAWN].tolist()
    return [
        Match(game, kernel.decode(calls.from_index(start, number)))
        for number in chance.sample(drawn, positions)
    ]


def measure_level(
    number: int, player: Player, matches: list[Match[Any]], table: Solution, seed: int
) -> None:
    """Tell how a level errs, and which model foretells it best."""
    chance, offered, played = random.Random(seed), Counter[int](), Counter[int]()
    likelihoods = np.zeros(len(MODELS))
    chances = winning_chances(table.game)
    assert chances
    for match in matches:
        values = table.move_values(match.position)
        losing = {value.plies or 0 for value in values.values() if value != Value("draw")}
        offered.update(losing)
        chosen = player(match, chance)
        if values[chosen] != Value("draw"):
            played[values[chosen].plies or 0] += 1
        likelihoods += log_likelihoods(match, chosen, chances)
    click.echo(f"level {number}: {played.total() / len(matches):.2%} of its moves lose")
    for plies in sorted(offered):
        share = played[plies] / offered[plies]
        click.echo(f"  lost in {plies}: {played[plies]} of {offered[plies]} ({share:.2%})")
    for model, likelihood in zip(MODELS, likelihoods / len(matches), strict=True):
        click.echo(f"  {model}: {likelihood:.3f}")


def log_likelihoods(match: Match[Any], chosen: str, chances: WinningChances) -> Any:
    """The logarithm of the chance that each model gives to a move."""
    outlook, state = MatchOutlook(match, chances), kernel_for(match.game).encode(match.position)
    after = calls.key(kernel_for(match.game).encode(match.legal()[chosen]))
    outlook.beliefs = np.ones(len(MODELS), np.float32)
    outlook.workspace.occurrences[:] = 0
    outlook.points_after(state)
    rows = calls.successors(state, outlook.workspace.rows[0])
    found = [
        row
        for row in range(rows)
        if calls.key(calls.load(state, outlook.workspace.rows[0], row)) == after
    ]
    return np.log(np.maximum(outlook.workspace.shares[:, found].sum(axis=1), UNLIKELY))


def main() -> None:
    """Measure the fixed levels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="diadema")
    parser.add_argument("--positions", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = quinconce.game(given.game)
    prepare(game, informed=True)
    table, chances = solution(game), winning_chances(game)
    assert table
    assert chances
    for number in FIXED_LEVELS:
        matches = drawn_matches(game, chances, given.positions, random.Random(given.seed))
        measure_level(number, fixed_player(number), matches, table, given.seed)


if __name__ == "__main__":
    main()
