"""Judges moves by what they cost, and says how accurate a player was.

A move that lowers a proved value is an error, and one that keeps it is none, whatever an estimate
says. A step down, from a win to a draw or from a draw to a loss, is a mistake; it is a blunder
where the end is so near that two moves of the winner show it, and so is a win thrown into a loss.
Everything else is judged by the expected score that was lost. People know the thresholds from
chess sites, where winning chances go from -1 to 1 and an inaccuracy loses 0.1 of them, a mistake
0.2 and a blunder 0.3; an expected score goes from 0 to 1, so that the same losses are half as much.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, harmonic_mean, pstdev
from typing import Final, NamedTuple

from quinconce.engine.scores import ROUNDING, ScoreBounds
from quinconce.words.review import Judgement

BLUNDER_LOSS: Final = 0.15
THRESHOLDS: Final[Sequence[tuple[float, Judgement]]] = (
    (BLUNDER_LOSS, "blunder"),
    (0.10, "mistake"),
    (0.05, "inaccuracy"),
)
NEAR_PLIES: Final = 4  # plies to the end within which somebody who looks ahead sees it
TWO_STEPS: Final = 0.75  # of the point, that only a win turned into a loss costs

# A move that loses nothing has the accuracy 100, and one that loses 0.16 of the point has half of
# it: about the scale of Lichess. Errors weigh more where the result swings, as they do there.
ACCURACY_DECAY: Final = 4.35
SMALLEST_ACCURACY: Final = 1.0  # of a move, so that one blunder does not decide alone
SWING_PLIES: Final = 5  # plies around a move that tell how much the result swings
SWING_RANGE: Final = (0.005, 0.12)


class MoveCost(NamedTuple):
    """What a move cost its player, all from the player's view."""

    before: float  # the expected score
    after: float
    proven_before: ScoreBounds
    proven_after: ScoreBounds
    end_plies: int | None = None  # to the end that was missed or allowed, where that is proved

    @property
    def is_lowering(self) -> bool:
        """Whether a proved value was lowered."""
        return self.proven_after.most < self.proven_before.least - ROUNDING

    @property
    def is_keeping(self) -> bool:
        """Whether a proved value was kept: nothing better could be had."""
        return self.proven_after.least > self.proven_before.most - ROUNDING

    @property
    def loss(self) -> float:
        """The expected score that was lost."""
        return 0.0 if self.is_keeping else max(0.0, self.before - self.after)

    def judgement(self) -> Judgement | None:
        """How bad the move was; None if it was good enough."""
        if self.is_keeping:
            return None
        if not self.is_lowering:
            return next((name for most, name in THRESHOLDS if self.loss >= most - ROUNDING), None)
        near = self.end_plies is not None and self.end_plies <= NEAR_PLIES
        whole = self.proven_before.least - self.proven_after.most > TWO_STEPS - ROUNDING
        return "blunder" if near or whole else "mistake"


def move_accuracy(loss: float) -> float:
    """The accuracy of a move, from 0 to 100, by the expected score that it lost."""
    return 100 * math.exp(-ACCURACY_DECAY * loss)


def seat_accuracy(losses: Sequence[float], swings: Sequence[float]) -> float | None:
    """The accuracy of a seat by the losses of its moves and how much the result swung around each.

    Half of it is the mean with the swings as weights, half the harmonic mean, which is low where
    one move was very bad. None where the seat made no move.
    """
    if not losses:
        return None
    moves = [max(SMALLEST_ACCURACY, move_accuracy(loss)) for loss in losses]
    low, high = SWING_RANGE
    weights = [min(max(swing, low), high) for swing in swings]
    return (fmean(moves, weights) + harmonic_mean(moves)) / 2


def swings(scores: Sequence[float]) -> list[float]:
    """How much the scores of one side swing around each move."""
    around = SWING_PLIES // 2
    return [
        pstdev(scores[max(0, ply - around) : ply + around + 2]) for ply in range(len(scores) - 1)
    ]
