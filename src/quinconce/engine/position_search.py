"""The interface that the two kinds of search share: deepen, stop, and tell what was found."""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from typing import Any

from quinconce.core.match import Match
from quinconce.engine.limits import Limits
from quinconce.engine.principal_variation import Line
from quinconce.engine.root_moves import legal_root_moves, without_overlooked
from quinconce.engine.workspace import Weakness
from quinconce.kernels.kernel import kernel_for


class PositionSearch(ABC):
    """The search of one position. It deepens when it is told to, and can be stopped any time."""

    def __init__(self, match: Match[Any], limits: Limits, weakness: Weakness) -> None:
        self.started = time.monotonic()
        self.first_depth_done = False
        self.stop_requested = False
        self.game = match.game
        self.kernel = kernel_for(match.game)
        self.limits = limits
        self.depth = 0  # plies or rounds, the one that is being searched too
        self.root_moves = without_overlooked(weakness, legal_root_moves(match, self.kernel))

    @property
    @abstractmethod
    def nodes(self) -> int:
        """Positions searched so far, by all threads."""

    @property
    @abstractmethod
    def depth_reached(self) -> int:
        """How deep the search has come."""

    @abstractmethod
    def shuffle_equal_moves(self, chance: random.Random) -> None:
        """Let chance choose between equal moves."""

    def keep_moves(self, most: int, chance: random.Random) -> None:
        """Look at no more than a number of moves, which chance chooses where there are more."""
        if most < len(self.root_moves):
            self.root_moves = chance.sample(self.root_moves, most)

    @abstractmethod
    def deepen(self, lines: int) -> bool:
        """Search deeper for a number of best moves; False if that was stopped half way."""

    def stop(self) -> None:
        """Let `deepen`, which another thread has called, return; the first depth it finishes.

        So no move is ever played without thought, however late it is when the search begins.
        """
        self.stop_requested = True
        if self.first_depth_done:
            self.interrupt()

    def finish_depth(self) -> None:
        """Called after every depth: a stop that came during the first one is carried out."""
        self.first_depth_done = True
        if self.stop_requested:
            self.interrupt()

    @abstractmethod
    def interrupt(self) -> None:
        """Let `deepen` return at once, now and whenever it is called again."""

    @abstractmethod
    def resume(self, nodes: int | None = None) -> None:
        """Go on after a stop, with as many nodes more as are given, within the limits.

        A depth that was stopped half way is searched again from its first move: what the table or
        the tree remembers of it costs little.
        """

    @abstractmethod
    def is_final(self, lines: int = 1) -> bool:
        """Whether searching deeper cannot change anything, or is beyond what a search can do."""

    @abstractmethod
    def lines(self, most: int) -> tuple[Line, ...]:
        """What is known now, the best first."""

    def side_shares(self) -> tuple[float, ...]:
        """What each side may expect after the best move, among more than two sides; else empty."""
        return ()

    @abstractmethod
    def warm_up(self) -> None:
        """Do everything once, so that all of it is compiled."""
