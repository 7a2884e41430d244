"""A question that names its memory is asked with it, and the page says so."""

from __future__ import annotations

from typing import Any

import pytest

from quinconce.facts import answers
from quinconce.facts.files import load_shipped_facts
from quinconce.facts.page import prover_command
from quinconce.facts.questions import questions_about


def test_a_question_is_asked_with_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def note(claim: Any, wide: bool, most: int, report: Any, megabytes: float) -> dict[str, Any]:
        given.append(megabytes)
        return {"answer": None, "nodes": most}

    monkeypatch.setattr(answers, "proof_fact", note)
    asked = [task for task in questions_about("buts", quick=False) if task.kind == "proofs"]
    for task in asked:
        task.ask(lambda share: None)
    assert given == [task.parameters.get("megabytes", answers.PROOF_MEGABYTES) for task in asked]
    assert set(given) == {256, 1024}


def test_the_command_that_asks_again_names_the_memory() -> None:
    small: Any
    large: Any
    *_others, small, large = load_shipped_facts()["buts"]["proofs"][:5]
    assert "--memory" not in prover_command("buts", small)
    assert " --memory 1024 " in prover_command("buts", large)
