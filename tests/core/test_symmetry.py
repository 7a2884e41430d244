"""Symmetries: one of the symmetric positions stands for all, and like moves count once."""

from __future__ import annotations

from typing import Any

import pytest
from corpus import FORMS, form_id, sample_positions

import quinconce
from quinconce import Game
from quinconce.core.symmetry import canonical_position, distinct_moves, stabiliser

every_form = pytest.mark.parametrize("game", FORMS, ids=form_id)


@every_form
def test_symmetric_positions_have_one_canonical_position(game: Game[Any]) -> None:
    maps = game.symmetries()
    for position in sample_positions(game)[:6]:
        first = canonical_position(position, maps)
        images = [symmetry.image(position) for symmetry in maps]
        assert first in images
        assert {canonical_position(image, maps) for image in images[:8]} == {first}


@every_form
def test_the_canonical_position_has_the_first_text(game: Game[Any]) -> None:
    """The id of a puzzle is made of this text, and never changes."""
    for position in sample_positions(game):
        texts = [game.write(symmetry.image(position)) for symmetry in game.symmetries()]
        assert game.write(canonical_position(position, game.symmetries())) == min(texts)


@every_form
def test_the_stabiliser_leaves_a_position_as_it_is(game: Game[Any]) -> None:
    maps = game.symmetries()
    for position in [game.start(), *sample_positions(game)[:6]]:
        kept = stabiliser(position, maps)
        assert maps[0] in kept  # standing still
        assert all(symmetry.image(position) == position for symmetry in kept)
        orbit = {symmetry.image(position) for symmetry in maps}
        assert len(orbit) * len(kept) == len(maps)


@pytest.mark.parametrize(
    ("name", "expected"), [("diadema", [("@1", 7), ("@A", 7)]), ("diam", [("o@1", 16)])]
)
def test_moves_that_are_alike_count_once(name: str, expected: list[tuple[str, int]]) -> None:
    game = quinconce.game(name)
    start = game.start()
    found = distinct_moves(start, game.moves(start), game.symmetries())
    assert [(text, alike) for text, alike, _after in found] == expected
    assert all(game.after(start, text) == after for text, _alike, after in found)
