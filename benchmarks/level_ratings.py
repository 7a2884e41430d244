"""How far apart the levels are: a round robin on a game's default options, rated together.

    python -m benchmarks.level_ratings GAME [KEY=VALUE …] [--games 60] [--apart 2] [--last 9]
                                       [--jobs 1] [--opening 4] [--fair 150]

Levels that differ by at most `apart` play `games` matches against each other, each opening twice
with the sides exchanged; the ratings are those that make all the results most likely. Openings are
turns of chance after which, with `--fair`, a short search sees nobody ahead by more than that. A
victory by counting is worth 0.75 of a match.
"""

from __future__ import annotations

import argparse
import math
import sys

import numpy as np
import numpy.typing as npt
from rich.progress import track

import quinconce
from benchmarks.fit_weights import balanced_openings
from quinconce.engine.elo import MatchScore
from quinconce.engine.match_runner import OPENING_TURNS, run_matches
from quinconce.engine.move_choice import level_player
from quinconce.engine.scores import INFINITE

PairScores = dict[tuple[int, int], MatchScore]
LOGISTIC_UNIT = math.log(10) / 400


def fit_ratings(results: PairScores, levels: int) -> npt.NDArray[np.float64]:
    """The most likely ratings, the first level at 0; a drawn pair for each keeps them finite."""
    values = np.zeros(levels)
    for _step in range(200):
        gradient, curve = np.zeros(levels), np.full(levels, 1e-9)
        for (first, second), score in results.items():
            games, won = score.games + 2, score.share * score.games + 1
            expected = 1 / (1 + math.exp(-LOGISTIC_UNIT * (values[first] - values[second])))
            surprise = won - games * expected
            gradient[first] += surprise
            gradient[second] -= surprise
            doubt = games * expected * (1 - expected) * LOGISTIC_UNIT
            curve[first] += doubt
            curve[second] += doubt
        change = 0.5 * gradient / curve
        values += change
        if np.abs(change).max() < 0.01:
            break
    shifted: npt.NDArray[np.float64] = values - values[0]
    return shifted


def main() -> None:
    """Rate the levels of one game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--apart", type=int, default=2)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=9)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--opening", type=int, default=OPENING_TURNS, help="turns of chance")
    parser.add_argument("--fair", type=int, default=INFINITE, help="how uneven openings may be")
    given = parser.parse_args()
    game = quinconce.game(given.game, **dict(option.split("=") for option in given.options))
    levels = range(given.first, given.last + 1)
    pairs = [(a, b) for b in levels for a in levels if b < a <= b + given.apart]
    results: PairScores = {}
    for strong, weak in track(pairs, description=game.name):
        score = results[strong - given.first, weak - given.first] = MatchScore(graded=True)
        players = level_player(strong), level_player(weak)
        matches = run_matches(
            game,
            *players,
            given.games,
            seed=strong,
            jobs=given.jobs,
            opening=given.opening,
            accepts=balanced_openings(given.fair),
        )
        for played in matches:
            score.add(played)
        difference, low, high = (
            round(value) if math.isfinite(value) else value for value in score.elo_interval()
        )
        sys.stdout.write(
            f"{strong} - {weak}: {score.wins_draws_losses()} {difference} ({low} to {high})\n"
        )
        sys.stdout.flush()
    rated = fit_ratings(results, len(levels))
    sys.stdout.write(
        f"{game.name} {given.options}: {' '.join(f'{value:.0f}' for value in rated)}\n"
    )


if __name__ == "__main__":
    main()
