"""OpenSpiel: the tests that it ships, parameters, structs, copies, and what is not legal."""

from __future__ import annotations

import json
import pickle
import random
from copy import copy, deepcopy
from typing import Any

import numpy as np
import pyspiel
import pytest
from corpus import FORMS, NEAR_FORMS, form_id
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from quinconce import Game, game
from quinconce.bridges.actions import VERSION
from quinconce.bridges.openspiel import parameters_of

SMALL_FORMS = [form for form in NEAR_FORMS if form.width < 9]
LARGE_FORMS = [pytest.param(form, marks=pytest.mark.long) for form in NEAR_FORMS if form.width == 9]


def load(form: Game[Any], max_plies: int = 200) -> Any:
    return pyspiel.load_game("quinconce", parameters_of(form, max_plies))


def random_state(form: Game[Any], actions: int) -> Any:
    chance, state = random.Random(form_id(form)), load(form).new_initial_state()
    for _action in range(actions):
        state.apply_action(chance.choice(state.legal_actions()))
    return state


@pytest.mark.slow
@pytest.mark.parametrize("form", [*SMALL_FORMS, *LARGE_FORMS], ids=form_id)
def test_random_games_pass_the_checks_of_openspiel(form: Any) -> None:
    pyspiel.random_sim_test(load(form), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("form", [*SMALL_FORMS, *LARGE_FORMS], ids=form_id)
def test_clones_pickles_and_texts_are_the_same_state(form: Any) -> None:
    from open_spiel.python.tests.games_sim_test import GamesSimTest  # loads every game there is

    GamesSimTest().sim_game(load(form, 60))


@pytest.mark.parametrize("form", FORMS, ids=form_id)
def test_parameters_load_every_form(form: Any) -> None:
    loaded = load(form)
    assert loaded.rules == form
    assert pyspiel.load_game(str(loaded)).rules == form
    even = len({len(side) for side in form.sides}) == 1 and len(form.sides) == 2
    zero_sum = loaded.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert zero_sum == even


def test_the_text_of_a_game_has_the_version_of_the_specification() -> None:
    assert load(game("diam")).get_parameters()["version"] == VERSION
    assert f"version={VERSION}" in str(load(game("diam")))


def test_a_game_is_loaded_by_a_short_text() -> None:
    loaded = pyspiel.load_game("quinconce(game=diam,edition=1997,players=4)")
    assert loaded.rules == game("diam", edition=1997, players=4)
    assert loaded.num_distinct_actions() == 45
    assert pyspiel.load_game("quinconce(game=seega,quiet=-1)").rules.quiet_limit is None
    assert pyspiel.load_game("quinconce(game=seega,quiet=7)").rules.quiet_limit == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("quinconce(game=chess)", "there is no game 'chess'"),
        ("quinconce(game=diam,size=5)", "there is no option 'size'"),
        ("quinconce(game=diam,edition=1998)", "option edition cannot be '1998'"),
        ("quinconce(game=seega,quiet=-2)", "option quiet cannot be '-2'"),
        ("quinconce(game=diam,max_plies=0)", "max_plies is '0'"),
        ("quinconce(game=diam,max_plies=100000000)", "from 1 to 10,000,000, or None"),
        ("quinconce(game=diam,version=7)", "have version 0 here, not '7'"),
        ("quinconce(game=diam,colour=red)", "Unknown parameter 'colour'"),
    ],
)
def test_parameters_that_cannot_be_are_refused(text: str, message: str) -> None:
    with pytest.raises((ValueError, pyspiel.SpielError), match=message):
        pyspiel.load_game(text)


@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_a_state_comes_back_from_its_struct(form: Any) -> None:
    state = random_state(form, 7)
    for struct in (state.to_struct(), state.to_dict(), state.to_json()):
        again = state.get_game().new_initial_state(struct)
        assert again.to_json() == state.to_json()
        assert again.legal_actions() == state.legal_actions()
        assert again.current_player() == state.current_player()


def test_a_state_from_a_struct_is_cloned_and_stored_with_what_came_before() -> None:
    loaded = load(game("diam"))
    state = loaded.new_initial_state({"moves": ["r@1", "m@2"], "touched": ["o"]})
    state.apply_action(state.legal_actions()[0])
    text = pyspiel.serialize_game_and_state(loaded, state)
    stored = pyspiel.deserialize_game_and_state(text)[1]
    for again in (state.clone(), stored, pickle.loads(pickle.dumps(state))):
        assert again.to_dict() == state.to_dict()
        again.apply_action(again.legal_actions()[0])
        assert again.to_dict() != state.to_dict(), "they are played on by themselves"


@pytest.mark.parametrize("make", [copy, deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_game_is_copied_and_pickled_to_play_elsewhere(make: Any) -> None:
    loaded = load(game("diam", edition=1997), 7)
    again = make(loaded)
    assert (again.rules, again.max_plies, str(again)) == (loaded.rules, 7, str(loaded))
    state = again.new_initial_state({"moves": ["r@1"], "touched": ["v"]})
    state.apply_action(state.legal_actions()[0])
    written = make_observation(again)
    written.set_from(state, 1)
    assert np.array_equal(written.dict["observation"], state.episode.observation(1))


@pytest.mark.parametrize(
    ("struct", "message"),
    [
        ({"moves": ["r@1", "r@1"]}, "the red reserve is not yours"),
        ({"moves": "r@1"}, "are lists"),
        ({"moves": [], "touched": ["z"]}, "there is no place 'z'"),
        ({"moves": [], "touched": ["m"]}, "is not legal now"),
        ({"moves": [], "touched": ["r", "1"]}, "the touches make a whole move"),
        ({"moves": [], "start": "nothing"}, "is not a position"),
        ({"moves": [], "position": "other"}, "not to 'other'"),
        ({"moves": [], "game": "buts"}, "another game"),
        ({"moves": [], "options": {"edition": "1997", "players": "2"}}, "another game"),
        ({"moves": [], "current_player": 1}, "the player to move is 0, not '1'"),
        ({"current_player": 1}, "tells no state"),
        ({"mvs": ["r@1"]}, "tells no state"),
        ({"moves": [], "mvs": ["r@1"]}, "tells no state: it has moves, and nothing but game,"),
        ({}, "tells no state"),
        ([1, 2], "tells no state"),
        ("", "'' tells no state"),
        ("{moves", "'{moves' tells no state"),
        ("[" * 100_000, "tells no state"),
    ],
)
def test_a_struct_that_tells_no_state_is_refused(struct: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load(game("diam")).new_initial_state(struct)


def test_actions_have_structs() -> None:
    state = load(game("diam")).new_initial_state()
    touch = state.action_to_struct(0, 40)
    assert json.loads(touch.to_json()) == {"touch": "r"}
    assert state.struct_to_actions(touch) == [40]
    assert state.apply_action_struct(touch).ok()
    assert not state.validate_action_struct(touch).ok()
    seen = json.loads(state.to_observation_struct(1).to_json())
    assert (seen["player"], seen["current_player"], seen["touched"]) == (1, 0, ["r"])


@pytest.mark.parametrize("action", [0, -1, 44, 99])
def test_an_illegal_action_is_refused_and_changes_nothing(action: int) -> None:
    state = load(game("diam")).new_initial_state()
    state.apply_action(40)
    state.apply_action(5)
    before, history = str(state), state.history()
    with pytest.raises((ValueError, pyspiel.SpielError), match="action"):
        state.apply_action(action)
    with pytest.raises((ValueError, pyspiel.SpielError), match="action"):
        state.apply_action_with_legality_check(action)
    assert (str(state), state.history()) == (before, history)
    assert state.clone().history() == history


def test_tensors_are_the_planes_as_the_player_sees_them() -> None:
    state = random_state(game("diam"), 5)
    for kind in (None, INFO_STATE_OBS_TYPE):
        written = make_observation(state.get_game(), kind)
        for player in (0, 1):
            written.set_from(state, player)
            planes = state.episode.observation(player)
            assert np.array_equal(written.dict["observation"], planes)
            assert np.array_equal(state.observation_tensor(player), planes.ravel())
            assert np.array_equal(state.information_state_tensor(player), planes.ravel())
    assert state.information_state_string(0) == state.history_str()
    assert state.observation_string(0) == str(state)


def test_a_game_that_is_stopped_is_a_draw() -> None:
    state = load(game("diam"), max_plies=1).new_initial_state()
    state.apply_action(40)
    state.apply_action(0)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    assert state.legal_actions() == []
