"""The quick canonical form of Diam is the first of all images, by which checkpoints are kept."""

from __future__ import annotations

import random
from typing import Any

import pytest
from corpus import FORMS, form_id, positions

from quinconce import Game
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for

SEVERAL = [game for game in FORMS if game.name == "diam" and game.seats > 2]


@pytest.mark.parametrize("game", SEVERAL, ids=form_id)
def test_the_canonical_form_is_the_first_image(game: Game[Any]) -> None:
    """A stored table names positions by it: another form would make the table worthless."""
    kernel = kernel_for(game)
    seen = set()
    for position in [game.start(), *positions(game, random.Random(f"{game}"), 200)]:
        state = kernel.encode(position)
        images = [tuple(calls.image(state, n)) for n in range(calls.image_count(state))]
        assert tuple(calls.canonical(state)) == min(images), game.write(position)
        seen.add(len(set(images)))
    assert len(seen) > 1  # some positions have symmetries of their own
