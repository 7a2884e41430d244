"""What the engine's placing is worth: against pawns placed at random, the same engine afterwards.

python -m benchmarks.setups GAME [KEY=VALUE …] [--games 200] [--nodes 3000] [--jobs 1]
"""

from __future__ import annotations

import argparse
import random
import sys
from typing import Any

from rich.progress import track

import quinconce
from quinconce import Match
from quinconce.engine.analysis import thinking, thought_out
from quinconce.engine.match_runner import Player, Score, duel
from quinconce.engine.root_moves import Weakness


def placer(nodes: int, by_chance: bool) -> Player:
    """A player who places his pieces by thought or by chance, and then thinks."""

    def move(match: Match[Any], chance: random.Random) -> str:
        if by_chance and match.position.phase == 1:
            return chance.choice(sorted(match.legal()))
        thought = thinking(match, nodes=nodes, weakness=Weakness(seed=chance.getrandbits(62)))
        chance.shuffle(thought.roots)
        return thought_out(thought)

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
    score, by_colour = Score(), (Score(), Score())
    players = placer(given.nodes, False), placer(given.nodes, True)
    matches = duel(game, *players, given.games, seed=5, jobs=given.jobs, opening=0)
    for played in track(matches, total=given.games, description=game.name):
        score.add(played)
        by_colour[played.seats[0]].add(played)
    sys.stdout.write(
        f"{game.name} {given.options}, {given.nodes} nodes: placed by thought {score.counted()} "
        f"of {score.games}, {100 * score.share:.1f} % (first seat {by_colour[0].counted()}, "
        f"second seat {by_colour[1].counted()})\n"
    )


if __name__ == "__main__":
    main()
