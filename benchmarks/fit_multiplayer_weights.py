"""Fit the weights of an evaluation for more than two sides, on matches of the engine with itself.

    python -m benchmarks.fit_multiplayer_weights GAME [KEY=VALUE …] [--games 450] [--nodes 600]
                                                [--check 200]

Every calm position among the last plies of a match is a sample for each side: the evaluation it has
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
from benchmarks.fit_weights import VALIDATION_SEED as UNLEARNT
from benchmarks.fit_weights import (
    Samples,
    feature_vector,
    fit_weights,
    log_loss,
    node_player,
    save_weights,
)
from quinconce import Game
from quinconce.engine import weights as kept
from quinconce.engine.elo import MatchScore, elo_difference
from quinconce.engine.match_runner import run_matches
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import CALM, Weights

OPENING_TURNS_RANGE: Final = (2, 9)  # turns of chance at the start of a match to learn from
LAST_PLIES: Final = 16  # plies before the end
SELF_PLAY_NOISE: Final = 30
VALIDATION_STRIDE: Final = (
    5  # every so-many-th match is not learnt from, to see how surprised one is
)


def training_samples(game: Game[Any], games: int, nodes: int, weighing: Weights) -> list[Samples]:
    """A lesson for each match that somebody won."""
    kernel, chance, found = kernel_for(game), random.Random(1), []
    same = node_player(nodes, weighing, noise=SELF_PLAY_NOISE)
    for number in track(range(games), description="playing"):
        opening = chance.randint(*OPENING_TURNS_RANGE)
        for done in run_matches(game, same, same, 1, seed=number, opening=opening):
            match = done.match
            outcome = match.outcome()
            if outcome is None or not outcome.winners:
                continue
            rows, results = [], []
            for position in match.positions[max(opening, len(match.moves) - LAST_PLIES) : -1]:
                if calls.urgency(kernel.encode(position)) == CALM:
                    for step, seat in enumerate(game.cycle):
                        state = kernel.encode(position._replace(turn=step))
                        rows.append(feature_vector(kernel, state))
                        results.append(float(seat in outcome.winners))
            if rows:
                found.append(
                    Samples(np.array(rows, np.float64), np.array(results), np.ones(len(rows)))
                )
    return found


def concatenate_samples(lessons: list[Samples]) -> Samples:
    """All lessons as one."""
    return Samples(*(np.concatenate(parts) for parts in zip(*lessons, strict=True)))


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
    kernel = kernel_for(game)
    by_hand = kept.evaluation_weights(kernel, by_hand=True)
    lessons = training_samples(game, given.games, given.nodes, kept.evaluation_weights(kernel))
    kept_out = concatenate_samples(lessons[::VALIDATION_STRIDE])
    learnt = concatenate_samples([one for i, one in enumerate(lessons) if i % VALIDATION_STRIDE])
    fitted = fit_weights(learnt, by_hand, kept.evaluation_weights(kernel))
    save_weights(kernel, fitted)
    score = MatchScore()
    players = node_player(given.nodes, fitted), node_player(given.nodes, by_hand)
    matches = run_matches(game, *players, given.check, seed=UNLEARNT)
    for done in track(matches, description="checking", total=given.check):
        score.add(done)
    _difference, low, high = score.elo_interval()
    sys.stdout.write(
        f"{kept.weights_key(kernel)}: {len(learnt.rows)} views of {len(lessons)} matches at "
        f"{given.nodes} nodes; bits a view held out {log_loss(kept_out, by_hand):.4f} by hand, "
        f"{log_loss(kept_out, fitted):.4f} fitted; against by hand {score.wins_draws_losses()}, "
        f"{elo_difference(score.share):+.0f} ({low:+.0f} to {high:+.0f})\n"
    )


if __name__ == "__main__":
    main()
