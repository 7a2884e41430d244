"""The engine as somebody who sits at the table: it loads what is proved while people think."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

from quinconce.core.errors import NoHostError
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.record import Seat
from quinconce.engine.levels import LAST_LEVEL


class Opponent:
    """The engine for one game."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.loading = threading.Thread(target=self._load, daemon=True)
        self.loading.start()

    def move(self, match: Match[Any], seat: Seat) -> str:
        """The move it plays in a seat that has a level."""
        assert seat.level is not None
        return self._choose(match, seat.level, seat.seed)

    def hint(self, match: Match[Any]) -> str:
        """The move it would advise anybody to play."""
        return self._choose(match, LAST_LEVEL, None)

    def would_stop(self, match: Match[Any], seat: int) -> bool:
        """Whether it agrees to stop: not if it thinks it is better."""
        from quinconce.engine.move_choice import accepts_offer  # slow to load

        self.loading.join()
        return accepts_offer(match, seat)

    def _choose(self, match: Match[Any], level: int, seed: int | None) -> str:
        from quinconce.engine import choose

        if level == LAST_LEVEL:
            self.loading.join()  # only full strength needs what is proved
        return choose(match, level, seed=seed)

    def _load(self) -> None:
        from quinconce.engine import prepare

        with suppress(NoHostError):  # whoever asks for a move is told
            prepare(self.game, informed=True)
