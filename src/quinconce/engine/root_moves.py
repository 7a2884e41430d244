"""The moves of a position that is to be searched, and what is found of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from quinconce.core.errors import TooManyMovesError
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.move_limit import MOVE_LIMIT, sample_moves
from quinconce.engine.scores import INFINITE, MAX_ESTIMATE, WIN
from quinconce.engine.search import is_overlooked
from quinconce.engine.solved import MoveValue
from quinconce.engine.workspace import Int64Array, Weakness, new_control
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel


@dataclass(eq=False)
class RootMove:
    """A legal move, where it leads, and what the search found so far."""

    text: str
    position: Any
    state: Any
    quiet_turns: int
    score: int = -INFINITE
    upper_bound: int = INFINITE  # it is worth no more, as far as it was searched
    known: MoveValue | None = None  # what needs no search


def oracle_score(known: MoveValue) -> int:
    """The score of what is known; what is uncertain counts as an estimate."""
    value, plies = known.value, known.value.plies or 0
    most = WIN if known.certain else MAX_ESTIMATE
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


def without_overlooked(weakness: Weakness, roots: list[RootMove]) -> list[RootMove]:
    """The moves that a player does not overlook; at least one."""
    control = new_control(weakness)
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


def occurrence_table(match: Match[Any], kernel: Kernel) -> Int64Array:
    """The positions of the match by their keys, with how often each occurred."""
    counted = Counter(calls.key(kernel.encode(position)) for position in match.positions)
    seen = np.zeros((1 << (4 * len(counted)).bit_length(), 2), np.int64)
    fill_occurrence_table(counted, seen)
    return seen


def fill_occurrence_table(counted: Counter[int], seen: Int64Array) -> None:
    """Enter what occurred where a search looks it up: in open addressing."""
    seen.fill(0)
    for number, times in counted.items():
        slot = number & len(seen) - 1
        while seen[slot, 1]:
            slot = slot + 1 & len(seen) - 1
        seen[slot] = number, times
