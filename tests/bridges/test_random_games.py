"""Random games through every bridge end as the plain rules say, move for move."""

from __future__ import annotations

import random
from typing import Any

import pytest
from bridged_game import BridgedGame
from corpus import FORMS, NEAR_FORMS, form_id, game_count

from quinconce import game

MAX_PLIES = 3000


@pytest.mark.slow
@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_a_random_game_is_the_same_in_every_bridge(form: Any) -> None:
    BridgedGame(form, random.Random(form_id(form)), MAX_PLIES).play()


@pytest.mark.long
@pytest.mark.parametrize(
    ("form", "ten"),
    [
        pytest.param(form, ten, id=f"{form_id(form)}-{ten}")
        for form in FORMS
        for ten in range(game_count(form) // 10)
    ],
)
def test_a_hundred_random_games_are_the_same_in_every_bridge(form: Any, ten: int) -> None:
    chance = random.Random(f"{form_id(form)} {ten}")
    ends = [BridgedGame(form, chance, MAX_PLIES).play() for _game in range(10)]
    assert any(ends)


def test_a_game_that_lasts_too_long_is_stopped_and_pays_nothing() -> None:
    for form in (game("buts"), game("diam", players=4)):
        assert BridgedGame(form, random.Random(1), 5).play() is None
