"""The judge of a lesson's step: whether a move does the task, and the reply to it."""

from __future__ import annotations

from typing import NamedTuple

from quinconce.core.move_input import parse_typed_move
from quinconce.core.phrase import Phrase
from quinconce.study.lesson import LessonStep
from quinconce.study.tasks import Attempt


class StepJudgement(NamedTuple):
    """What became of a move."""

    right: bool
    moves: tuple[str, ...]  # those that stand now: the move and the reply; none if it was wrong
    refutation: Phrase | None  # the reply that shows what is wrong, where one does


def judge_step(step: LessonStep, typed: str) -> StepJudgement:
    """Whether a move does what the step asks; MoveError if the rules refuse it."""
    match = step.match()
    match.play(parse_typed_move(step.game, match.position, typed))
    attempt = Attempt(match)
    if not step.task.is_met(attempt):
        return StepJudgement(False, (), step.task.refutation(attempt))
    for reply in () if match.outcome() else step.replies:
        if step.game.successor(match.position, reply) is not None:
            match.play(reply)
            break
    return StepJudgement(True, tuple(match.moves[len(step.moves) :]), None)
