"""Gymnasium: the test that it ships, its conventions, and who plays the other seats."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from corpus import NEAR_FORMS, form_id
from gymnasium.utils.env_checker import check_env

from quinconce.bridges.actions import VERSION
from quinconce.bridges.gymnasium import OpponentEnv, environment_id


def first_legal(_observation: Any, mask: Any) -> int:
    return int(np.flatnonzero(mask)[0])


def make(form: Any, **settings: Any) -> Any:
    return gymnasium.make(environment_id(form.name), **form.chosen, **settings)


@pytest.mark.slow
@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_the_interface_is_gymnasiums(form: Any) -> None:
    check_env(make(form, policy=first_legal, seat=None).unwrapped)


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_the_engine_plays_the_other_seat(seat: int) -> None:
    env = make(NEAR_FORMS[1], seat=seat, level=2)
    moves = []
    for _game in range(2):
        _seen, info = env.reset(seed=3)
        ended, reward = False, 0.0
        while not ended:
            action = first_legal(None, info["action_mask"])
            _seen, reward, ended, truncated, info = env.step(action)
            assert type(ended) is type(truncated) is bool
        match = env.unwrapped.episode.match
        moves.append(match.moves)
        assert reward == (1.0 if seat in match.outcome().winners else -1.0)
        assert not info["action_mask"].any()
    assert moves[0] == moves[1], "the same seed makes the same game"


def test_the_environments_carry_the_version_of_the_specification() -> None:
    assert environment_id("diam") == f"quinconce/diam-v{VERSION}"
    assert isinstance(gymnasium.make("quinconce/diam-v0").unwrapped, OpponentEnv)


def test_the_others_play_until_it_is_the_learners_turn() -> None:
    env = OpponentEnv("diam", players=4, policy=first_legal, seat=3)
    seen, info = env.reset(seed=1)
    assert env.episode.match.moves == ["r@1", "m@1", "1.1-2"]
    assert info["seat"] == 3
    assert seen[-1, 0] == 3
    assert np.array_equal(info["action_mask"], env.action_masks())


def test_a_learner_whose_turn_never_comes_is_not_blamed() -> None:
    env = OpponentEnv("diam", players=4, policy=first_legal, seat=3, max_plies=2)
    _seen, info = env.reset(seed=1)
    assert not info["action_mask"].any()
    _seen, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["illegal"]) == (0.0, False, True, False)


def test_a_seat_is_drawn_where_none_is_given() -> None:
    env = OpponentEnv("diadema", policy=first_legal, seat=None)
    drawn = {env.reset(seed=seed)[1]["seat"] for seed in range(20)}
    assert drawn == {0, 1}


def test_an_illegal_action_ends_the_episode_and_leaves_the_match_alone() -> None:
    env = OpponentEnv("diadema", policy=first_legal)
    env.reset(seed=1)
    _seen, reward, terminated, truncated, info = env.step(np.int64(16))
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    assert not info["action_mask"].any()
    assert not env.episode.match.moves
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


@pytest.mark.parametrize("action", [-1, 17, 1.0, "3", None, True, np.array([1]), np.zeros(17)])
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = OpponentEnv("diadema", policy=first_legal)
    env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match="is no action: they go from 0 to 16"):
        env.step(action)
    assert not env.episode.match.moves


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"level": 0}, "'0' is not a level"),
        ({"level": 11}, "'11' is not a level"),
        ({"level": True}, "'True' is not a level"),
        ({"seat": 2}, "there is no seat '2'"),
        ({"seat": True}, "there is no seat 'True'"),
        ({"seat": 0.0}, "there is no seat '0.0'"),
        ({"policy": 3}, "'3' is no policy"),
        ({"policy": "random"}, "'random' is no policy"),
        ({"size": 5}, "there is no option 'size'"),
        ({"render_mode": "film"}, "there is no render mode 'film'"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        OpponentEnv("diadema", **settings)


def test_a_policy_that_breaks_the_rules_is_an_error() -> None:
    env = OpponentEnv("diadema", policy=lambda _observation, _mask: 16, seat=1)
    with pytest.raises(ValueError, match="is not legal now"):
        env.reset(seed=1)


def test_levels_and_options_may_be_numbers_of_numpys() -> None:
    env = OpponentEnv("diam", edition=np.int64(1997), level=np.int8(3))  # type: ignore[arg-type]
    assert (env.game.chosen["edition"], env.level) == ("1997", 3)
    env.reset(seed=1)


def test_an_opponent_that_fails_leaves_the_episode_as_it_was() -> None:
    """In Diam with four players one opponent has answered when the next one fails."""
    fails = False

    def policy(observation: Any, mask: Any) -> int:
        if fails and observation[-1, 0] == 2:
            raise KeyboardInterrupt
        return first_legal(observation, mask)

    env = OpponentEnv("diam", players=4, policy=policy, seat=0)
    _seen, info = env.reset(seed=1)
    env.step(first_legal(None, info["action_mask"]))
    before, mask = env.episode.observation(0), env.action_masks()
    assert env.episode.path
    fails = True
    with pytest.raises(KeyboardInterrupt):
        env.step(first_legal(None, mask))
    assert not env.episode.match.moves
    assert np.array_equal(env.episode.observation(0), before)
    assert np.array_equal(env.action_masks(), mask)
    fails = False
    *_rest, info = env.step(first_legal(None, mask))
    assert env.episode.seat == info["seat"] == 0
    assert len(env.episode.match.moves) == 4


def test_there_is_no_episode_if_the_opponent_fails_before_it_begins() -> None:
    env = OpponentEnv("diadema", policy=lambda _observation, _mask: 16, seat=1)
    with pytest.raises(ValueError, match="is not legal now"):
        env.reset(seed=1)
    assert not env.action_masks().any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(3)
