"""Lessons as data: steps with a position and a task, and their words in one language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.study.tasks import Task


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
