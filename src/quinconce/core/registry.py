"""The registry: a game is a file in the room of games, and is found by the file's name."""

from __future__ import annotations

import pkgutil
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any

from quinconce.core.game import Game
from quinconce.core.phrase import _, quote

GAMES_PACKAGE = "quinconce.games"


def names() -> list[str]:
    """The names of all games, sorted.

    >>> names()
    ['buts', 'diadema', 'diam', 'seega']
    """
    return sorted(
        module.name for module in pkgutil.iter_modules(import_module(GAMES_PACKAGE).__path__)
    )


def menu_names() -> list[str]:
    """The names of all games in the order in which a menu lists them."""
    return sorted(names(), key=lambda name: (game_class(name).menu_order, name))


def game_class(name: str) -> type[Game[Any]]:
    """The rules of a game by its name."""
    if name not in names():
        raise ValueError(
            _(
                "there is no game {name}: choose among {known}",
                name=quote(name),
                known=", ".join(names()),
            )
        )
    module = import_module(f"{GAMES_PACKAGE}.{name}")
    return next(
        thing
        for thing in vars(module).values()
        if isinstance(thing, type)
        and issubclass(thing, Game)
        and thing.__module__ == module.__name__
    )


def game(name: str, /, **options: object) -> Game[Any]:
    """A game with its options, each given as text or number.

    >>> game("diam", edition=1997)
    game('diam', edition='1997', players='2')
    """
    return game_class(name)(**options)


def game_forms(name: str) -> list[Game[Any]]:
    """A game in every combination of the values offered that a sheet has, the default first."""
    return list(forms_of_class(game_class(name)))


@cache
def forms_of_class(rules: type[Game[Any]]) -> tuple[Game[Any], ...]:
    """The same, made once: of some games there are hundreds."""
    found = []
    for values in product(*rules.options.values()):
        with suppress(ValueError):  # a combination no sheet has
            found.append(rules(**dict(zip(rules.options, values, strict=True))))
    return tuple(found)
