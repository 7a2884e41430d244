"""Fit the weights of an evaluation on matches that the engine plays against itself.

    python -m benchmarks.fitting GAME [KEY=VALUE …] [--games 1500] [--nodes 800] [--check 400]

plays `games` matches with the present weights, fits the weights to their results by logistic
regression, writes them to the engine's weights.json, and lets them play `check` matches against the
weights set by hand, over openings that were not used for fitting.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from rich.progress import track

import quinconce
from quinconce import Game, Match
from quinconce.core.files import write_whole
from quinconce.engine import weights as kept
from quinconce.engine.analysis import thinking, thought_out
from quinconce.engine.duel import Player, Score, duel, elo
from quinconce.engine.thought import Weakness
from quinconce.kernels.protocol import CALM, Kernel, Weights, judged, kernel, pressed

UNIT: Final = 400  # a score of so much is worth ten wins for every loss
MINOR: Final = 0.8  # what a victory by counting is worth
OPENINGS: Final = (2, 9)  # turns of chance at the start of a match to learn from
FREEDOM: Final = 40  # how far, in points, a feature's usual share may well be from that by hand
WITNESSES: Final = 5  # the positions of a match have one result: they count as so many
HELD_OUT: Final = 1_000_000  # the seed of openings that are not learnt from
FILE: Final = Path(kept.__file__).with_name(kept.FITTED)

Floats = npt.NDArray[np.float64]


def player(nodes: int, weighing: Weights | None, noise: int = 0) -> Player:
    """A player with these weights, who searches so many nodes."""

    def move(match: Match[Any], chance: random.Random) -> str:
        weakness = Weakness(noise=noise, seed=chance.getrandbits(62))
        thought = thinking(match, nodes=nodes, weakness=weakness, weighing=weighing)
        chance.shuffle(thought.roots)
        return thought_out(thought)

    return move


def result(match: Match[Any], seat: int) -> float:
    """What a seat got, from 0 to 1."""
    outcome = match.outcome()
    if outcome is None or not outcome.winners:
        return 0.5
    worth = MINOR if outcome.by else 1.0
    return worth if seat in outcome.winners else 1 - worth


def features(numbers: Kernel, state: Any) -> list[int]:
    """What the evaluation counts: one weight is 1 at a time."""
    return [int(judged(state, unit)) for unit in np.eye(len(numbers.features), dtype=np.int64)]


class Lesson(NamedTuple):
    """What there is to learn from: a row for each position."""

    rows: Floats  # of features
    results: Floats  # for the one to move
    trust: Floats  # how much the position counts


def played(game: Game[Any], games: int, nodes: int, weighing: Weights) -> Lesson:
    """The calm positions of matches against oneself, and how they ended for the one to move."""
    numbers = kernel(game)
    rows: list[list[int]] = []
    results: list[float] = []
    trust: list[float] = []
    chance = random.Random(1)
    same = player(nodes, weighing, noise=30)
    for number in track(range(games), description="playing"):
        opening = chance.randint(*OPENINGS)
        for done in duel(game, same, same, 1, seed=number, opening=opening):
            match, before = done.match, len(rows)
            for position in match.positions[opening:]:
                state = numbers.encode(position)
                if game.outcome(position) is None and pressed(state) == CALM:
                    rows.append(features(numbers, state))
                    results.append(result(match, game.seat(position)))
            calm = len(rows) - before
            trust += [min(1.0, WITNESSES / max(calm, 1))] * calm
    return Lesson(np.array(rows, np.float64), np.array(results), np.array(trust))


def fit(lesson: Lesson, by_hand: Weights) -> Weights:
    """Logistic regression by Newton's method, held to the weights set by hand."""
    inputs = lesson.rows * (math.log(10) / UNIT)
    pull = (lesson.rows.std(axis=0) / FREEDOM) ** 2 + 1e-9
    weights = by_hand.astype(np.float64)
    for _step in range(30):
        expected = 1 / (1 + np.exp(-inputs @ weights))
        error = lesson.trust * (lesson.results - expected)
        gradient = inputs.T @ error - pull * (weights - by_hand)
        doubt = lesson.trust * expected * (1 - expected)
        change = np.linalg.solve((inputs * doubt[:, None]).T @ inputs + np.diag(pull), gradient)
        weights += change
        if np.abs(change).max() < 0.01:
            break
    return np.rint(weights).astype(np.int64)


def loss(lesson: Lesson, weights: Weights) -> float:
    """How surprised the weights are by the results, in bits a position."""
    expected = np.clip(1 / (1 + 10 ** (-(lesson.rows @ weights) / UNIT)), 1e-6, 1 - 1e-6)
    won, lost = lesson.results, 1 - lesson.results
    return float(-(won * np.log2(expected) + lost * np.log2(1 - expected)).mean())


def checked(game: Game[Any], fitted: Weights, by_hand: Weights, games: int, nodes: int) -> Score:
    """The fitted weights against those set by hand, over openings held out."""
    score = Score()
    for done in track(
        duel(game, player(nodes, fitted), player(nodes, by_hand), games, seed=HELD_OUT),
        description="checking",
        total=games,
    ):
        score.add(done)
    return score


def main() -> None:
    """Fit one game with its options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--nodes", type=int, default=800)
    parser.add_argument("--check", type=int, default=400)
    given = parser.parse_args()
    game = quinconce.game(given.game, **dict(option.split("=") for option in given.options))
    numbers = kernel(game)
    by_hand = kept.weights(numbers, by_hand=True)
    before = kept.weights(numbers)
    lesson = played(game, given.games, given.nodes, before)
    fitted = fit(lesson, by_hand)
    score = checked(game, fitted, by_hand, given.check, 2 * given.nodes)
    names = list(numbers.features)
    everything = json.loads(FILE.read_text(encoding="utf-8"))
    everything[kept.form(numbers)] = dict(zip(names, fitted.tolist(), strict=True))
    write_whole(FILE, json.dumps(dict(sorted(everything.items())), indent=1) + "\n")
    low, high = (round(end) for end in score.elo()[1:])
    sys.stdout.write(
        f"{kept.form(numbers)}: {len(lesson.rows)} positions of {given.games} matches "
        f"at {given.nodes} nodes; bits a position {loss(lesson, by_hand):.4f} by hand, "
        f"{loss(lesson, fitted):.4f} fitted; fitted against by hand on openings held out: "
        f"{score.counted()} of {score.games}, {elo(score.share):+.0f} ({low:+d} to {high:+d})\n"
    )


if __name__ == "__main__":
    main()
