"""The engine as somebody who sits at the table: it gets ready in the background, then plays."""

from __future__ import annotations

import threading
from typing import Any

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.record import Seat


class Opponent:
    """The engine for one game; people can move while it is compiled."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.thread = threading.Thread(target=self._prepare, daemon=True)
        self.thread.start()

    def _prepare(self) -> None:
        from quinconce.engine import prepare  # Numba is slow to load

        prepare(self.game, informed=True)

    def wait_until_ready(self, seconds: float) -> bool:
        """Whether it can play, now or within some seconds."""
        self.thread.join(seconds)
        return not self.thread.is_alive()

    def move(self, match: Match[Any], seat: Seat) -> str:
        """The move it plays in a seat that has a level."""
        from quinconce.engine import choose

        assert seat.level is not None
        return choose(match, seat.level, seed=seat.seed)

    def hint(self, match: Match[Any]) -> str:
        """The move it would advise anybody to play."""
        from quinconce.engine import choose

        return choose(match)

    def would_stop(self, match: Match[Any], seat: int) -> bool:
        """Whether it agrees to stop: not if it thinks it is better."""
        from quinconce.engine.move_choice import accepts_offer

        return accepts_offer(match, seat)
