"""The forms of the games that benchmarks measure; importing this loads no compiled code."""

from __future__ import annotations

from typing import Any

from quinconce import Game
from quinconce.core.registry import game_forms, names


def measured_forms(wanted: list[str]) -> list[Game[Any]]:
    """The first form of each game, and those that differ from it in their first options."""
    found = [form for name in wanted or names() for form in game_forms(name)]
    first: dict[object, Game[Any]] = {}
    for form in found:
        first.setdefault((form.name, *list(form.chosen.values())[:2]), form)
    return list(first.values())
