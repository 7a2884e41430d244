"""The search of a position: its moves, what is found of each, what both kinds of search do."""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from quinconce.core.errors import TooManyMovesError
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.move_limit import MOVE_LIMIT, sample_moves
from quinconce.engine.limits import Limits
from quinconce.engine.scores import INFINITE, MAX_ESTIMATE, WIN
from quinconce.engine.solved import MoveValue
from quinconce.engine.weakness import Weakness, is_overlooked, new_control
from quinconce.engine.workspace import BLINDNESS
from quinconce.kernels import calls
from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.arrays import ArrayMaker, array_maker
from quinconce.kernels.kernel import Kernel, kernel_for

if TYPE_CHECKING:
    from quinconce.engine.principal_variation import Line


@dataclass(eq=False)
class RootMove:
    """A legal move, where it leads, and what the search found so far."""

    text: str
    position: Any
    state: Any
    quiet_turns: int
    score: int = -INFINITE
    known: MoveValue | None = None  # what needs no search
    number: int = 0  # by which compiled code knows it


def oracle_score(worth: MoveValue) -> int:
    """The score of what is known; what is uncertain counts as an estimate."""
    value, plies = worth.value, worth.value.plies or 0
    most = WIN if worth.certain else MAX_ESTIMATE
    return {"win": most - plies, "draw": 0, "loss": plies - most}[value.result]


def oracle_score_order(root: RootMove) -> int:
    """What is known to win comes first, what is known to lose last."""
    return -oracle_score(root.known) if root.known else 0


def legal_root_moves(match: Match[Any], kernel: Kernel) -> list[RootMove]:
    """The legal moves of a match, or some of them where they are too many to list."""
    if match.outcome():
        return []
    return [
        RootMove(text, after, kernel.encode(after), match.quiet_after(after))
        for text, after in sample_moves(match.game, match.position).items()
    ]


def without_overlooked(control: Int64Array, roots: list[RootMove]) -> list[RootMove]:
    """The moves that a player does not overlook; at least one."""
    if not control[BLINDNESS]:
        return roots
    seen = [root for root in roots if not is_overlooked(calls.key(root.state), 0, control)]
    return seen or roots[:1]


def move_between(game: Game[Any], before: Any, after: Any) -> str:
    """The move that leads from one position to another.

    TooManyMovesError if it is not among as many as can be listed.
    """
    for text, position in islice(game.moves(before), MOVE_LIMIT):
        if position == after:
            return text
    raise TooManyMovesError(MOVE_LIMIT)


def moves_along(game: Game[Any], position: Any, positions: Iterable[Any]) -> Iterator[str]:
    """The moves that lead from a position to others, one after the other.

    It ends where one is not among as many as can be listed.
    """
    for after in positions:
        try:
            yield move_between(game, position, after)
        except TooManyMovesError:
            return
        position = after


def occurrence_table(match: Match[Any], kernel: Kernel, arrays: ArrayMaker) -> Int64Array:
    """The positions of the match by their keys, with how often each occurred."""
    counted = Counter(calls.key(kernel.encode(position)) for position in match.positions)
    seen: Int64Array = arrays.zeros(1 << (4 * len(counted)).bit_length(), 2)
    fill_occurrence_table(counted, seen)
    return seen


def fill_occurrence_table(counted: Counter[int], seen: Int64Array) -> None:
    """Enter what occurred where a search looks it up: in open addressing."""
    seen.fill(0)
    for number, times in counted.items():
        slot = number & len(seen) - 1
        while seen[slot, 1]:
            slot = slot + 1 & len(seen) - 1
        seen[slot, 0], seen[slot, 1] = number, times


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
        self.state = self.kernel.encode(match.position)
        self.arrays = array_maker(self, self.state)
        self.control = new_control(weakness, self.arrays)
        self.root_moves = without_overlooked(self.control, legal_root_moves(match, self.kernel))

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

    def deepen_until_done(self, lines: int) -> bool:
        """Search deeper until a limit, or until nothing can change; False if it was stopped."""
        while self.deepen(lines):
            if self.limits.is_reached(self, lines):
                return True
        return False

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
