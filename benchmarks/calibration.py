"""Compare what the engine expects of positions with how the games went on, and fit the scale.

    python -m benchmarks.calibration [FORM …] [--games 200] [--players 600] [--judge 5000]
                                     [--folder docs/lab/calibration] [--write]

A form is a game with options, as `diam edition=1997` in quotes; without one, all those of FORMS are
measured. Two players of middling strength (a number of nodes, and noise) play from random openings.
Some positions of each match are judged by a search without noise; what is proved there is left out.
The scale, points for ten times as good odds, is fitted on every other match by maximum likelihood,
and the matches between are held out: their positions are sorted into bins by what is expected, and
each bin tells what they came to. `--write` writes the scales that predict these better than the
usual one to the engine's score_scales.json.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

import quinconce
from benchmarks.fast_matches import FastMatch, FastMatchRunner, FastPlayer
from quinconce import Game
from quinconce.core.files import write_atomically
from quinconce.draw.plot import interval_chart
from quinconce.engine import scores as kept
from quinconce.engine.scores import MAX_ESTIMATE, ScoreScale
from quinconce.engine.weights import evaluation_weights
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for

FORMS: Final = (
    "buts",
    "diadema",
    "diam",
    "diam edition=1997",
    "seega",
    "seega reach=step",
    "seega size=7",
)
PLAYER_NOISE: Final = 60
OPENINGS: Final = {"seega": (4, 14), "seega size=7": (4, 30), "seega reach=step": (4, 14)}
USUAL_OPENINGS: Final = (2, 8)
SAMPLES: Final = 6  # positions of a match
RESULTS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the first side, from -2 to 2
BINS: Final = 10
POINTS: Final = range(100, 1001, 10)
DOUBTS: Final = (0.0, 0.01, 0.02, 0.03)
LEAST_GAIN: Final = 0.002  # bits a position held out, for a scale to be kept
SCALES_PATH: Final = Path(kept.__file__).with_name(kept.SCALES_FILE)


class Sample(NamedTuple):
    """A position: its score, and what the player to move got."""

    number: int  # of the match
    score: int
    result: float


def parse_form(form: str) -> Game[Any]:
    """The game that a form names."""
    name, *options = form.split()
    return quinconce.game(name, **dict(option.split("=") for option in options))


def judged_samples(
    number: int, played: FastMatch, judge: FastPlayer, chance: random.Random
) -> list[Sample]:
    """Some positions of a match, judged as a review judges them."""
    open_states = [state for state in played.states if calls.winner(state) < 0]
    first = RESULTS[played.result + 2]
    found = []
    for state in chance.sample(open_states, min(SAMPLES, len(open_states))):
        _row, score = judge.best_row(state, 0, Counter())
        if abs(score) <= MAX_ESTIMATE:
            result = first if state.turn & 1 == 0 else 1 - first
            found.append(Sample(number, score, result))
    return found


def play_samples(form: str, games: int, nodes: int, judging: int) -> list[Sample]:
    """The samples of matches between two equal players."""
    game = parse_form(form)
    weights = evaluation_weights(kernel_for(game))
    runner, player = FastMatchRunner(game, weights), FastPlayer(game, weights, nodes)
    judge, chance, found = FastPlayer(game, weights, judging), random.Random(form), list[Sample]()
    for number in range(games):
        opening = runner.random_opening(chance, OPENINGS.get(form, USUAL_OPENINGS))
        played = runner.play(opening, [player, player], chance, PLAYER_NOISE)
        found += judged_samples(number, played, judge, chance)
    return found


def expected(score: int, scale: ScoreScale) -> float:
    """What a score stands for."""
    chance = 1 / (1 + 10 ** (-score / scale.points))
    return float(min(max(scale.doubt + (1 - 2 * scale.doubt) * chance, 1e-6), 1 - 1e-6))


def log_loss(samples: Sequence[Sample], scale: ScoreScale) -> float:
    """How surprised a scale is by the results, in bits a position."""
    total = 0.0
    for sample in samples:
        chance = expected(sample.score, scale)
        total -= sample.result * math.log2(chance) + (1 - sample.result) * math.log2(1 - chance)
    return total / max(1, len(samples))


class Bin(NamedTuple):
    """Positions of which about the same is expected."""

    positions: int
    foretold: float
    actual: float
    error: float  # the standard error of what they came to, each match counted once


def sort_into_bins(samples: Sequence[Sample], scale: ScoreScale) -> list[Bin]:
    """Bins by what is expected, the lowest first; empty ones are left out."""
    found = []
    for number in range(BINS):
        inside = [
            sample
            for sample in samples
            if min(BINS - 1, int(BINS * expected(sample.score, scale))) == number
        ]
        if not inside:
            continue
        foretold = sum(expected(sample.score, scale) for sample in inside) / len(inside)
        actual = sum(sample.result for sample in inside) / len(inside)
        spread = sum((sample.result - actual) ** 2 for sample in inside) / len(inside)
        matches = len({sample.number for sample in inside})
        found.append(Bin(len(inside), foretold, actual, math.sqrt(spread / matches)))
    return found


def mean_gap(bins: Sequence[Bin]) -> float:
    """How far expectation and results are apart, on average."""
    total = sum(one.positions for one in bins)
    return sum(one.positions * abs(one.foretold - one.actual) for one in bins) / max(1, total)


def bins_chart(form: str, bins: Sequence[Bin]) -> str:
    """A row a bin: what is expected as a mark, and what the games came to."""
    rows = [
        (
            f"{100 * one.foretold:.0f} % expected, {one.positions} positions",
            one.foretold,
            [
                (
                    one.actual,
                    max(0.0, one.actual - 1.96 * one.error),
                    min(1.0, one.actual + 1.96 * one.error),
                )
            ],
        )
        for one in bins
    ]
    return interval_chart(f"{form}: expected and actual results", rows, ["results held out"])


def main() -> None:
    """Measure the forms one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forms", nargs="*", default=FORMS)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=600, help="nodes of a player's move")
    parser.add_argument("--judge", type=int, default=5000, help="nodes of a judged position")
    parser.add_argument("--folder", type=Path, help="where plots are written")
    parser.add_argument("--write", action="store_true", help="keep the scales that were fitted")
    given = parser.parse_args()
    for form in given.forms:
        began = time.process_time()
        samples = play_samples(form, given.games, given.players, given.judge)
        learnt = [sample for sample in samples if sample.number % 2 == 0]
        held = [sample for sample in samples if sample.number % 2]
        usual = ScoreScale()
        scale = min(map(ScoreScale._make, product(POINTS, DOUBTS)), key=partial(log_loss, learnt))
        before, after = (sort_into_bins(held, each) for each in (usual, scale))
        sys.stdout.write(
            f"{form}: {given.games} matches, {len(samples)} positions, {scale.points} points, "
            f"doubt {scale.doubt}; held out: "
            f"bits {log_loss(held, usual):.4f} at {usual.points:.0f}, "
            f"{log_loss(held, scale):.4f} fitted; gap {100 * mean_gap(before):.1f} and "
            f"{100 * mean_gap(after):.1f} points; {time.process_time() - began:.0f} s of CPU\n"
        )
        for one in after:
            sys.stdout.write(
                f"  {one.positions} {one.foretold:.2f} {one.actual:.2f} {one.error:.2f}\n"
            )
        sys.stdout.flush()
        if given.folder:
            given.folder.mkdir(parents=True, exist_ok=True)
            name = form.replace(" ", "-").replace("=", "-")
            write_atomically(given.folder / f"{name}.svg", bins_chart(form, after))
        gain = log_loss(held, usual) - log_loss(held, scale)
        if given.write and gain >= LEAST_GAIN:
            scales = json.loads(SCALES_PATH.read_text(encoding="utf-8")) | {form: scale}
            write_atomically(SCALES_PATH, json.dumps(dict(sorted(scales.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
