"""Levels 5, 7 and 9 as they were on 2026-11-17: opponents that stay the same in measurements."""

from __future__ import annotations

from typing import Final

from quinconce.engine.levels import Level, level_by_number
from quinconce.engine.match_runner import Player
from quinconce.engine.move_choice import pick_move

FIXED_LEVELS: Final = {
    5: Level(level_by_number(5).name, 400, noise=190, blindness=130),
    7: Level(level_by_number(7).name, 1800, noise=110, blindness=50),
    9: Level(level_by_number(9).name, 15_000, noise=30),
}


def fixed_player(number: int) -> Player:
    """A player of one of these levels."""
    level = FIXED_LEVELS[number]
    return lambda match, chance: pick_move(match, level, chance, None, 1)
