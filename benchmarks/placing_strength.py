"""What the engine's placing is worth: against pawns placed at random, the same engine afterwards.

python -m benchmarks.placing_strength GAME [KEY=VALUE …] [--games 200] [--nodes 3000] [--jobs 1]
"""

from __future__ import annotations

import argparse
import random
import sys
from typing import Any

from rich.progress import track

import quinconce
from quinconce import Match
from quinconce.engine.analysis import run_search
from quinconce.engine.elo import MatchScore
from quinconce.engine.limits import Limits
from quinconce.engine.match_runner import Player, run_matches
from quinconce.engine.preparation import new_search
from quinconce.engine.weakness import Weakness


def placing_player(nodes: int, by_chance: bool) -> Player:
    """A player who places pieces by search or by chance, and then thinks."""

    def move(match: Match[Any], chance: random.Random) -> str:
        if by_chance and match.position.phase == 1:
            return chance.choice(sorted(match.legal()))
        weakness = Weakness(seed=chance.getrandbits(62))
        thought = new_search(match, Limits(nodes=nodes), weakness=weakness)
        chance.shuffle(thought.root_moves)
        return run_search(thought)

    return move


def main() -> None:
    """Let a thoughtful set-up play against one of chance, over both colours."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    game = quinconce.game(given.game, **dict(option.split("=") for option in given.options))
    score, by_colour = MatchScore(), (MatchScore(), MatchScore())
    players = placing_player(given.nodes, False), placing_player(given.nodes, True)
    matches = run_matches(game, *players, given.games, seed=5, jobs=given.jobs, opening=0)
    for played in track(matches, total=given.games, description=game.name):
        score.add(played)
        by_colour[played.seats[0]].add(played)
    sys.stdout.write(
        f"{game.name} {given.options}, {given.nodes} nodes: placed by thought "
        f"{score.wins_draws_losses()} of {score.games}, {100 * score.share:.1f} % "
        f"(first seat {by_colour[0].wins_draws_losses()}, "
        f"second seat {by_colour[1].wins_draws_losses()})\n"
    )


if __name__ == "__main__":
    main()
