"""What it gives a level to count a draw as less than nothing against a weaker one.

    python -m benchmarks.contempt GAME [KEY=VALUE …] [--levels 9 7] [--contempt 0 15 30 60]
                                  [--games 60]

The first level plays with each contempt against the second with none, each opening twice with the
sides exchanged, the same openings for all.
"""

from __future__ import annotations

import argparse
from collections import Counter

import click

import quinconce
from quinconce.engine.elo import MatchScore
from quinconce.engine.levels import Level, level_by_number
from quinconce.engine.match_runner import Player, run_matches
from quinconce.engine.move_choice import pick_move


def player_with(level: Level, contempt: int) -> Player:
    """A player of a level that counts a draw as so much less."""
    changed = level._replace(contempt=contempt)
    return lambda match, chance: pick_move(match, changed, chance, changed.seconds, 1)


def main() -> None:
    """Play, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--levels", type=int, nargs=2, default=[9, 7])
    parser.add_argument("--contempt", type=int, nargs="+", default=[0, 15, 30, 60])
    parser.add_argument("--games", type=int, default=60)
    given = parser.parse_args()
    game = quinconce.game(given.game, **dict(option.split("=") for option in given.options))
    strong, weak = (level_by_number(number, game.form_id) for number in given.levels)
    for contempt in given.contempt:
        score, ends = MatchScore(), Counter[str]()
        players = player_with(strong, contempt), player_with(weak, 0)
        for played in run_matches(game, *players, given.games, seed=1):
            score.add(played)
            outcome = played.match.outcome()
            if played.share == 0.5 and outcome:
                ends[outcome.reason] += 1
        difference, low, high = score.elo_interval()
        click.echo(
            f"{game.form_id} {given.levels} contempt {contempt}: {score.wins_draws_losses()} "
            f"{dict(ends)} {difference:+.0f} ({low:+.0f} to {high:+.0f})"
        )


if __name__ == "__main__":
    main()
