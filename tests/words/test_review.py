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
    win_in: int | None = None
    loses_in: int | None = None
    went_by: Any = None


SENTENCES = [
    (Judged(MOVE, BEST, "draw", "loss", "mistake"), "threw away a proven draw; F-5 held it."),
    (Judged(MOVE, BEST, "win", "draw", "mistake"), "threw away a proven win; F-5 kept it."),
    (Judged(MOVE, BEST, "win", "loss", "blunder"), "turned a proven win into a loss; F-5 kept it."),
    (
        Judged(MOVE, BEST, "win", None, "mistake"),
        "is a mistake; F-5 was better. It is proven that F-5 wins.",
    ),
    (Judged(MOVE, BEST, None, "loss", "blunder", loses_in=1), "loses to the very next move; F-5"),
    (Judged(MOVE, BEST, None, "loss", "blunder", loses_in=3), "loses in 2 moves; F-5 was better."),
    (
        Judged(MOVE, BEST, "win", "loss", "blunder", win_in=1, loses_in=3),
        "loses in 2 moves; F-5 was better. It was a proven win.",
    ),
    (
        Judged(MOVE, BEST, "loss", "loss", "blunder", loses_in=1),
        "loses to the very next move; F-5 was better. Against perfect play the game was lost",
    ),
    (
        Judged(MOVE, BEST, "loss", "loss", "mistake"),
        "is a mistake; F-5 was better. Against perfect play the game was lost before,",
    ),
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
    assert judgement_sentence(lost) == (
        "Against perfect play the game was lost before @C, and that is proven."
    )


def test_a_near_win_that_was_missed_and_a_proved_value_that_went_by_are_told() -> None:
    missed = Judged(proven_before="win", judgement="blunder", win_in=1)
    assert judgement_sentence(missed) == "F-5 won at once; @C let it go."
    assert "won in 2 moves" in judgement_sentence(missed._replace(win_in=3))
    quiet = Judged(proven_before="win", proven_after="loss", went_by="win")
    told = judgement_sentence(quiet)
    assert told == "A proven win went by, further ahead than one sees: F-5 kept it."
    assert Voice("fr")(told).startswith("Un gain prouvé")
    assert "draw went by" in judgement_sentence(quiet._replace(went_by="draw"))


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
