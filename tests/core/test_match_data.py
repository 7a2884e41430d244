"""A match as plain data, and replaying one: the same match comes back."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest
from corpus import FORMS, form_id, random_match

import quinconce
from quinconce import Game, InvalidMoveError
from quinconce.core.errors import phrase_of
from quinconce.core.match import MatchData, replay
from quinconce.core.move_input import play_typed
from quinconce.core.option import options_text, parse_options


@pytest.mark.parametrize("game", FORMS, ids=form_id)
def test_a_match_comes_back_from_its_data(game: Game[Any]) -> None:
    match = random_match(game, random.Random(form_id(game)), 12)
    data = MatchData.of(match)
    assert data.start is None
    assert pickle.loads(pickle.dumps(data)) == data
    assert {data: 1}[MatchData.of(match)] == 1
    again = data.match()
    assert (again.game, again.moves, again.positions) == (game, match.moves, match.positions)


def test_a_start_is_written_only_if_it_is_not_the_games_own() -> None:
    diam = quinconce.game("diam")
    later = diam.write(diam.after(diam.start(), "r@1"))
    assert MatchData.of(replay(diam, later)).start == later
    assert MatchData.of(replay(diam, later)) != MatchData.of(replay(diam, None, ["r@1"]))
    assert MatchData.of(replay(diam, diam.write(diam.start()))).start is None


def test_replay_takes_exact_moves_and_play_typed_any_spelling() -> None:
    diam = quinconce.game("diam")
    with pytest.raises(InvalidMoveError):
        replay(diam, None, ["R @ 1"])
    match = replay(diam)
    play_typed(match, ["R@1", "m@ 1"])
    assert match.moves == ["r@1", "m@1"]


@pytest.mark.parametrize("game", FORMS, ids=form_id)
def test_options_are_written_and_read(game: Game[Any]) -> None:
    text = options_text(game.chosen)
    assert parse_options(text.split()) == game.chosen


def test_options_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(ValueError, match="not like key=value"):
        parse_options(["players"])
    with pytest.raises(ValueError, match="given twice"):
        parse_options(["players=2", "players=3"])


def test_an_error_for_people_has_a_phrase_and_a_defect_has_none() -> None:
    with pytest.raises(ValueError, match="no game") as refused:
        quinconce.game("chess")
    assert phrase_of(refused.value) == refused.value.args[0]
    assert phrase_of(ValueError("a defect")) is None
    assert phrase_of(KeyError()) is None


def test_a_board_is_made_once_a_game() -> None:
    for game in FORMS:
        assert game.board() is game.board()
        assert pickle.loads(pickle.dumps(game)).board() == game.board()
