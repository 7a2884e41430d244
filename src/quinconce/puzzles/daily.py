"""The puzzle of a day: the same for everybody, by the date in UTC."""

from __future__ import annotations

import datetime
import hashlib
from typing import Any

from quinconce.core.game import Game
from quinconce.puzzles.puzzle import Puzzle, puzzles_for


def today() -> datetime.date:
    """The date in UTC."""
    return datetime.datetime.now(datetime.UTC).date()


def daily_puzzle(rules: Game[Any], day: datetime.date) -> Puzzle | None:
    """The puzzle of a day for a game with its options; None if it has no puzzles.

    Every puzzle comes once before one comes again, and each time in another order.
    """
    found = puzzles_for(rules)
    if not found:
        return None
    turn, place = divmod(day.toordinal(), len(found))
    return sorted(found, key=lambda each: order_key(turn, each))[place]


def order_key(turn: int, puzzle: Puzzle) -> bytes:
    """Where a puzzle stands the nth time that all of them come: as if drawn by lot."""
    return hashlib.sha256(f"{turn} {puzzle.id}".encode()).digest()
