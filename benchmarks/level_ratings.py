"""How far apart the levels are: a round robin on a game's default options, rated together.

    python -m benchmarks.level_ratings GAME [KEY=VALUE …] [--games 60] [--apart 2] [--last 10]
                                       [--jobs 1] [--opening 4] [--fair 150]

Levels that differ by at most `apart` play `games` matches against each other, each opening twice
with the sides exchanged; the ratings are those that make all the results most likely. Openings are
turns of chance after which, with `--fair`, a short search sees nobody ahead by more than that. A
victory by counting is worth 0.75 of a match. Level 10 thinks for a second a move.
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rich.progress import track

import quinconce
from benchmarks.fit_weights import balanced_openings
from quinconce.engine.elo import Z_95, MatchScore
from quinconce.engine.levels import LAST_LEVEL
from quinconce.engine.match_runner import OPENING_TURNS, run_matches
from quinconce.engine.move_choice import level_player
from quinconce.engine.scores import INFINITE

PairScores = dict[tuple[int, int], MatchScore]
LOGISTIC_UNIT = math.log(10) / 400
MOST_CHANGE = 100.0  # points in one of Newton's steps


class Ratings(NamedTuple):
    """Ratings, the first at 0, and how much is known of them together."""

    values: npt.NDArray[np.float64]
    covariances: npt.NDArray[np.float64]

    def steps(self) -> list[tuple[float, float]]:
        """From each to the next, and half the interval that holds it with a confidence of 95 %."""
        found = []
        for n in range(len(self.values) - 1):
            way = np.zeros(len(self.values))
            way[n], way[n + 1] = -1, 1
            doubt = math.sqrt(max(0.0, float(way @ self.covariances @ way)))
            found.append((float(way @ self.values), Z_95 * doubt))
        return found


def fit_ratings(results: PairScores, levels: int) -> Ratings:
    """The most likely ratings by Newton's steps; a drawn match for each pair keeps them finite."""
    values, precision = np.zeros(levels), np.zeros((levels, levels))
    for _step in range(200):
        slope, precision = np.zeros(levels), np.eye(levels) * 1e-12
        for (first, second), score in results.items():
            games, won = score.games + 1, score.share * score.games + 0.5
            expected = 1 / (1 + math.exp(-LOGISTIC_UNIT * (values[first] - values[second])))
            way = np.zeros(levels)
            way[first], way[second] = 1, -1
            slope += way * (won - games * expected) * LOGISTIC_UNIT
            known = games * expected * (1 - expected) * LOGISTIC_UNIT**2
            precision += np.outer(way, way) * known
        change = np.clip(
            np.linalg.lstsq(precision, slope, rcond=None)[0], -MOST_CHANGE, MOST_CHANGE
        )
        values += change
        if np.abs(change).max() < 0.01:
            break
    return Ratings(values - values[0], np.linalg.pinv(precision).astype(np.float64))


def main() -> None:
    """Rate the levels of one game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--apart", type=int, default=2)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=LAST_LEVEL)
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
        f"{game.name} {given.options}: {' '.join(f'{value:.0f}' for value in rated.values)}\n"
        f"steps: {', '.join(f'{step:.0f} ±{doubt:.0f}' for step, doubt in rated.steps())}\n"
    )


if __name__ == "__main__":
    main()
