"""Asks all that is to be known of a game: the questions are data, the answers become data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from quinconce.core.claim import Claim
from quinconce.core.game import Game, after_moves
from quinconce.core.registry import game
from quinconce.facts.files import Answer, Fact, FactsByKind

ReportShare = Callable[[float], None]
Question = dict[str, Any]  # as the file of questions has it
QUESTIONS_FILE: Final = Path(__file__).with_name("questions.json")
# What is asked of a game that the file of questions does not name.
DEFAULT_QUESTIONS: Final[dict[str, list[Question]]] = {"whole": [{}], "advantage": [{}]}
# The level of the engine, and the turns of chance before it begins; the first is the quick one.
DEFAULT_MATCHES: Final = ((3, 0), (6, 0), (8, 0), (6, 4))
GAMES_PER_LEVEL, QUICK_GAMES = 100, 2
ENDGAME_PIECES, QUICK_PIECES = 6, 4


class FactQuestion(NamedTuple):
    """One question, ready to be asked."""

    kind: str
    parameters: dict[str, Any]  # what stands in the data beside the answer
    ask: Callable[[ReportShare], Answer | None]


def questions_about(name: str, quick: bool, jobs: int = 1) -> list[FactQuestion]:
    """All questions about a game; the quick ones only if there is no time."""
    questions = json.loads(QUESTIONS_FILE.read_text(encoding="utf-8")).get(name, DEFAULT_QUESTIONS)
    return [
        task
        for kind, asked in questions.items()
        for question in asked
        for task in QUESTION_KINDS[kind](
            game(name, **question.get("options", {})), question, quick, jobs
        )
    ]


def find_answer(task: FactQuestion, before: FactsByKind) -> Answer | None:
    """What is known of a question already."""
    known = (fact for fact in before.get(task.kind, []) if task.parameters.items() <= fact.items())
    return next((dict(fact) for fact in known), None)


def facts_by_kind(found: list[tuple[FactQuestion, Answer | None]]) -> FactsByKind:
    """The answers of a game by their kinds; what has no answer is left out."""
    kinds: FactsByKind = {}
    for task, answer in found:
        if answer is not None:
            fact = cast("Fact", {**task.parameters, **answer})
            kinds.setdefault(task.kind, []).append(fact)
    return kinds


# How each kind of question is asked; compiled code, slow to load, is needed only then.


def solution_questions(
    rules: Game[Any], question: Question, quick: bool, jobs: int
) -> Iterator[FactQuestion]:
    """A game solved whole."""

    def ask(on_progress: ReportShare) -> Answer | None:
        from quinconce.facts.answers import solution_fact

        return solution_fact(rules, quick, on_progress)

    yield FactQuestion("whole", {"options": question.get("options", {})}, ask)


def certificate_questions(
    rules: Game[Any], question: Question, quick: bool, jobs: int
) -> Iterator[FactQuestion]:
    """The certificate that comes with a game."""

    def ask(on_progress: ReportShare) -> Answer | None:
        from quinconce.facts.answers import certificate_fact

        return certificate_fact(rules, on_progress)

    yield FactQuestion("certificate", {"options": question.get("options", {})}, ask)


def proof_questions(
    rules: Game[Any], question: Question, quick: bool, jobs: int
) -> Iterator[FactQuestion]:
    """A win within a number of plies."""
    if quick and not question.get("quick"):
        return
    asked = {
        "options": question.get("options", {}),
        "after": question.get("after", "").split(),
        "player": question["player"],
        "within": question["within"],
        "wide": question.get("wide", False),
        **({"megabytes": question["megabytes"]} if "megabytes" in question else {}),
    }

    def ask(on_progress: ReportShare) -> Answer | None:
        from quinconce.facts.answers import PROOF_MEGABYTES, proof_fact

        position = after_moves(rules, rules.start(), asked["after"])
        claim = Claim.for_player(rules, position, asked["player"], asked["within"])
        megabytes = asked.get("megabytes", PROOF_MEGABYTES)
        return proof_fact(claim, asked["wide"], question["most"], on_progress, megabytes)

    yield FactQuestion("proofs", asked, ask)


def endgame_questions(
    rules: Game[Any], question: Question, quick: bool, jobs: int
) -> Iterator[FactQuestion]:
    """Endings with few pieces."""
    pieces = QUICK_PIECES if quick else ENDGAME_PIECES

    def ask(on_progress: ReportShare) -> Answer | None:
        from quinconce.facts.answers import endgames_fact

        return endgames_fact(rules, pieces)

    yield FactQuestion("endings", {"options": question.get("options", {}), "pieces": pieces}, ask)


def advantage_questions(
    rules: Game[Any], question: Question, quick: bool, jobs: int
) -> Iterator[FactQuestion]:
    """The engine against itself."""
    games = QUICK_GAMES if quick else GAMES_PER_LEVEL
    matches = question.get("matches", DEFAULT_MATCHES)
    for level, opening in matches[:1] if quick else matches:

        def answer(
            on_progress: ReportShare, level: int = level, opening: int = opening
        ) -> Answer | None:
            from quinconce.facts.answers import advantage_fact

            return advantage_fact(rules, level, opening, games, jobs, on_progress)

        asked = {"level": level, "opening": opening, "games": games}
        yield FactQuestion("advantage", {"options": question.get("options", {}), **asked}, answer)


QUESTION_KINDS: Final[
    dict[str, Callable[[Game[Any], Question, bool, int], Iterator[FactQuestion]]]
] = {
    "whole": solution_questions,
    "certificate": certificate_questions,
    "proofs": proof_questions,
    "endings": endgame_questions,
    "advantage": advantage_questions,
}
