"""Options: text or number, the default, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import quinconce


@pytest.mark.parametrize("value", [2, "2"])
def test_text_and_number_are_the_same(value: Any) -> None:
    assert quinconce.game("diam", players=value).chosen == {"edition": "2003", "players": "2"}


def test_the_default_stands_first() -> None:
    for name in quinconce.names():
        game = quinconce.game(name)
        assert game.chosen == {key: option[0] for key, option in game.options.items()}


@pytest.mark.parametrize("value", ["", " 2", "02", "2.0", 2.0, None, True, b"2", [2], "²", 5, -2])
def test_what_is_not_offered_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="option players cannot be"):
        quinconce.game("diam", players=value)


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="choose among edition, players"):
        quinconce.game("diam", colour="red")
    with pytest.raises(ValueError, match="this game has none"):
        quinconce.game("buts", size=8)
