"""The lessons that are shipped: replayed right and wrong, in both languages, and their claims."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import Any

import pytest

import quinconce
from quinconce.core.errors import MoveError
from quinconce.core.registry import game, names
from quinconce.study.lesson import LessonStep, judge_step
from quinconce.study.lesson_files import (
    LESSON_FOLDER,
    lessons_of,
    steps_of,
    words_of_lessons,
)
from quinconce.words import LANGUAGES, Voice

STEPS = [(name, step) for name in names() for step in steps_of(name)]
BASICS = (6, 12)  # steps of the first lesson of a game
ONLY = re.compile(r"\b(?:only|one) (?:winning )?move\b", re.IGNORECASE)
SAMPLE = 80  # legal moves of a step that are tried; a larger board has thousands


@cache
def verdicts(name: str, id_: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Legal moves of a step that do its task, and those that do not."""
    step = steps_of(name)[id_]
    every = tuple(step.match().legal())
    stride = 1 if step.task.unique else 1 + len(every) // SAMPLE
    legal = dict.fromkeys((step.answer, *every[::stride]))
    right = tuple(text for text in legal if judge_step(step, text).right)
    return right, tuple(text for text in legal if text not in right)


@pytest.mark.parametrize("name", names())
def test_every_game_has_a_first_lesson_in_its_default_form(name: str) -> None:
    first = lessons_of(name)[0]
    assert first.game == game(name)
    assert BASICS[0] <= len(first.steps) <= BASICS[1]


@pytest.mark.parametrize("name", names())
def test_every_value_of_an_option_that_can_be_chosen_has_a_lesson(name: str) -> None:
    forms = [lesson.game.chosen for lesson in lessons_of(name)]
    for key, option in quinconce.core.registry.game_class(name).options.items():
        offered = [value for value in option if not (option.numbers and value != option[0])]
        assert set(offered) <= {chosen[key] for chosen in forms}, key
        if option.numbers:
            assert len({chosen[key] for chosen in forms}) > 1, key


@pytest.mark.slow
@pytest.mark.parametrize(("name", "id_"), STEPS)
def test_right_moves_are_taken_and_answered(name: str, id_: str) -> None:
    step = steps_of(name)[id_]
    right, _wrong = verdicts(name, id_)
    assert step.answer in right
    for text in right:
        moves = judge_step(step, text).moves
        after = step.match(moves)
        assert moves[0] == text
        if step.replies and step.match((text,)).outcome() is None:
            assert moves[1:]
            assert moves[1] in step.replies
        else:
            assert after.outcome() is not None or not step.replies
    assert len(right) == 1 or not step.task.unique, right


@pytest.mark.slow
@pytest.mark.parametrize(("name", "id_"), STEPS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_wrong_moves_get_a_hint_and_refused_ones_a_reason(
    name: str, id_: str, language: str
) -> None:
    step, say = steps_of(name)[id_], Voice(language)
    words = words_of_lessons(name, language).steps[id_]
    _right, wrong = verdicts(name, id_)
    assert bool(words.hint) == bool(wrong), "a hint is for those who can play something else"
    for text in wrong:
        answer = judge_step(step, text)
        assert not answer.moves
        if answer.refutation:
            assert say(answer.refutation)
    for text in step.refused:
        with pytest.raises(MoveError) as caught:
            judge_step(step, text)
        assert say(caught.value.why)
    with pytest.raises(MoveError):
        judge_step(step, "zz")


@pytest.mark.parametrize("name", names())
def test_both_languages_say_all_and_differ(name: str) -> None:
    english, french = (words_of_lessons(name, language) for language in LANGUAGES)
    assert english.titles.keys() == french.titles.keys()
    assert list(english.steps) == list(french.steps) == list(steps_of(name))
    for id_, words in english.steps.items():
        assert words.text != french.steps[id_].text
        assert bool(words.hint) == bool(french.steps[id_].hint)


def test_every_rule_is_taught_by_a_step_and_no_other() -> None:
    rules = tomllib.loads((LESSON_FOLDER / "rules.toml").read_text(encoding="utf-8"))
    assert set(rules) == set(names())
    for name, known in rules.items():
        taught = {rule for step in steps_of(name).values() for rule in step.teaches}
        assert taught == set(known)


@pytest.mark.parametrize(
    ("name", "id_"), [(name, id_) for name, id_ in STEPS if steps_of(name)[id_].claim]
)
def test_a_claim_is_what_the_solver_says(name: str, id_: str) -> None:
    from quinconce.puzzles.oracle import oracle_for

    step: LessonStep = steps_of(name)[id_]
    match, certain = step.match(), oracle_for(step.game)
    side = step.game.side(match.seat)
    legal: dict[str, Any] = match.legal()
    if step.claim == "only-win":
        kept = [text for text, after in legal.items() if certain.ever_wins(after, side)]
    else:
        kept = [text for text, after in legal.items() if certain.holds(after, side)]
    assert kept == [step.answer]


def test_lessons_of_no_game_are_an_error_and_of_a_new_one_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    with pytest.raises(ValueError, match="there is no game"):
        lessons_of("go")
    monkeypatch.setattr("quinconce.study.lesson_files.LESSON_FOLDER", tmp_path)
    assert lessons_of.__wrapped__("seega") == ()


def test_words_that_speak_of_the_only_move_are_checked() -> None:
    claimed = [
        (name, id_)
        for name, id_ in STEPS
        if ONLY.search(words_of_lessons(name, "en").steps[id_].task)
    ]
    assert len(claimed) >= 5
    assert all(steps_of(name)[id_].task.unique for name, id_ in claimed)
