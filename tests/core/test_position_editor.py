"""Positions that are set up piece by piece, in every game, whether the rules allow them or not."""

from __future__ import annotations

import random
from typing import Any

import pytest

from quinconce.core.game import EMPTY, Game
from quinconce.core.position_editor import clear_board, find_fault, put_piece
from quinconce.core.registry import game, game_forms, names
from quinconce.draw import picture

FORMS = [form for name in names() for form in game_forms(name)]


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: rules.form_id)
def test_every_position_can_be_set_up_from_an_empty_board(rules: Game[Any]) -> None:
    """Put pieces as a later position has them, bottom first: the editor gives that position."""
    chance, position = random.Random(5), rules.start()
    for _ in range(9):
        after = [end for _move, (_text, end) in zip(range(40), rules.moves(position), strict=False)]
        if not after:
            break
        position = chance.choice(after)
    draft = clear_board(position)
    assert set(draft.board) == {EMPTY}
    for place, letter in zip(rules.cells, position.board, strict=True):
        if letter != EMPTY:
            draft = put_piece(rules, draft, place, letter)
    assert draft == position
    assert find_fault(rules, draft) is None
    for place, letter in zip(rules.cells, position.board, strict=True):
        if letter != EMPTY:
            draft = put_piece(rules, draft, min(place, place.split(".")[0]), EMPTY)
    assert draft == clear_board(position)


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: rules.form_id)
def test_what_the_rules_forbid_is_drawn_all_the_same(rules: Game[Any]) -> None:
    chance = random.Random(7)
    for _ in range(5):
        draft = clear_board(rules.start())
        for _piece in range(2 * len(rules.cells)):
            draft = put_piece(
                rules, draft, chance.choice(rules.cells), chance.choice(rules.letters)
            )
        draft = draft._replace(turn=chance.randrange(len(rules.cycle)))
        assert picture(rules, draft).svg
        assert rules.parse(rules.write(draft)) == draft


@pytest.mark.parametrize("name", names())
def test_every_number_of_a_position_has_words_for_its_values(name: str) -> None:
    """An editor offers them: a game that knows more than the board and the turn says what it is."""
    rules = game(name)
    assert [field.name for field in rules.fields] == list(rules.start()._fields[2:])
    for field in rules.fields:
        assert getattr(rules.start(), field.name) in field.values
        assert list(field.values) == list(range(min(field.values), max(field.values) + 1))


def test_pieces_in_a_pile_lie_on_each_other() -> None:
    rules = game("diam")
    draft = put_piece(rules, rules.start(), "3.4", "r")  # falls
    draft = put_piece(rules, draft, "3", "m")
    draft = put_piece(rules, draft, "3", "o")
    assert rules.write(draft).startswith("..../..../rmo./")
    assert rules.write(put_piece(rules, draft, "3.1", EMPTY)).startswith("..../..../mo../")
    assert rules.write(put_piece(rules, draft, "3", EMPTY)).startswith("..../..../rm../")
    draft = put_piece(rules, draft, "3", "n")
    with pytest.raises(ValueError, match="the pile on 3 is full"):
        put_piece(rules, draft, "3", "r")
    assert rules.write(put_piece(rules, draft, "3.2", "o")).startswith("..../..../roon/")


def test_what_cannot_be_put_is_refused() -> None:
    rules = game("seega")
    for place, letter, why in [("a1", "x", "no piece"), ("z9", "w", "no place"), ("a1", "", "no")]:
        with pytest.raises(ValueError, match=why):
            put_piece(rules, rules.start(), place, letter)


@pytest.mark.parametrize(
    ("name", "position", "why"),
    [
        ("diam", "rrrr/r.../..../..../..../..../..../.... turn=0", "more than 4 red pawns"),
        ("buts", "/".join(["........"] * 8) + " turn=0", "there must be 8 white pawns"),
        ("seega", "w..../...../...../...../..... turn=0 phase=1 duty=0", "two at a time"),
        ("diadema", "ccccccc/....... turn=0", "more than 6 light balls"),
    ],
)
def test_the_rules_say_why_a_position_is_impossible(name: str, position: str, why: str) -> None:
    rules = game(name)
    assert why in str(find_fault(rules, rules.parse(position)))
