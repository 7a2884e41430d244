"""The engine without compiled code: the same answers, without Numba, and no proof given away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from corpus import NEAR_FORMS
from plain_answers import (
    TURNS,
    Answers,
    few_move_answers,
    kernel_answers,
    move_answers,
    plain_python,
    refusal_answers,
    unfinished_match,
)

from quinconce import Match, game
from quinconce.engine.readiness import needs_compiled


def differences(some: dict[str, str], others: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Where two collections of answers differ."""
    assert some.keys() == others.keys()
    return {name: (some[name], others[name]) for name in some if some[name] != others[name]}


@pytest.mark.process
def test_kernels_answer_the_same_in_plain_python() -> None:
    answers = kernel_answers()
    assert len(answers) > 50_000
    assert differences(answers, plain_python(kernel_answers)) == {}


@pytest.mark.process
@pytest.mark.parametrize(
    "question", [few_move_answers, pytest.param(move_answers, marks=pytest.mark.long)]
)
def test_levels_below_the_last_play_the_same_moves_in_plain_python(
    question: Callable[[], Answers],
) -> None:
    assert {level for levels in TURNS.values() for level in levels} == set(range(1, 10))
    assert differences(question(), plain_python(question)) == {}


@pytest.mark.process
def test_full_strength_refuses_in_plain_python_where_something_is_proved() -> None:
    answers = plain_python(refusal_answers)
    assert answers.pop("numba") is False
    refused = {form for form, reason in answers.items() if reason}
    assert refused == {"diadema", "diam-2003-2", "diam-2003-3", "diam-2003-4"}
    assert answers.keys() == {form.form_id for form in NEAR_FORMS}


def test_full_strength_waits_for_the_table_of_an_endgame() -> None:
    seega = game("seega", size="5")
    board = "w" + "." * 11 + "b" + "." * 11 + "b"
    few = seega.start()._replace(board=board, phase=2)
    assert needs_compiled(Match(seega), 10) is None
    assert "few pieces" in (needs_compiled(Match(seega, few), 10) or "")
    assert needs_compiled(Match(seega, few), 9) is None


def test_matches_of_the_comparison_go_on() -> None:
    assert all(not unfinished_match(form, 9).outcome() for form in NEAR_FORMS)
