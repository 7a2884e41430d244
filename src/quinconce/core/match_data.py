"""A match as plain data: what is sent to a worker process, and a key of caches."""

from __future__ import annotations

from typing import Any, NamedTuple

from quinconce.core.game import Game
from quinconce.core.match import Match, replay
from quinconce.core.registry import game


class MatchData(NamedTuple):
    """A game, its options, a start and the moves, all as text."""

    game: str
    options: tuple[tuple[str, str], ...] = ()
    start: str | None = None  # None for the game's own start
    moves: tuple[str, ...] = ()

    @classmethod
    def of(cls, match: Match[Any]) -> MatchData:
        """The data of a match; what was said beside the board is not part of it."""
        rules = match.game
        start = None if match.start == rules.start() else rules.write(match.start)
        return cls(rules.name, tuple(rules.chosen.items()), start, tuple(match.moves))

    def rules(self) -> Game[Any]:
        """The game with its options."""
        return game(self.game, **dict(self.options))

    def match(self) -> Match[Any]:
        """The match, replayed; ValueError if it cannot be."""
        return replay(self.rules(), self.start, self.moves)
