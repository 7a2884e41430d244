"""Moves that a symmetry turns into each other, so that each is told once."""

from __future__ import annotations

from typing import Any

from quinconce.core.game import Game
from quinconce.core.symmetry import Symmetry


def distinct_moves(game: Game[Any]) -> list[tuple[str, int, Any]]:
    """Of the moves of the start that are alike, the first, how many there are, where it leads."""
    start = game.start()
    kept = [each for each in game.symmetries() if game.image(each, start) == start]
    classes: dict[Any, list[tuple[str, Any]]] = {}
    for text, after in sorted(game.moves(start)):
        classes.setdefault(canonical_position(game, kept, after), []).append((text, after))
    return [(*alike[0][:1], len(alike), alike[0][1]) for alike in classes.values()]


def canonical_position(game: Game[Any], symmetries: list[Symmetry], position: Any) -> Any:
    """The first in plain order of all that a position can be turned into."""
    return min(game.image(symmetry, position) for symmetry in symmetries)
