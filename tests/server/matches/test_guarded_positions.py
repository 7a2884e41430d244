"""Where people are at: a position is found in every disguise, and one move before and after it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from quinconce import Game, Match
from quinconce.core.registry import game, game_forms, names
from quinconce.server.matches.guarded_positions import (
    FIRST_PLY,
    MAX_MOVES,
    Line,
    canonical,
    guarded_form,
    is_near,
    next_positions,
)

FORMS = [form for name in names() for form in game_forms(name)]


def random_match(rules: Game[Any], plies: int, seed: int) -> Match[Any]:
    """A match after some random moves, or as many as there are."""
    chance, match = random.Random(seed), Match(rules)
    while len(match.moves) < plies and match.outcome() is None:
        match.play(chance.choice(sorted(move for move, _after in rules.moves(match.position))))
    return match


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: rules.form_id)
def test_every_disguise_of_a_position_is_found_and_another_position_is_not(
    rules: Game[Any],
) -> None:
    chance = random.Random(7)
    match = random_match(rules, FIRST_PLY + 3, 1)
    place = match.position
    guarded = [rules.write(canonical(rules, place))]
    for disguise in chance.sample(list(rules.disguises()), 4):
        assert is_near(Line(rules, [rules.image(disguise, place)], None), guarded)
    assert not is_near(Line(rules, match.positions[:3], None), guarded)


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: rules.form_id)
def test_a_position_one_move_before_or_after_is_found_where_moves_are_few(
    rules: Game[Any],
) -> None:
    match = random_match(rules, FIRST_PLY + 3, 2)
    before, place = match.positions[-2:]
    guarded = [rules.write(canonical(rules, place))]
    disguise = rules.symmetries()[-1]
    few = bool(next_positions(rules, before))
    assert is_near(Line(rules, [], rules.image(disguise, before)), guarded) is few
    for after in next_positions(rules, place)[:3]:
        assert is_near(Line(rules, [rules.image(disguise, after)], None), guarded)


def test_many_moves_tell_too_little_of_each() -> None:
    rules = game("seega", size="9")
    match = random_match(rules, FIRST_PLY, 3)
    moves = sum(1 for _move in rules.moves(match.position))
    assert moves > MAX_MOVES
    assert next_positions(rules, match.position) == []


def test_what_can_be_played_in_an_opening_is_everybodys() -> None:
    match = random_match(game("diam"), FIRST_PLY, 4)
    assert Line.of(match).last == match.position
    match.undo()
    assert Line.of(match).last is None
    set_up = Match(match.game, match.position)
    assert Line.of(set_up).last == match.position


def test_only_options_that_change_no_move_are_left_out_of_a_form() -> None:
    assert guarded_form(game("seega", quiet="41")) == guarded_form(game("seega"))
    for name in names():
        seen = {guarded_form(rules) for rules in game_forms(name)}
        kept = [option for option in game(name).options if option not in game(name).jam_options]
        assert len(seen) == len(
            {tuple(rules.chosen[option] for option in kept) for rules in game_forms(name)}
        )
