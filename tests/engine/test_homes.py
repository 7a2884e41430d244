"""Two homes of compiled code: native and WebAssembly give the same answers, to the last digit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from corpus import NEAR_FORMS
from home_answers import (
    TURNS,
    Answers,
    asked_of_modules,
    few_move_answers,
    full_strength_answers,
    interrupted_answers,
    kernel_answers,
    move_answers,
    proof_answers,
    search_answers,
)


def differences(some: Answers, others: Answers) -> dict[str, tuple[str, str]]:
    """Where two collections of answers differ."""
    assert some.keys() == others.keys()
    return {name: (some[name], others[name]) for name in some if some[name] != others[name]}


@pytest.mark.process
def test_kernels_answer_the_same_in_both_homes() -> None:
    answers = kernel_answers()
    assert len(answers) > 15_000
    assert differences(answers, asked_of_modules(kernel_answers)) == {}


@pytest.mark.process
def test_searches_have_the_same_nodes_scores_and_lines_in_both_homes() -> None:
    answers = search_answers()
    assert len(answers) > 150
    assert differences(answers, asked_of_modules(search_answers, numpy=False)) == {}


@pytest.mark.process
def test_a_search_is_the_same_whatever_else_has_been_asked_meanwhile() -> None:
    answers = interrupted_answers()
    assert differences(answers, asked_of_modules(interrupted_answers)) == {}


@pytest.mark.process
def test_proofs_tables_and_endings_are_the_same_in_both_homes() -> None:
    answers = proof_answers()
    assert any("endings" in name for name in answers)
    assert differences(answers, asked_of_modules(proof_answers)) == {}


@pytest.mark.process
@pytest.mark.parametrize(
    "question", [few_move_answers, pytest.param(move_answers, marks=pytest.mark.long)]
)
def test_levels_below_the_last_play_the_same_moves_in_both_homes(
    question: Callable[[], Answers],
) -> None:
    assert {level for levels in TURNS.values() for level in levels} == set(range(1, 10))
    assert differences(question(), asked_of_modules(question, numpy=False)) == {}


@pytest.mark.process
def test_full_strength_moves_without_a_compiler_and_without_numpy_in_every_form() -> None:
    answers = asked_of_modules(full_strength_answers, numpy=False)
    assert answers.pop("numba") is answers.pop("numpy") is False
    assert answers == {form.form_id: True for form in NEAR_FORMS}
