"""A game as a page or a program is told it: its words and its options."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from quinconce.core.game import Game
from quinconce.core.registry import game_class
from quinconce.engine.levels import LEVEL_NUMBERS
from quinconce.words import Voice


class OptionView(Struct, frozen=True):
    """An option of a game: every value offered with its meaning, the default first."""

    name: str
    label: str
    values: dict[str, str]
    numbers: list[int] | None  # the least and the greatest number that is offered too


class GameView(Struct, frozen=True):
    """A game as its page shows it."""

    name: str
    title: str
    summary: str
    how_to_write: str
    options: list[OptionView]
    levels: list[int]


def describe_options(rules: Game[Any], say: Voice, *, usual: bool = False) -> list[str]:
    """The options that were chosen, in words."""
    return [
        say(option.describe(rules.chosen[key]))
        for key, option in rules.options.items()
        if usual or rules.chosen[key] != option[0]
    ]


def game_view(name: str, say: Voice) -> GameView:
    """One game."""
    rules = game_class(name)
    options = [
        OptionView(
            key,
            say(option.label),
            {value: say(meaning) for value, meaning in option.meanings.items()},
            [option.numbers[0], option.numbers[-1]] if option.numbers else None,
        )
        for key, option in rules.options.items()
    ]
    return GameView(
        name,
        say(rules.title),
        say(rules.summary),
        say(rules.how_to_write),
        options,
        list(LEVEL_NUMBERS),
    )
