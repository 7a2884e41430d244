"""Openings that are even: where a game is solved, those that are neither won nor lost."""

from __future__ import annotations

from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.value import Value
from quinconce.engine.match_runner import OpeningFilter, any_opening
from quinconce.solvers.retrograde import solution

EVEN: Final = Value("draw")


def even_openings(game: Game[Any]) -> OpeningFilter:
    """Lets only drawn openings be played where a game is solved and drawn; else any."""
    found = solution(game)
    if found is None or found.value(game.start()) != EVEN:
        return any_opening

    def is_even(match: Match[Any]) -> bool:
        return found.value(match.position) == EVEN

    return is_even
