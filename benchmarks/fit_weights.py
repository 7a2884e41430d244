"""Fit the weights of an evaluation on matches that the engine plays against itself.

    python -m benchmarks.fit_weights GAME [KEY=VALUE …] [--games 1500] [--nodes 800] [--check 400]
                                     [--openings 2 9] [--fair 150]

plays `games` matches with the present weights after some turns of chance, fits the weights to
their results by logistic regression, writes them to the engine's weights.json, and lets them play
`check` matches against the weights set by hand, over openings that were not used for fitting.
Features that no position had keep the weights they have. With `--games 0` nothing is learnt: the
weights there are play against those set by hand. A victory by counting is worth 0.75 of a match.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from rich.progress import track

import quinconce
from benchmarks.fast_matches import BALANCE_NODES, FastMatch, FastMatchRunner, FastPlayer
from quinconce import Game, Match
from quinconce.core.files import write_atomically
from quinconce.engine import weights as kept
from quinconce.engine.analysis import run_search
from quinconce.engine.elo import MatchScore
from quinconce.engine.limits import Limits
from quinconce.engine.match_runner import OpeningFilter, Player
from quinconce.engine.preparation import new_search
from quinconce.engine.scores import COUNTED_WIN_SCORE, INFINITE
from quinconce.engine.weakness import Weakness
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel, kernel_for
from quinconce.kernels.protocol import CALM, Weights

ODDS_SCALE: Final = 400  # a score of so much is worth ten wins for every loss
# A draw, a victory by counting and one on the board: what they are worth to learn from, and what
# they count above a draw in a match.
RESULT_TARGETS: Final = (0.5, 0.8, 1.0)
RESULT_POINTS: Final = (0.0, COUNTED_WIN_SCORE - 0.5, 0.5)
CHECK_NOISE: Final = 4  # noise, for players who are compared
SELF_PLAY_NOISE: Final = 30  # so that matches from one opening differ
PRIOR_SPREAD: Final = (
    40  # how far, in points, a feature's usual share may well be from that by hand
)
SAMPLES_PER_MATCH: Final = 5  # the positions of a match have one result: they count as this many
VALIDATION_SEED: Final = 1_000_000  # the seed of openings that are not learnt from
WEIGHTS_PATH: Final = Path(kept.__file__).with_name(kept.WEIGHTS_FILE)

Float64Array = npt.NDArray[np.float64]


def node_player(nodes: int, weighing: Weights | None, noise: int = 0) -> Player:
    """A player with these weights, who searches a number of nodes."""

    def move(match: Match[Any], chance: random.Random) -> str:
        weakness = Weakness(noise=noise, seed=chance.getrandbits(62))
        thought = new_search(match, Limits(nodes=nodes), weakness=weakness, weights=weighing)
        chance.shuffle(thought.root_moves)
        return run_search(thought)

    return move


def result_target(played: FastMatch, side: int) -> float:
    """What a side got, from 0 to 1."""
    worth = RESULT_TARGETS[abs(played.result)]
    return worth if (played.result > 0) == (side == 0) else 1 - worth


def feature_vector(kernel: Kernel, state: Any) -> list[int]:
    """What the evaluation counts: one weight is 1 at a time."""
    return [
        int(calls.evaluate(state, unit)) for unit in np.eye(len(kernel.features), dtype=np.int64)
    ]


class Samples(NamedTuple):
    """What there is to learn from: a row for each position."""

    rows: Float64Array  # of features
    results: Float64Array  # for the one to move
    sample_weights: Float64Array  # how much the position counts


def self_play_samples(
    game: Game[Any], games: int, nodes: int, weighing: Weights, openings: Sequence[int], fair: int
) -> Samples:
    """The calm positions of matches against oneself, and how they ended for the one to move."""
    kernel = kernel_for(game)
    rows: list[list[int]] = []
    results: list[float] = []
    trust: list[float] = []
    runner, players = FastMatchRunner(game, weighing, fair), [FastPlayer(game, weighing, nodes)] * 2
    chance = random.Random(1)
    for _game in track(range(games), description="playing"):
        played = runner.play(
            runner.random_opening(chance, openings), players, chance, SELF_PLAY_NOISE
        )
        calm = [
            state
            for state in played.states
            if calls.winner(state) < 0 and calls.urgency(state) == CALM
        ]
        rows += [feature_vector(kernel, state) for state in calm]
        results += [result_target(played, state.turn & 1) for state in calm]
        trust += [min(1.0, SAMPLES_PER_MATCH / max(len(calm), 1))] * len(calm)
    return Samples(np.array(rows, np.float64), np.array(results), np.array(trust))


def fit_weights(lesson: Samples, by_hand: Weights, before: Weights) -> Weights:
    """Logistic regression by Newton's method, held to the weights set by hand."""
    by_hand = np.where(lesson.rows.any(axis=0), by_hand, before)
    inputs = lesson.rows * (math.log(10) / ODDS_SCALE)
    pull = (lesson.rows.std(axis=0) / PRIOR_SPREAD) ** 2 + 1e-9
    weights = by_hand.astype(np.float64)
    for _step in range(30):
        expected = 1 / (1 + np.exp(-inputs @ weights))
        error = lesson.sample_weights * (lesson.results - expected)
        gradient = inputs.T @ error - pull * (weights - by_hand)
        doubt = lesson.sample_weights * expected * (1 - expected)
        change = np.linalg.solve((inputs * doubt[:, None]).T @ inputs + np.diag(pull), gradient)
        weights += change
        if np.abs(change).max() < 0.01:
            break
    return np.rint(weights).astype(np.int64)


def log_loss(lesson: Samples, weights: Weights) -> float:
    """How surprised the weights are by the results, in bits a position."""
    expected = np.clip(1 / (1 + 10 ** (-(lesson.rows @ weights) / ODDS_SCALE)), 1e-6, 1 - 1e-6)
    won, lost = lesson.results, 1 - lesson.results
    bits = -(won * np.log2(expected) + lost * np.log2(1 - expected))
    return float((lesson.sample_weights * bits).sum() / lesson.sample_weights.sum())


def balanced_openings(limit: int, least: int = 0) -> OpeningFilter:
    """Openings in which neither side is better by more than this, as a short search sees it.

    Where the first player nearly always wins, other openings tell nothing about two players: each
    wins one of the two matches. Where even openings end in draws, those tell more in which one side
    is better by at least something.
    """

    def fair(match: Match[Any]) -> bool:
        thought = new_search(match, Limits(nodes=BALANCE_NODES))
        run_search(thought)
        return least <= abs(thought.root_moves[0].score) <= limit

    return fair


def compare_weights(
    game: Game[Any],
    weighings: Sequence[Weights],
    games: int,
    nodes: int,
    openings: Sequence[int],
    fair: int,
) -> tuple[MatchScore, MatchScore]:
    """Two sets of weights over openings held out, each played twice: points graded, and not."""
    runner, players = (
        FastMatchRunner(game, weighings[0], fair),
        [FastPlayer(game, w, nodes) for w in weighings],
    )
    graded, plain = MatchScore(graded=True), MatchScore()
    chance = random.Random(VALIDATION_SEED)
    for number in track(range(0, games, 2), description="checking"):
        opening = runner.random_opening(chance, openings)
        for side in (0, 1):
            seated = players if side == 0 else players[::-1]
            played = runner.play(opening, seated, chance, CHECK_NOISE)
            gained = played.result if side == 0 else -played.result
            sign = (gained > 0) - (gained < 0)
            graded.shares[number + side] = 0.5 + sign * RESULT_POINTS[abs(gained)]
            plain.shares[number + side] = 0.5 + sign * 0.5
    return graded, plain


def save_weights(kernel: Kernel, fitted: Weights) -> None:
    """Write the weights where the engine finds them."""
    everything = json.loads(WEIGHTS_PATH.read_text(encoding="utf-8"))
    everything[kept.weights_key(kernel)] = dict(zip(kernel.features, fitted.tolist(), strict=True))
    write_atomically(WEIGHTS_PATH, json.dumps(dict(sorted(everything.items())), indent=1) + "\n")


def main() -> None:
    """Fit one game with its options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--nodes", type=int, default=800)
    parser.add_argument("--check", type=int, default=400)
    parser.add_argument("--openings", type=int, nargs=2, default=(2, 9), help="turns of chance")
    parser.add_argument("--fair", type=int, default=INFINITE, help="how uneven openings may be")
    given = parser.parse_args()
    game = quinconce.game(given.game, **dict(option.split("=") for option in given.options))
    kernel = kernel_for(game)
    by_hand = kept.evaluation_weights(kernel, by_hand=True)
    before = kept.evaluation_weights(kernel)
    fitted = before
    if given.games:
        lesson = self_play_samples(
            game, given.games, given.nodes, before, given.openings, given.fair
        )
        fitted = fit_weights(lesson, by_hand, before)
        save_weights(kernel, fitted)
        sys.stdout.write(
            f"{kept.weights_key(kernel)}: {len(lesson.rows)} positions of {given.games} matches "
            f"at {given.nodes} nodes; bits a position {log_loss(lesson, by_hand):.4f} by hand, "
            f"{log_loss(lesson, before):.4f} before, {log_loss(lesson, fitted):.4f} fitted\n"
        )
    scores = compare_weights(
        game, (fitted, by_hand), given.check, given.nodes, given.openings, given.fair
    )
    for name, score in zip(("graded", "wins alone"), scores, strict=True):
        difference, low, high = score.elo_interval()
        sys.stdout.write(
            f"fitted against by hand on openings held out: {score.wins_draws_losses()} "
            f"of {score.games}, {name}: {difference:+.0f} ({low:+.0f} to {high:+.0f})\n"
        )


if __name__ == "__main__":
    main()
