"""More moves than can be listed: refused, narrowed place by place, and one move checked alone."""

from __future__ import annotations

import pickle
import random
from itertools import islice
from typing import Any

import pytest
from corpus import FORMS, form_id, sample_positions
from many_moves import BEFORE_MANY, LEADS_TO_MANY, MANY, OPTIONS

import quinconce
from quinconce import Game, Match
from quinconce.core.board import begins_with, continuations
from quinconce.core.errors import (
    IllegalMoveError,
    InvalidMoveError,
    RecordError,
    TooManyMovesError,
)
from quinconce.core.move_input import parse_typed_move
from quinconce.core.move_limit import (
    MOVE_LIMIT,
    list_moves,
    narrow_moves,
    read_position,
    sample_moves,
)
from quinconce.core.record import Record, read_record


def crowded_match() -> Match[Any]:
    """A match in which White has more moves than can be listed."""
    rules = quinconce.game("seega", **OPTIONS)
    match = Match(rules, read_position(rules, BEFORE_MANY))
    match.play(LEADS_TO_MANY)
    return match


def test_moves_are_counted_no_further_than_the_limit() -> None:
    match = crowded_match()
    with pytest.raises(TooManyMovesError) as caught:
        match.legal()
    assert caught.value.counted == MOVE_LIMIT + 1
    assert str(MOVE_LIMIT + 1) in str(caught.value).replace(",", "")
    assert pickle.loads(pickle.dumps(caught.value)).counted == MOVE_LIMIT + 1


def test_the_start_of_every_game_can_be_listed() -> None:
    counts = [len(list_moves(form, form.start())) for form in FORMS]
    assert max(counts) == 3160 <= MOVE_LIMIT


def test_a_list_of_moves_belongs_to_whoever_asks() -> None:
    rules = quinconce.game("buts")
    first = list_moves(rules, rules.start())
    count = len(first)
    first.clear()
    assert len(list_moves(rules, rules.start())) == count > 0


def test_a_position_that_is_handed_in_has_moves_that_can_be_listed() -> None:
    rules = quinconce.game("seega", **OPTIONS)
    assert rules.read(MANY)  # as the program itself may have to: a match may have come there
    with pytest.raises(TooManyMovesError):
        read_position(rules, MANY)
    record = Record(rules, start=rules.read(MANY)).text()
    with pytest.raises(RecordError, match="too many moves"):
        read_record(record)


def test_a_move_is_played_though_the_others_cannot_be_listed() -> None:
    match = crowded_match()
    played = list(islice(match.game.moves(match.position), 200))
    chance = random.Random(1)
    for text, after in chance.sample(played, 20):
        assert match.play(text) == after
        assert match.undo() == text
        assert parse_typed_move(match.game, match.position, f" {text.upper()} ") == text
        with pytest.raises(IllegalMoveError, match="go on capturing"):
            match.play(text.rpartition("x")[0])
    for text, why in (
        ("@a1+b1", "all pawns have been placed"),
        ("~a1+b1", "only a blocked player"),
        ("a1-b1", "there is a capture to make"),
        ("pass", "only if there is no other move"),
    ):
        with pytest.raises(IllegalMoveError, match=why):
            match.play(parse_typed_move(match.game, match.position, text))
    with pytest.raises(InvalidMoveError):
        match.play("nonsense")


def test_a_record_that_comes_there_can_be_written_and_read() -> None:
    match = crowded_match()
    match.play(next(text for text, _after in match.game.moves(match.position)))
    record, replayed = read_record(Record.of(match).text())
    assert record.moves == tuple(match.moves)
    assert replayed.position == match.position


def test_touch_by_touch_the_moves_become_few_enough_to_list() -> None:
    match = crowded_match()
    game, position = match.game, match.position
    first = narrow_moves(game, position, ())
    assert (first.legal, first.move) == (None, None)
    assert first.places
    for chance in map(random.Random, range(4)):
        left, listed = first, False
        while left.places:
            before = left
            left = narrow_moves(game, position, (*left.touched, chance.choice(sorted(left.places))))
            assert left.legal is None or left.legal or left.move
            if listed and before.legal is not None:
                assert left.legal is not None
                assert left.legal.keys() <= before.legal.keys()
            listed = listed or left.legal is not None
        assert left.move is not None
        assert game.successor(position, left.move) is not None
    assert narrow_moves(game, position, ("e5", "e5")) == (("e5", "e5"), {}, frozenset(), None)
    assert narrow_moves(game, position, ("nowhere",)).legal == {}


def test_some_moves_of_every_first_place_stand_for_all() -> None:
    match = crowded_match()
    game, position = match.game, match.position
    some = sample_moves(game, position)
    assert len(some) <= MOVE_LIMIT
    assert {text.partition("x")[0] for text in some} == game.next_places(position, ())
    assert all(game.successor(position, text) == after for text, after in some.items())
    assert sample_moves(game, game.start()) == list_moves(game, game.start())


@pytest.mark.parametrize("form", FORMS, ids=form_id)
def test_narrowing_agrees_with_the_list_in_every_game(form: Game[Any]) -> None:
    chance = random.Random(form.form_id)
    for position in chance.sample(sample_positions(form), 10):
        legal = dict(islice(form.moves(position), 300))
        if len(legal) == 300:
            continue
        for text in chance.sample(sorted(legal), min(4, len(legal))):
            assert form.successor(position, text) == legal[text]
            path = [place for step in form.touches(text) for place in sorted(step)]
            for n in range(len(path) + 1):
                touched = path[:n]
                along = {
                    move: after
                    for move, after in legal.items()
                    if begins_with(form.touches(move), touched)
                }
                left = narrow_moves(form, position, touched)
                assert left.legal == along
                assert text in along
                assert left.places == {
                    place for move in along for place in continuations(form.touches(move), touched)
                }
        assert form.successor(position, "nonsense") is None
