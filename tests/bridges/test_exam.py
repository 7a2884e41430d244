"""The exam: its questions are true, policies and players are graded, nonsense is no answer."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from solutions import solution_of

import quinconce
from quinconce import Game, Match
from quinconce.bridges.actions import actions_of
from quinconce.bridges.exam import (
    EXAM_FOLDER,
    EXAM_VERSION,
    HEADING,
    Question,
    Share,
    ask_policy,
    exam,
    exam_of_player,
    exam_path,
    format_questions,
    grade,
    parse_questions,
    questions,
)
from quinconce.core.registry import game_forms

EXAMINED = [
    game for name in quinconce.names() for game in game_forms(name) if exam_path(game).exists()
]


def test_what_is_solved_has_an_exam() -> None:
    """In the goal game hardly any position has moves that are all decided: it has none."""
    assert {game.name for game in EXAMINED} == set(quinconce.names()) - {"buts"}
    assert len(EXAMINED) == len(list(EXAM_FOLDER.iterdir()))


@pytest.mark.parametrize("game", EXAMINED, ids=lambda game: game.form_id)
def test_a_question_has_right_moves_and_wrong_ones_and_none_comes_twice(game: Game[Any]) -> None:
    asked = questions(game)
    assert len(asked) >= 100
    assert len({question.position for question in asked}) == len(asked)
    for question in asked:
        legal = set(dict(game.moves(question.position)))
        assert question.right < legal
        assert (question.plies > 0) == (question.value == "win")
    text = exam_path(game).read_text(encoding="utf-8")
    assert format_questions(asked) == text


@pytest.mark.slow
def test_the_questions_of_a_solved_game_are_those_of_its_table() -> None:
    game = quinconce.game("diadema")
    for question in questions(game):
        value = solution_of(game).value(question.position)
        assert (value.result, value.plies or 0) == (question.value, question.plies)
        moves = solution_of(game).move_values(question.position)
        assert question.right == {
            text for text, known in moves.items() if known.result == value.result
        }


@pytest.mark.parametrize("game", EXAMINED, ids=lambda game: game.form_id)
def test_wins_in_one_are_seen_by_the_rules(game: Game[Any]) -> None:
    for question in questions(game):
        at_once = {
            text
            for text, after in game.moves(question.position)
            if (outcome := game.outcome(after)) and game.seat(question.position) in outcome.winners
        }
        if at_once:
            assert question.value == "win"
            assert at_once <= question.right
        # In an ending of Seega one ply is the next capture, and not the end.
        if game.name != "seega":
            assert bool(at_once) == (question.plies == 1)


def best_policy(game: Game[Any]) -> Any:
    """A policy that plays right moves: it knows a position by what it sees."""
    numbers, path = actions_of(game), list[int]()
    queue = [min(question.right) for question in questions(game)]

    def policy(_observation: Any, mask: Any) -> int:
        if not path:
            path.extend(numbers.paths(queue.pop(0))[0])
        action = path.pop(0)
        # The rest of a move that is played by now is not asked for.
        if not path and mask.sum() == 1:
            assert mask[action]
        return action

    return policy


def test_who_plays_right_moves_keeps_every_value() -> None:
    game = quinconce.game("diam")
    report = exam(best_policy(game), game)
    assert report.version == EXAM_VERSION
    assert report.total == (len(questions(game)), len(questions(game)), 0)
    assert report.total.share == 1
    assert all(found.share == 1 for found in report.by_grade().values())
    assert sum(found.asked for found in report.by_grade().values()) == 2 * report.total.asked


def test_a_random_policy_keeps_some_values_and_is_never_illegal() -> None:
    chance = np.random.default_rng(4)
    for game in EXAMINED:
        report = exam(lambda _seen, mask: chance.choice(np.flatnonzero(mask)), game)
        low, high = report.total.interval
        assert 0 < low < report.total.share < high < 1
        assert report.total.illegal == 0


@pytest.mark.parametrize("action", [-1, 10_000, np.int64(16), np.array([[99]])])
def test_an_action_that_is_none_is_counted_apart(action: Any) -> None:
    question = questions(quinconce.game("diadema"))[0]
    answer = ask_policy(lambda _seen, _mask: action, question)
    assert not answer.legal
    assert not answer.keeps_value


@pytest.mark.parametrize("answer", [None, "A", 2.5, True, [], [1, 2], np.float32(3)])
def test_a_policy_that_answers_no_number_is_told_so(answer: Any) -> None:
    question = questions("diadema")[0]
    with pytest.raises(ValueError, match="a policy answers a whole number, not"):
        ask_policy(lambda _seen, _mask: answer, question)


def test_a_player_is_asked_for_moves_and_may_answer_nonsense() -> None:
    game = quinconce.game("diam")
    report = exam_of_player(lambda match: "castle", game)
    assert report.total == (0, len(questions(game)), len(questions(game)))
    chance = random.Random(1)

    def anything(match: Match[Any]) -> str:
        return chance.choice(list(match.legal()))

    assert exam_of_player(anything, game).total.illegal == 0


def test_a_form_without_an_exam_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no exam"):
        questions(quinconce.game("diam", players=3))


@pytest.mark.parametrize(
    "line",
    ["", "win | @A | x", "win one | @A | x", "loss 3 | @A | x", "win 3 || x", "win 3 | @A | x"],
)
def test_a_file_that_is_none_is_refused(line: str) -> None:
    game = quinconce.game("diadema")
    with pytest.raises(ValueError, match=r"."):
        parse_questions(game, f"{HEADING}\n{line}\n")
    with pytest.raises(ValueError, match="heading"):
        parse_questions(game, line)


def test_grades_go_by_distance_and_by_the_number_of_right_moves() -> None:
    assert [grade(n, (1, 3, 5)) for n in (1, 2, 3, 4, 6)] == ["1", "2-3", "2-3", "4-5", "6+"]
    game = quinconce.game("diadema")
    question = Question(game, game.start(), "win", 5, frozenset(("@A",)))
    assert question.grades == ("plies 4-5", "1 right")
    assert question._replace(value="draw", plies=0).grades[0] == "draw"


def test_the_interval_is_wilsons() -> None:
    low, high = Share(8, 10, 0).interval
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert Share(0, 0, 0).interval == (0.0, 1.0)
