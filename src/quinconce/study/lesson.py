"""Lessons as data, steps with a position and a task, their words; and the judge of a move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.move_input import parse_typed_move
from quinconce.core.phrase import Phrase
from quinconce.study.tasks import Attempt, Task


@dataclass(frozen=True)
class LessonStep:
    """A position in which one move is to be found."""

    id: str
    game: Game[Any]
    start: Any  # the position from which `moves` lead to the one on show
    moves: tuple[str, ...]
    task: Task
    answer: str  # a move that does the task, to be shown
    replies: tuple[str, ...]  # the first of them that is legal follows a right move
    refused: tuple[str, ...]  # moves that people try and the rules refuse
    teaches: tuple[str, ...]  # ids of rules
    claim: str | None  # what a solver can check of the answer

    @property
    def seat(self) -> int:
        """The seat of the learner."""
        return self.match().seat

    @cached_property
    def has_one_answer(self) -> bool:
        """Whether no other move than the answer does the task."""
        right = (text for text in self.match().legal() if judge_step(self, text).right)
        return len(list(islice(right, 2))) == 1

    def match(self, moves: Iterable[str] = ()) -> Match[Any]:
        """The match of this step, with moves of the learner and replies played in it."""
        match = Match(self.game, self.start)
        for text in (*self.moves, *moves):
            match.play(text)
        return match


@dataclass(frozen=True)
class Lesson:
    """Steps that belong together, all in one form of a game."""

    id: str
    game: Game[Any]
    steps: tuple[LessonStep, ...]


class StepWords(NamedTuple):
    """What a step says in one language."""

    title: str
    text: str  # what there is to know
    task: str  # what to do
    hint: str  # to somebody whose move is legal but does not do it; empty if every move does
    done: str  # what has happened


class LessonWords(NamedTuple):
    """The words of a game's lessons in one language, by the ids of lessons and steps."""

    titles: dict[str, str]
    steps: dict[str, StepWords]


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
