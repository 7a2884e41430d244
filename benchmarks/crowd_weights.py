"""Fit the weights of an evaluation for more than two sides, on matches of the engine with itself.

    python -m benchmarks.crowd_weights GAME [KEY=VALUE …] [--games 450] [--nodes 600] [--check 200]

Every calm position among the last plies of a match is a lesson for each side: the evaluation it has
as if it were to move, and whether it won. (Earlier positions taught nothing: no weights told their
winner better than chance.) The new weights are written to the engine's weights.json and play
`check` matches against those set by hand, over openings that were not learnt from.
"""

from __future__ import annotations

import argparse
import random
import sys
from typing import Any, Final

import numpy as np
from rich.progress import track

import quinconce
from benchmarks.fitting import HELD_OUT as UNLEARNT
from benchmarks.fitting import Lesson, features, fit, keep, loss, player
from quinconce import Game
from quinconce.engine import weights as kept
from quinconce.engine.match_runner import Score, duel, elo
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel
from quinconce.kernels.protocol import CALM, Weights

OPENINGS: Final = (2, 9)  # turns of chance at the start of a match to learn from
NEAR: Final = 16  # plies before the end
NOISE: Final = 30
HELD_OUT: Final = 5  # every so-many-th match is not learnt from, to see how surprised one is


def played(game: Game[Any], games: int, nodes: int, weighing: Weights) -> list[Lesson]:
    """A lesson for each match that somebody won."""
    numbers, chance, found = kernel(game), random.Random(1), []
    same = player(nodes, weighing, noise=NOISE)
    for number in track(range(games), description="playing"):
        opening = chance.randint(*OPENINGS)
        for done in duel(game, same, same, 1, seed=number, opening=opening):
            match = done.match
            outcome = match.outcome()
            if outcome is None or not outcome.winners:
                continue
            rows, results = [], []
            for position in match.positions[max(opening, len(match.moves) - NEAR) : -1]:
                if calls.urgency(numbers.encode(position)) == CALM:
                    for step, seat in enumerate(game.cycle):
                        state = numbers.encode(position._replace(turn=step))
                        rows.append(features(numbers, state))
                        results.append(float(seat in outcome.winners))
            if rows:
                found.append(
                    Lesson(np.array(rows, np.float64), np.array(results), np.ones(len(rows)))
                )
    return found


def joined(lessons: list[Lesson]) -> Lesson:
    """All lessons as one."""
    return Lesson(*(np.concatenate(parts) for parts in zip(*lessons, strict=True)))


def main() -> None:
    """Fit one game with its options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--games", type=int, default=450)
    parser.add_argument("--nodes", type=int, default=600)
    parser.add_argument("--check", type=int, default=200)
    given = parser.parse_args()
    game = quinconce.game(given.game, **dict(option.split("=") for option in given.options))
    numbers = kernel(game)
    by_hand = kept.weights(numbers, by_hand=True)
    lessons = played(game, given.games, given.nodes, kept.weights(numbers))
    kept_out = joined(lessons[::HELD_OUT])
    learnt = joined([one for i, one in enumerate(lessons) if i % HELD_OUT])
    fitted = fit(learnt, by_hand, kept.weights(numbers))
    keep(numbers, fitted)
    score = Score()
    players = player(given.nodes, fitted), player(given.nodes, by_hand)
    matches = duel(game, *players, given.check, seed=UNLEARNT)
    for done in track(matches, description="checking", total=given.check):
        score.add(done)
    _difference, low, high = score.elo()
    sys.stdout.write(
        f"{kept.form(numbers)}: {len(learnt.rows)} views of {len(lessons)} matches at "
        f"{given.nodes} nodes; bits a view held out {loss(kept_out, by_hand):.4f} by hand, "
        f"{loss(kept_out, fitted):.4f} fitted; against by hand {score.counted()}, "
        f"{elo(score.share):+.0f} ({low:+.0f} to {high:+.0f})\n"
    )


if __name__ == "__main__":
    main()
