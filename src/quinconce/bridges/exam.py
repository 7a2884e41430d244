"""An exam for players of any kind: solved positions, and whether a move keeps their value.

The questions are files of text, one for each form of a game that has an exam. A line is

    VALUE PLIES | MOVES | POSITION

VALUE is `win` or `draw`, for the player to move; PLIES tells how far the end of a won position is,
or the next capture in an ending, and is 0 in a draw; MOVES are all that keep the value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from quinconce.bridges.actions import ActionError
from quinconce.bridges.arguments import game_of, whole_number
from quinconce.bridges.episode import Episode, Policy
from quinconce.core.errors import MoveError
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.option import parse_number
from quinconce.core.phrase import _, quote

# The questions of a version never change: what a policy got in it can be compared for ever.
EXAM_VERSION: Final = 1
EXAM_FOLDER: Final = Path(__file__).parent / "exams"
HEADING: Final = f"# Exam {EXAM_VERSION}: value, plies | moves that keep it | position"
VALUES: Final = ("win", "draw")
Z_95: Final = 1.96  # standard deviations of a confidence of 95 %
# Wins by their plies, and any by how many moves are right: the last number of each grade.
PLIES_GRADES: Final = (1, 3, 5, 7)
RIGHT_GRADES: Final = (1, 2, 4)

Player = Callable[[Match[Any]], str]  # from a match to a move


class Question(NamedTuple):
    """A solved position and all the moves that keep its value."""

    game: Game[Any]
    position: Any
    value: str
    plies: int
    right: frozenset[str]

    @property
    def grades(self) -> tuple[str, str]:
        """How hard it is: by the distance of the end, and by how many moves are right."""
        far = f"plies {grade(self.plies, PLIES_GRADES)}" if self.value == "win" else "draw"
        return far, f"{grade(len(self.right), RIGHT_GRADES)} right"


class Answer(NamedTuple):
    """What was answered: a legal move, or a text that is none."""

    question: Question
    move: str
    legal: bool

    @property
    def keeps_value(self) -> bool:
        """Whether the move is one of those that keep the value."""
        return self.legal and self.move in self.question.right


class Share(NamedTuple):
    """How many of some questions were answered well, with an interval of 95 %."""

    right: int
    asked: int
    illegal: int

    @property
    def share(self) -> float:
        """The share, from 0 to 1."""
        return self.right / self.asked if self.asked else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval for the share with a confidence of 95 %."""
        if not self.asked:
            return 0.0, 1.0
        n, p, z = self.asked, self.share, Z_95
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        wide = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, centre - wide), min(1.0, centre + wide)


class ExamReport(NamedTuple):
    """The answers to an exam, and what they come to."""

    version: int
    answers: tuple[Answer, ...]

    @property
    def total(self) -> Share:
        """The share of all questions."""
        return share_of(self.answers)

    def by_grade(self) -> dict[str, Share]:
        """The share of the questions of each grade; every question has two of them."""
        found: dict[str, list[Answer]] = {}
        for kind in (0, 1):
            for answer in sorted(self.answers, key=lambda each: each.question.grades[kind]):
                found.setdefault(answer.question.grades[kind], []).append(answer)
        return {name: share_of(answers) for name, answers in found.items()}


def grade(number: int, lasts: Sequence[int]) -> str:
    """The grade of a number: 2-3 or 8+, by the last number of each grade."""
    first = 1
    for last in lasts:
        if number <= last:
            return f"{first}-{last}" if first < last else str(last)
        first = last + 1
    return f"{first}+"


def share_of(answers: Iterable[Answer]) -> Share:
    """How many of some answers keep the value."""
    found = list(answers)
    return Share(
        sum(answer.keeps_value for answer in found),
        len(found),
        sum(not answer.legal for answer in found),
    )


def exam(policy: Policy, game: Game[Any] | str) -> ExamReport:
    """Ask a policy for a move in every position of a game's exam.

    It is asked for actions until its turn is whole; one that is not legal ends the question.
    ValueError if the game has no exam, or if the policy answers anything but a whole number.
    """
    return ExamReport(
        EXAM_VERSION, tuple(ask_policy(policy, question) for question in questions(game))
    )


def ask_policy(policy: Policy, question: Question) -> Answer:
    """The answer of a policy to one question."""
    episode = Episode(question.game, match=Match(question.game, question.position))
    while True:
        action = whole_action(policy(episode.observation(episode.seat), episode.mask()))
        try:
            if episode.touch(action):
                return Answer(question, episode.match.moves[0], True)
        except ActionError:
            return Answer(question, str(action), False)


def whole_action(answer: Any) -> int:
    """The action that a policy answers: a whole number of any kind, or an array of one."""
    found = np.asarray(answer)
    number = whole_number(found.item()) if found.size == 1 else None
    if number is None:
        raise ValueError(
            _("a policy answers a whole number, not {wrong}", wrong=quote(repr(answer)))
        )
    return number


def exam_of_player(player: Player, game: Game[Any] | str) -> ExamReport:
    """The same for somebody who names moves: a level of the engine, a search, a person."""
    return ExamReport(
        EXAM_VERSION, tuple(ask_player(player, question) for question in questions(game))
    )


def ask_player(player: Player, question: Question) -> Answer:
    """The answer of a player to one question; a move that the rules refuse is not legal."""
    match = Match(question.game, question.position)
    text = player(match.copy())
    try:
        match.play(text)
    except MoveError:
        return Answer(question, text, False)
    return Answer(question, text, True)


# Files.


def exam_path(game: Game[Any]) -> Path:
    """Where the questions of a game would be."""
    return EXAM_FOLDER / f"{game.form_id}.exam.txt"


@cache
def questions(game: Game[Any] | str) -> tuple[Question, ...]:
    """The questions of a game's exam; ValueError if it has none."""
    game = game_of(game)
    path = exam_path(game)
    if not path.exists():
        raise ValueError(_("there is no exam for {game}", game=repr(game)))
    return parse_questions(game, path.read_text(encoding="utf-8"))


def format_questions(asked: Iterable[Question]) -> str:
    """The text of a file."""
    lines = [HEADING]
    for question in asked:
        moves = " ".join(sorted(question.right))
        position = question.game.write(question.position)
        lines.append(f"{question.value} {question.plies} | {moves} | {position}")
    return "\n".join(lines) + "\n"


def parse_questions(game: Game[Any], text: str) -> tuple[Question, ...]:
    """The questions of a file; ValueError if a line is none."""
    lines = text.splitlines()
    if lines[:1] != [HEADING]:
        raise ValueError(_("{text} is not the heading of an exam", text=quote("".join(lines[:1]))))
    return tuple(parse_question(game, line) for line in lines[1:])


def parse_question(game: Game[Any], line: str) -> Question:
    """The question on a line."""
    parts = [part.split() for part in line.split("|")]
    plies = parse_number(parts[0][1]) if len(parts) == 3 and len(parts[0]) == 2 else None
    if plies is None or parts[0][0] not in VALUES or not parts[1]:
        raise ValueError(_("{text} is not a question of an exam", text=quote(line)))
    position = game.read(" ".join(parts[2]))
    return Question(game, position, parts[0][0], plies, frozenset(parts[1]))
