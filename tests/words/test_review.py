"""What a review says of a move: what is proved first, then what the engine thinks."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from quinconce.words import Voice
from quinconce.words.review import (
    JUDGEMENTS,
    MARKS,
    attempt_sentence,
    is_better,
    judgement_sentence,
)

MOVE, BEST = "@C", "F-5"


class Judged(NamedTuple):
    move: str = MOVE
    best: str | None = BEST
    proven_before: Any = None
    proven_after: Any = None
    judgement: Any = None
    only_move: bool = False


SENTENCES = [
    (Judged(MOVE, BEST, "draw", "loss", "mistake"), "threw away a proven draw; F-5 held it."),
    (Judged(MOVE, BEST, "win", "draw", "mistake"), "threw away a proven win; F-5 kept it."),
    (Judged(MOVE, BEST, "win", "loss", "blunder"), "turned a proven win into a loss; F-5 kept it."),
    (Judged(MOVE, BEST, "win", None, "mistake"), "let a win go; F-5 was proven to win."),
    (Judged(MOVE, BEST, None, None, "inaccuracy"), "is inaccurate; F-5 was better."),
    (Judged(MOVE, BEST, None, None, "blunder"), "is a blunder; F-5 was much better."),
    (Judged(MOVE, BEST, "win", "win"), "keeps a proven win."),
    (Judged(MOVE, BEST, "draw", "draw", None, True), "is the only move that holds the draw,"),
    (Judged(MOVE, BEST, None, None), "is good; the engine would play F-5."),
]


@pytest.mark.parametrize(("judged", "told"), SENTENCES, ids=lambda each: str(each)[:40])
def test_a_sentence_says_what_was_thrown_away_or_kept(judged: Judged, told: str) -> None:
    sentence = judgement_sentence(judged)
    assert sentence.startswith(f"@C {told}")
    french = Voice("fr")(sentence)
    assert french != sentence
    assert french.startswith("@C ")


def test_after_an_unproved_position_a_proved_loss_is_told() -> None:
    judged = Judged(proven_after="loss", judgement="blunder")
    assert "lost, and that is proven; F-5" in judgement_sentence(judged)
    lost = Judged(proven_before="loss", proven_after="loss")
    assert judgement_sentence(lost).startswith("Before @C the game was lost already")


def test_every_judgement_has_a_mark() -> None:
    assert MARKS.keys() == set(JUDGEMENTS)


def test_who_tries_another_move_is_told_whether_it_is_better() -> None:
    better = Judged(proven_before="draw", proven_after="draw")
    assert is_better(better, "@A")
    assert attempt_sentence(better, "@A") == "Yes: @C holds the draw, and that is proven."
    assert not is_better(better, "@C")
    assert "what was played" in attempt_sentence(better, "@C")
    worse = Judged(proven_before="draw", proven_after="loss", judgement="mistake")
    assert attempt_sentence(worse, "@A") == "@C throws the draw away too: try something else."
    assert not is_better(worse, "@A")
