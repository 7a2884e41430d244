"""PettingZoo: the tests that it ships, its conventions, and what is not legal."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from corpus import NEAR_FORMS, form_id
from pettingzoo.test import api_test, bombardment_test, render_test, seed_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils import BaseWrapper

from quinconce.bridges.actions import VERSION, ActionError
from quinconce.bridges.pettingzoo import env, raw_env

# What PettingZoo warns of, except in the environments that it lists by name: a dictionary with a
# mask is what its own board games observe.
EXPECTED_WARNINGS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box"
    " or gymnasium.spaces.discrete",
}


@contextmanager
def only_expected_warnings(*others: str) -> Iterator[None]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    assert {str(warning.message) for warning in caught} <= EXPECTED_WARNINGS | {*others}


class ShapedDict(dict[str, Any]):
    """An observation whose shape can be asked for."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self["observation"].shape  # type: ignore[no-any-return]


class ReturnsObservations(BaseWrapper):  # type: ignore[misc]
    """What `bombardment_test` of PettingZoo 1.27 asks for, and its `api_test` forbids.

    It compares what `step` returns, and the shape of a whole observation: environments that
    PettingZoo ships as examples fail without this too.
    """

    def observe(self, agent: str) -> Any:
        return ShapedDict(super().observe(agent))

    def step(self, action: Any) -> Any:
        super().step(action)
        return self.observe(self.agent_selection)


def make(form: Any, make_env: Any = env, **settings: Any) -> Any:
    return make_env(form.name, **form.chosen, **settings)


def play_first(zoo: Any, steps: int) -> None:
    """Take the first legal action a number of times."""
    for _step in range(steps):
        zoo.step(int(np.flatnonzero(zoo.last()[0]["action_mask"])[0]))


@pytest.mark.slow
@pytest.mark.parametrize("make_env", [env, raw_env])
@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_the_interface_is_pettingzoos(form: Any, make_env: Any) -> None:
    with only_expected_warnings():
        api_test(make(form, make_env), num_cycles=60)


@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_seeds_make_the_same_game(form: Any) -> None:
    seed_test(lambda: make(form), num_cycles=20)


@pytest.mark.slow
@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_many_resets_do_no_harm(form: Any) -> None:
    with only_expected_warnings("Observations between agents are different classes"):
        bombardment_test(ReturnsObservations(make(form)), cycles=10)


@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_the_state_is_in_its_space(form: Any) -> None:
    zoo = make(form)
    check_state_space(zoo)
    check_state(zoo, 20)  # with actions that are not legal


@pytest.mark.slow
@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_every_render_mode_shows_the_game(form: Any) -> None:
    render_test(lambda **settings: make(form, **settings))


def test_pictures_of_a_game_have_one_size() -> None:
    zoo = env("diadema", render_mode="rgb_array")
    zoo.reset()
    first = zoo.render()
    play_first(zoo, 3)
    later = zoo.render()
    assert first.shape == later.shape == (*first.shape[:2], 3)
    assert (first != later).any()


def test_the_name_carries_the_version_of_the_specification() -> None:
    zoo = env("diam", players=3)
    assert zoo.metadata["name"] == str(zoo) == f"quinconce_diam_v{VERSION}"
    assert zoo.possible_agents == ["player_0", "player_1", "player_2"]


def test_masks_are_int8_and_only_of_the_agent_that_is_to_act() -> None:
    zoo = env("diam")
    zoo.reset()
    mask = zoo.last()[0]["action_mask"]
    assert mask.dtype == np.int8
    assert set(mask) == {0, 1}
    assert not zoo.observe("player_1")["action_mask"].any()
    assert np.array_equal(zoo.infos["player_0"]["action_mask"], mask)
    assert np.array_equal(zoo.unwrapped.action_masks(), mask)
    play_first(zoo, 2)
    assert zoo.infos["player_0"] == {}
    assert np.array_equal(zoo.infos["player_1"]["action_mask"], zoo.last()[0]["action_mask"])


def test_no_array_is_shared_between_two_calls() -> None:
    zoo = raw_env("diam")
    zoo.reset()
    for _step in range(3):
        first, again = zoo.observe(zoo.agent_selection), zoo.observe(zoo.agent_selection)
        info = zoo.infos[zoo.agent_selection]
        before = first["observation"].copy()
        again["observation"][:] = 9
        again["action_mask"][:] = 9
        info["action_mask"][:] = 9
        assert np.array_equal(zoo.observe(zoo.agent_selection)["observation"], before)
        assert zoo.observe(zoo.agent_selection)["action_mask"].max() == 1
        play_first(zoo, 1)
        assert zoo.infos[zoo.agent_selection] is not info


def test_an_illegal_action_ends_the_game_with_a_loss() -> None:
    zoo = env("diam")
    zoo.reset()
    illegal = int(np.flatnonzero(zoo.last()[0]["action_mask"] == 0)[0])
    zoo.step(illegal)
    assert not zoo.unwrapped.action_masks().any()
    ends = {}
    for agent in zoo.agent_iter():
        seen, reward, terminated, _truncated, info = zoo.last()
        assert terminated
        assert not info["action_mask"].any()
        assert not seen["action_mask"].any()
        ends[agent] = reward
        zoo.step(None)
    assert ends == {"player_0": -1.0, "player_1": 0}


@pytest.mark.parametrize("action", [-1, 45, 1.0, "3", None, True, [1], np.array([1]), np.zeros(45)])
def test_what_is_no_action_changes_nothing(action: Any) -> None:
    zoo = raw_env("diam")
    zoo.reset()
    with pytest.raises(ActionError, match=r"is no action: they go from 0 to 44"):
        zoo.step(action)
    assert zoo.agent_selection == "player_0"
    assert not zoo.episode.path
    wrapped = env("diam")
    wrapped.reset()
    with pytest.raises((AssertionError, IndexError, TypeError)):
        wrapped.step(-1 if action is True else action)
    assert not wrapped.unwrapped.episode.path


@pytest.mark.parametrize("action", [40, np.int8(40), np.int64(40), np.array(40)])
def test_any_whole_number_is_an_action(action: Any) -> None:
    zoo = raw_env("diam")
    zoo.reset()
    zoo.step(action)
    assert zoo.episode.path == (40,)


def test_an_action_that_is_not_legal_changes_nothing_without_wrappers() -> None:
    zoo = raw_env("diadema")
    zoo.reset()
    zoo.step(0)
    with pytest.raises(ActionError, match=r"action 0 \('A'\) is not legal now: choose among 1, 2"):
        zoo.step(0)
    assert zoo.episode.match.moves == ["@A"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"game": "diam", "size": 5}, "there is no option 'size'"),
        ({"game": "diam", "edition": 1998}, "option edition cannot be '1998'"),
        ({"game": "diam", "max_plies": 0}, "max_plies is '0'"),
        ({"game": "diam", "max_plies": "ten"}, "max_plies is 'ten'"),
        ({"game": "diam", "max_plies": True}, "max_plies is 'True'"),
        ({"game": "diam", "max_plies": 100_000_000}, "from 1 to 10,000,000, or None"),
        ({"game": "diam", "edition": True}, "option edition cannot be 'True'"),
        ({"game": "diam", "render_mode": "film"}, "there is no render mode 'film'"),
        ({"game": "diam", "render_mode": np.zeros(2)}, "there is no render mode"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        env(**settings)
