"""Asks all that is to be known of a game: the questions are data, the answers become data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from quinconce.core.game import Game
from quinconce.core.registry import game
from quinconce.facts.files import Fact, Kinds

Watch = Callable[[float], None]
QUESTIONS: Final = Path(__file__).with_name("questions.json")
# What is asked of a game that the file of questions does not name.
USUAL: Final[Kinds] = {"whole": [{}], "advantage": [{}]}
# The level of the engine, and the turns of chance before it begins; the first is the quick one.
MATCHES: Final = ((3, 0), (6, 0), (8, 0), (6, 4))
GAMES, QUICK_GAMES = 100, 2
PIECES, QUICK_PIECES = 6, 4


class Task(NamedTuple):
    """One question, ready to be asked."""

    kind: str
    asked: Fact  # what stands in the data beside the answer
    answer: Callable[[Watch], Fact | None]


def tasks(name: str, quick: bool, jobs: int = 1) -> list[Task]:
    """All questions about a game; the quick ones only if there is no time."""
    questions = json.loads(QUESTIONS.read_text(encoding="utf-8")).get(name, USUAL)
    return [
        task
        for kind, asked in questions.items()
        for question in asked
        for task in KINDS[kind](game(name, **question.get("options", {})), question, quick, jobs)
    ]


def answered(task: Task, before: Kinds) -> Fact | None:
    """What is known of a question already."""
    known = (fact for fact in before.get(task.kind, []) if task.asked.items() <= fact.items())
    return next(known, None)


def facts(found: list[tuple[Task, Fact | None]]) -> Kinds:
    """The answers of a game by their kinds; what has no answer is left out."""
    kinds: Kinds = {}
    for task, answer in found:
        if answer is not None:
            kinds.setdefault(task.kind, []).append({**task.asked, **answer})
    return kinds


# How each kind of question is asked; Numba, slow to load, is needed only then.


def whole_tasks(rules: Game[Any], question: Fact, quick: bool, jobs: int) -> Iterator[Task]:
    """A game solved whole."""

    def answer(watch: Watch) -> Fact | None:
        from quinconce.facts.solved_game import whole

        return whole(rules, quick, watch)

    yield Task("whole", {"options": question.get("options", {})}, answer)


def certificate_tasks(rules: Game[Any], question: Fact, quick: bool, jobs: int) -> Iterator[Task]:
    """The certificate that comes with a game."""

    def answer(watch: Watch) -> Fact | None:
        from quinconce.facts.proofs import certificate

        return certificate(rules, watch)

    yield Task("certificate", {"options": question.get("options", {})}, answer)


def proof_tasks(rules: Game[Any], question: Fact, quick: bool, jobs: int) -> Iterator[Task]:
    """A win within so many plies."""
    if quick and not question.get("quick"):
        return
    asked = {
        "options": question.get("options", {}),
        "after": question.get("after", "").split(),
        "player": question["player"],
        "within": question["within"],
        "wide": question.get("wide", False),
    }

    def answer(watch: Watch) -> Fact | None:
        from quinconce.facts.proofs import proof

        about = (asked["after"], asked["player"], asked["within"], asked["wide"])
        return proof(rules, *about, question["most"], watch)

    yield Task("proofs", asked, answer)


def ending_tasks(rules: Game[Any], question: Fact, quick: bool, jobs: int) -> Iterator[Task]:
    """Endings with few pieces."""
    pieces = QUICK_PIECES if quick else PIECES

    def answer(watch: Watch) -> Fact | None:
        from quinconce.facts.endgames import ends

        return ends(rules, pieces)

    yield Task("endings", {"options": question.get("options", {}), "pieces": pieces}, answer)


def advantage_tasks(rules: Game[Any], question: Fact, quick: bool, jobs: int) -> Iterator[Task]:
    """The engine against itself."""
    games = QUICK_GAMES if quick else GAMES
    matches = question.get("matches", MATCHES)
    for level, opening in matches[:1] if quick else matches:

        def answer(watch: Watch, level: int = level, opening: int = opening) -> Fact | None:
            from quinconce.facts.advantage import advantage

            return advantage(rules, level, opening, games, jobs, watch)

        asked = {"level": level, "opening": opening, "games": games}
        yield Task("advantage", {"options": question.get("options", {}), **asked}, answer)


KINDS: Final[dict[str, Callable[[Game[Any], Fact, bool, int], Iterator[Task]]]] = {
    "whole": whole_tasks,
    "certificate": certificate_tasks,
    "proofs": proof_tasks,
    "endings": ending_tasks,
    "advantage": advantage_tasks,
}
