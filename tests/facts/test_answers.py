"""What the shipped facts claim, held against the plain rules and against what was asked."""

from __future__ import annotations

from typing import Any

import pytest

import quinconce
from quinconce.core.claim import Claim
from quinconce.core.match import Match
from quinconce.core.registry import game, names
from quinconce.core.value import Value
from quinconce.facts.answers import advantage_fact, check_table, proof_fact, value_from_moves
from quinconce.facts.files import load_shipped_facts
from quinconce.facts.questions import DEFAULT_MATCHES, questions_about
from quinconce.solvers.endgames.tables import endgame_table

SHIPPED = load_shipped_facts()


def every(kind: str) -> list[tuple[str, Any]]:
    return [(name, fact) for name in SHIPPED for fact in SHIPPED[name].get(kind, [])]


@pytest.mark.parametrize("name", names())
def test_every_question_has_been_answered(name: str) -> None:
    """Whoever changes the questions runs the command again."""
    asked = [(task.kind, task.parameters) for task in questions_about(name, quick=False)]
    kept = [(kind, fact) for kind, facts in SHIPPED[name].items() for fact in facts]
    assert len(asked) == len(kept)
    for (kind, question), (kept_kind, fact) in zip(asked, kept, strict=True):
        assert kind == kept_kind
        assert question.items() <= fact.items()


@pytest.mark.parametrize("end", ["longest_win", "longest_loss"])
def test_a_longest_line_ends_as_it_says(end: str) -> None:
    for name, fact in every("whole"):
        rules, fight = game(name, **fact["options"]), fact[end]
        here = rules.read(fight["position"])
        mover = rules.seat(here)
        for text in fight["line"]:
            assert not rules.outcome(here)
            here = rules.after(here, text)
        outcome = rules.outcome(here)
        assert outcome
        assert (mover in outcome.winners) == (fight["result"] == "win")
        assert len(fight["line"]) == fight["plies"]


def test_the_counts_of_distances_are_those_of_the_values() -> None:
    for _name, fact in every("whole"):
        assert sum(fact["distances"]["win"]) == fact["won"]
        assert sum(fact["distances"]["loss"]) == fact["lost"]
        assert len(fact["distances"]["win"]) == fact["longest_win"]["plies"]


def test_the_line_of_a_certificate_is_won_by_who_is_said_to_win() -> None:
    for name, fact in every("certificate"):
        match: Match[Any] = Match(game(name, **fact["options"]))
        for text in fact["line"]:
            match.play(text)
        outcome = match.outcome()
        assert outcome
        assert fact["player"] - 1 in outcome.winners
        assert len(fact["line"]) == fact["longest"] == fact["within"]


def test_what_a_certificate_wins_is_refuted_within_fewer_plies() -> None:
    """Beside each proof of a whole game stands that it takes no less."""
    asked = [fact for _name, fact in every("proofs") if not fact["after"]]
    for _name, proof in every("certificate"):
        same = [f for f in asked if all(f[key] == proof[key] for key in ("options", "player"))]
        answers = {fact["within"]: fact["answer"] for fact in same}
        assert answers[proof["within"]] is True
        assert answers[proof["within"] - 1] is False


@pytest.mark.slow
def test_a_proof_that_takes_too_long_is_not_settled() -> None:
    rules = quinconce.game("diam")
    seen: list[float] = []
    start = rules.start()
    assert proof_fact(Claim(rules, start, 1, 20), False, 1, seen.append)["answer"] is None
    assert seen
    refuted = Claim(rules, rules.after(start, "r@1"), 0, 3)
    assert proof_fact(refuted, False, 10**6, seen.append)["answer"] is False


@pytest.mark.parametrize("quiet", ["4", "none"])
def test_endings_are_confirmed_by_the_plain_rules(quiet: str) -> None:
    table = endgame_table(quinconce.game("seega", quiet=quiet), 3)
    assert table
    assert check_table(table) == 2000


def test_an_ending_with_a_wrong_value_is_not_confirmed() -> None:
    rules = quinconce.game("seega", reach="step")
    table = endgame_table(rules, 3)
    assert table
    position = rules.read("ww.../...../...../...../....b turn=0 phase=2 duty=0")
    assert table.value(position) == value_from_moves(table, position) == Value("draw")
    kept = table.distances.copy()
    try:
        table.distances[table.distances == 0] = 3
        with pytest.raises(AssertionError):
            check_table(table)
    finally:
        table.distances[:] = kept


def test_the_shares_of_matches_are_in_their_intervals() -> None:
    facts = every("advantage")
    assert {(fact["level"], fact["opening"]) for _name, fact in facts} == set(DEFAULT_MATCHES)
    for name, fact in facts:
        sides = fact["sides"]
        assert len(sides) == len(game(name, **fact["options"]).sides)
        assert sum(side["won"] for side in sides) + fact["drawn"] == fact["games"] == 100
        assert sum(side["share"] for side in sides) == pytest.approx(1, abs=1e-3)
        for side in sides:
            assert 0 <= side["low"] <= side["share"] <= side["high"] <= 1


@pytest.mark.process
def test_matches_come_out_the_same_however_many_are_played_at_a_time() -> None:
    rules = quinconce.game("diadema")
    one, two = (advantage_fact(rules, 3, 2, 6, jobs, lambda share: None) for jobs in (1, 2))
    assert one == two
    assert sum(side["won"] for side in one["sides"]) + one["drawn"] == 6
