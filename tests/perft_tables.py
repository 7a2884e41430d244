"""Perft figures found by independent programs: positions as options and moves, counts by depth."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import quinconce
from quinconce import perft
from quinconce.core.game import follow


class Count(NamedTuple):
    """So many sequences of exactly `depth` moves after these moves."""

    name: str
    options: dict[str, Any]
    after: str
    depth: int
    leaves: int

    def holds(self) -> None:
        game = quinconce.game(self.name, **self.options)
        position = follow(game, game.start(), self.after.split())
        assert perft(game, position, self.depth) == self.leaves


def counts(
    name: str, options: dict[str, Any], after: str, figures: str, most: int = 400_000
) -> Any:
    """One case a depth, as deep as the plain rules count in seconds."""
    leaves = [int(figure.replace(" ", "")) for figure in figures.split("  ")]
    return [
        pytest.param(
            Count(name, options, after, depth, count),
            id=f"{'-'.join(map(str, options.values()))}-{after[:12]}-{depth}",
        )
        for depth, count in enumerate(leaves, start=1)
        if count <= most
    ]
