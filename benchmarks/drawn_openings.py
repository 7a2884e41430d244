"""How often full strength wins from drawn openings of a solved game against levels that err.

    python -m benchmarks.drawn_openings [GAME] [--games 100] [--against 5 7 9] [--seed 1]

The opponents are levels 5, 7 and 9 as they were on 2026-11-17, in every other match with the first
move. Beside each figure stands what the model fitted on that level foretells at best: the chance to
win from these openings if one knew the opponent, and every turn ended the match with 1 %.
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
from quinconce import Match
from quinconce.core.value import Value
from quinconce.engine.levels import LAST_LEVEL
from quinconce.engine.match_runner import OPENING_TURNS, even_openings, play_match, random_opening
from quinconce.engine.move_choice import level_player
from quinconce.engine.preparation import prepare
from quinconce.engine.problem_setting import MatchOutlook
from quinconce.engine.winning_chances import DRAW_SHARE, winning_chances
from quinconce.solvers.retrograde import solution


def foretold_wins(match: Match[Any], model: int, is_ours: bool) -> float:
    """How likely a win is from an opening against somebody who is known to play as a model."""
    chances, table = winning_chances(match.game), solution(match.game)
    assert chances
    assert table
    outlook = MatchOutlook(match, chances)
    outlook.beliefs = np.eye(len(chances.hopes), dtype=np.float32)[model]
    if is_ours:
        drawn = [
            text for text, after in match.legal().items() if table.value(after) == Value("draw")
        ]
        points = max(outlook.points(drawn).values())
    else:
        points = outlook.points_after(outlook.states[-1])
    return (points - DRAW_SHARE) / (1 - DRAW_SHARE)


def main() -> None:
    """Play, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="diadema")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--against", type=int, nargs="+", default=list(FIXED_LEVELS))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = quinconce.game(given.game)
    prepare(game, informed=True)
    even = even_openings(game)
    for model, number in enumerate(FIXED_LEVELS):
        if number not in given.against:
            continue
        results, ends, moves, foretold = Counter[float](), Counter[str](), 0, 0.0
        for n in range(given.games):
            opening = random_opening(
                game, random.Random(f"{given.seed} {n // 2}"), OPENING_TURNS, even
            )
            foretold += foretold_wins(opening, model, n % 2 == game.side(opening.seat))
            played = play_match(
                game,
                level_player(LAST_LEVEL),
                fixed_player(number),
                n,
                given.seed,
                OPENING_TURNS,
                even,
            )
            results[played.share] += 1
            moves += len(played.match.moves)
            outcome = played.match.outcome()
            if played.share == 0.5 and outcome:
                ends[outcome.reason] += 1
        click.echo(
            f"level {number}: {results[1.0]} won, {results[0.5]} drawn {dict(ends)}, "
            f"{results[0.0]} lost of {given.games}, {moves / given.games:.0f} moves a match; "
            f"foretold {foretold / given.games:.0%}"
        )


if __name__ == "__main__":
    main()
