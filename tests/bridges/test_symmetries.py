"""A symmetry of the rules is one of observations and masks: the image of what is seen is seen."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from corpus import NEAR_FORMS, form_id, positions

import quinconce
from quinconce import Game, Match
from quinconce.bridges.episode import Episode
from quinconce.bridges.symmetries import augmentation_of


@pytest.mark.parametrize("game", NEAR_FORMS, ids=form_id)
def test_what_is_seen_of_an_image_is_the_image_of_what_is_seen(game: Game[Any]) -> None:
    chance, found = random.Random(f"symmetry {form_id(game)}"), augmentation_of(game)
    for position in positions(game, chance, 12):
        number = chance.randrange(found.count)
        here = Episode(game, match=Match(game, position))
        image = Match(game, found.symmetries[number].image(position))
        there = Episode(game, match=image)
        for _touch in range(3):
            for seat in range(game.seats):
                seen = found.observations(number, here.observation(seat))
                other = found.symmetries[number].seats[seat]
                np.testing.assert_array_equal(seen, there.observation(other))
            np.testing.assert_array_equal(found.by_action(number, here.mask()), there.mask())
            if here.over:
                break
            action = chance.choice(here.legal_actions())
            here.touch(action)
            there.touch(int(found.actions[number, action]))


def test_many_observations_at_once_and_number_0_changes_nothing() -> None:
    game = quinconce.game("diam", players=4)
    found = augmentation_of(game)
    episode, seen = Episode(game), []
    for action in (40, 0, 42, 5):
        seen.append(episode.observation(episode.seat))
        episode.touch(action)
    batch = np.array(seen)
    np.testing.assert_array_equal(found.observations(0, batch), batch)
    for number in range(found.count):
        turned = found.observations(number, batch)
        for one, image in zip(batch, turned, strict=True):
            np.testing.assert_array_equal(found.observations(number, one), image)


@pytest.mark.parametrize("number", [-1, 28, 1000, 1.0, True, "1"])
def test_a_symmetry_that_does_not_exist_is_refused(number: Any) -> None:
    found = augmentation_of(quinconce.game("diadema"))
    with pytest.raises(ValueError, match="no symmetry"):
        found.by_action(number, np.zeros(17))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.uint8])
def test_observations_of_any_dtype_keep_it(dtype: Any) -> None:
    found = augmentation_of("diadema")
    episode = Episode("diadema")
    seen = np.array([episode.observation(seat) for seat in range(2)])
    turned = found.observations(3, seen.astype(dtype))
    assert turned.dtype == dtype
    np.testing.assert_array_equal(turned, found.observations(3, seen))


def test_observations_that_were_scaled_are_refused() -> None:
    found = augmentation_of("diadema")
    seen = Episode("diadema").observation(1).astype(np.float32)
    for wrong in (seen / 127, seen + 1, seen * np.nan):
        with pytest.raises(ValueError, match="before they are scaled"):
            found.observations(3, wrong)


def test_arrays_of_another_game_are_refused() -> None:
    found = augmentation_of(quinconce.game("diadema"))
    with pytest.raises(ValueError, match="shape"):
        found.observations(1, np.zeros((4, 9, 27), np.int8))
    with pytest.raises(ValueError, match="17 actions"):
        found.by_action(1, np.zeros((4, 18)))
