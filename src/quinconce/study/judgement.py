"""Judges moves by what a person can see of their cost, and says how accurate a player was.

Two things are known of a move: what it costs in truth, by proofs and a long search, and how much of
that a search of a few plies shows. The latter is what a person may be blamed for. So a move is
graded by the part of its cost that shows within NEAR_PLIES, or by less of what shows a little
later; what shows later still is an inaccuracy at most. Where everything is proved, a value that is
lowered unseen is no error: it went by. Where everything is lost by proof, but not soon, what one
sees counts alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Final, NamedTuple

from quinconce.engine.scores import ROUNDING, ScoreBounds
from quinconce.study.lookahead import SEEN_PLIES
from quinconce.words.review import Judgement

# Of the expected score, from 0 to 1; a fair share is a half.
BLUNDER_LOSS: Final = 0.3
MISTAKE_LOSS: Final = 0.2
INACCURACY_LOSS: Final = 0.1
THRESHOLDS: Final[Sequence[tuple[float, Judgement]]] = (
    (BLUNDER_LOSS, "blunder"),
    (MISTAKE_LOSS, "mistake"),
    (INACCURACY_LOSS, "inaccuracy"),
)
NEAR_PLIES: Final = 4  # two moves of each side, the judged one included
LATER_WEIGHT: Final = 0.5  # of what shows within SEEN_PLIES only
UNSEEN_WEIGHT: Final = 0.2  # of what does not show within them
SOON_LOST_PLIES: Final = 8  # a player who is lost within these is not blamed any more

# A move that loses nothing has the accuracy 100, and one that loses 0.16 of the point has half of
# it. A move weighs as much as was at stake: next to nothing where the game is decided.
ACCURACY_DECAY: Final = 4.35
LEAST_WEIGHT: Final = 0.05


class MoveCost(NamedTuple):
    """What a move cost its player, all from the player's view."""

    before: float  # the expected score
    after: float
    proven_before: ScoreBounds
    proven_after: ScoreBounds
    end_before: int | None = None  # plies to the end before the move, where that is proved
    end_after: int | None = None  # and after it
    # What was seen before the move by searches of 1, 2, … plies, and after it; empty if unknown.
    seen_before: Sequence[float] = ()
    seen_after: Sequence[float] = ()
    is_best: bool = False  # whether nothing better is known
    sides: int = 2  # among more, a fair share is smaller, and so is what can be lost

    @property
    def is_lowering(self) -> bool:
        """Whether a proved value was lowered."""
        return self.proven_after.most < self.proven_before.least - ROUNDING

    @property
    def is_keeping(self) -> bool:
        """Whether a proved value was kept: nothing better could be had."""
        return self.proven_after.least > self.proven_before.most - ROUNDING

    @property
    def true_loss(self) -> float:
        """The expected score that was lost, whether one sees it or not."""
        lost = 0.0 if self.is_keeping else max(0.0, self.before - self.after)
        return lost * self.sides / 2

    @property
    def is_soon_over(self) -> bool:
        """Whether a win or a loss within NEAR_PLIES is missed or allowed."""
        if not self.is_seen:
            return self.nearest_end is not None and self.nearest_end <= NEAR_PLIES
        before, after = self.seen_pair(NEAR_PLIES)
        return before > 1 - ROUNDING or after < ROUNDING

    @property
    def nearest_end(self) -> int | None:
        """Plies to the end that was missed or allowed, whichever is nearer."""
        return min((n for n in (self.end_before, self.end_after) if n is not None), default=None)

    @property
    def win_in(self) -> int | None:
        """The plies of a win that was near, where it is proved."""
        near = self.end_before is not None and self.end_before <= NEAR_PLIES
        return self.end_before if near and self.proven_before.least > 1 - ROUNDING else None

    @property
    def loses_in(self) -> int | None:
        """The plies after the move of a loss that is near, where it is proved."""
        near = self.end_after is not None and self.end_after < NEAR_PLIES
        return self.end_after if near and self.proven_after.most < ROUNDING else None

    @property
    def is_seen(self) -> bool:
        """Whether searches of a few plies can be compared."""
        return len(self.seen_before) > 1 and len(self.seen_after) > 0

    def seen_pair(self, plies: int) -> tuple[float, float]:
        """What one expects who looks ahead so far, before the move and then after it."""
        depth = min(plies, len(self.seen_before), len(self.seen_after) + 1)
        return self.seen_before[depth - 1], self.seen_after[depth - 2]

    def seen_loss(self, plies: int) -> float:
        """How much of the loss is seen by somebody who looks ahead so far, the move included."""
        if not self.is_seen:
            return 0.0 if self.is_lowering and not self.is_soon_over else self.true_loss
        before, after = self.seen_pair(plies)
        return min(max(0.0, before - after), self.blame)

    @property
    def blame(self) -> float:
        """The most that somebody can be blamed for: what the move lost in truth.

        Who is lost by proof, but not soon, still has to make it hard for the other.
        """
        if self.is_best or not self.is_keeping or self.proven_before.most > ROUNDING:
            return self.true_loss
        soon = self.end_before is not None and self.end_before <= SOON_LOST_PLIES
        return 0.0 if soon else 1.0

    @property
    def shown_loss(self) -> float:
        """The loss that shows: that of the next plies, or less of what comes a little later."""
        return max(self.seen_loss(NEAR_PLIES), LATER_WEIGHT * self.seen_loss(SEEN_PLIES))

    @property
    def loss(self) -> float:
        """The loss by which accuracy is reckoned; a little of it is unseen."""
        return max(self.shown_loss, UNSEEN_WEIGHT * self.true_loss)

    @property
    def stake(self) -> float:
        """How much there was to lose, from 0 to 1; little where the game seems decided."""
        hope = self.visible_before
        fair = hope / (hope + (1 - hope) / (self.sides - 1))  # a fair share becomes a half
        return max(LEAST_WEIGHT, 4 * fair * (1 - fair), self.loss)

    @property
    def visible_before(self) -> float:
        """What a person expects before the move."""
        return self.seen_pair(NEAR_PLIES)[0] if self.is_seen else self.before

    def judgement(self) -> Judgement | None:
        """How bad the move was; None if it was good enough, or nobody sees why not."""
        if self.is_soon_over and self.seen_loss(NEAR_PLIES) >= INACCURACY_LOSS - ROUNDING:
            return "blunder"
        loss = self.shown_loss if self.is_lowering else self.loss
        found = next((name for most, name in THRESHOLDS if loss >= most - ROUNDING), None)
        return found and ("inaccuracy" if self.punished_in() is None else found)

    def punished_in(self) -> int | None:
        """In how many plies after the move one sees half of what shows of its loss."""
        if self.shown_loss < INACCURACY_LOSS - ROUNDING:
            return None
        if not self.is_seen:
            return self.nearest_end or NEAR_PLIES
        most = max(self.seen_loss(NEAR_PLIES), self.seen_loss(SEEN_PLIES))
        return next(n for n in range(1, SEEN_PLIES) if self.seen_loss(n + 1) >= most / 2)


def move_accuracy(loss: float) -> float:
    """The accuracy of a move, from 0 to 100, by the expected score that it lost."""
    return 100 * math.exp(-ACCURACY_DECAY * loss)


def seat_accuracy(costs: Sequence[MoveCost]) -> float | None:
    """The accuracy of a seat by what its moves cost; None where it made no move.

    Moves weigh as much as was at stake.
    """
    if not costs:
        return None
    return fmean([move_accuracy(cost.loss) for cost in costs], [cost.stake for cost in costs])
