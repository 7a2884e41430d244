"""The ten levels: each form of a game has its own, from a beginner to full strength."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from corpus import FORMS, form_id

from quinconce import Game
from quinconce.engine.levels import (
    LEVELS,
    SKILLS,
    UNRATED,
    Skill,
    level_by_number,
    levels_of,
    read_places,
    skill_at,
)

every_form = pytest.mark.parametrize("game", FORMS, ids=form_id)


@every_form
def test_there_are_ten_levels_the_last_with_a_second(game: Game[Any]) -> None:
    *limited, last = levels_of(game.form_id)
    assert len(limited) == 9
    assert last.seconds == 1.0
    assert last.is_full_strength
    assert all(level.nodes and level.seconds is None for level in limited)


@every_form
def test_from_the_third_level_on_every_answer_to_a_move_is_seen(game: Game[Any]) -> None:
    for level in levels_of(game.form_id)[2:]:
        assert level.blind_from_ply >= 2
        assert level.attention is None


@every_form
def test_each_level_sees_more_than_the_one_below(game: Game[Any]) -> None:
    for below, above in pairwise(levels_of(game.form_id)[:-1]):
        assert below.nodes
        assert above.nodes
        assert below.nodes <= above.nodes
        assert below.blindness >= above.blindness
    for below, above in pairwise(levels_of(game.form_id)[2:-1]):  # those that see every answer
        assert below.noise >= above.noise
        assert below != above


def test_levels_have_the_same_names_in_every_game() -> None:
    names = [level.name for level in LEVELS]
    assert all([level.name for level in levels_of(game.form_id)] == names for game in FORMS)


def test_places_are_those_of_forms_there_are_and_lie_on_the_way() -> None:
    forms = [game.form_id for game in FORMS]
    for start, places in read_places().items():
        assert any(form.startswith(start) for form in forms)
        assert len(places) == 9
        assert places == sorted(places)
        assert 0 <= places[0] < places[-1] <= len(SKILLS) - 1


def test_a_form_has_the_places_of_the_longest_beginning_of_its_name() -> None:
    known = read_places()
    assert "diam-2003" in known
    assert levels_of("diam-2003-2") == levels_of("diam-2003") != levels_of("diam-1997")
    assert levels_of("a game of tomorrow") == levels_of(UNRATED) == LEVELS
    assert level_by_number(4, "diam-2003-2") == levels_of("diam-2003")[3]


@pytest.mark.parametrize("mark", range(len(SKILLS)))
def test_a_whole_place_is_a_mark(mark: int) -> None:
    assert skill_at(mark) == SKILLS[mark]


def test_a_skill_between_two_marks_is_between_them() -> None:
    assert skill_at(13.5) == Skill(24_495, 21, 0)
    assert skill_at(0.5) == Skill(69, 2000, 330, blind_from_ply=1, attention=160)
