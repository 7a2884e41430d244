"""The moves of a position that is to be searched, and what is found of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.engine.scores import INFINITE, MOST_HOPED, WIN
from quinconce.engine.search import misses
from quinconce.engine.solved import Known
from quinconce.engine.workspace import Numbers
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel


class Weakness(NamedTuple):
    """How a player below full strength sees the board; the seed says what he misses this time."""

    noise: int = 0  # how far his estimates are off
    blind: int = 0  # of 1024 positions so many he overlooks
    sight: int = 0  # from this ply on
    seed: int = 0


@dataclass(eq=False)
class Root:
    """A legal move, where it leads, and what the search found so far."""

    text: str
    position: Any
    state: Any
    quiet: int
    score: int = -INFINITE
    most: int = INFINITE  # it is worth no more, as far as it was searched
    known: Known | None = None  # what needs no search


def given(known: Known) -> int:
    """The score of what is known; what is uncertain counts as an estimate."""
    value, plies = known.value, known.value.plies or 0
    most = WIN if known.certain else MOST_HOPED
    return {"win": most - plies, "draw": 0, "loss": plies - most}[value.result]


def prospect(root: Root) -> int:
    """What is known to win comes first, what is known to lose last."""
    return -given(root.known) if root.known else 0


def roots_of(match: Match[Any], numbers: Kernel) -> list[Root]:
    """The legal moves of a match."""
    return [
        Root(text, after, numbers.encode(after), quiet_after(match, after))
        for text, after in match.legal().items()
    ]


def quiet_after(match: Match[Any], after: Any) -> int:
    """How many quiet turns in a row there are after a move."""
    return match.quiet + 1 if match.game.is_quiet(match.position, after) else 0


def seen_by(weakness: Weakness, roots: list[Root]) -> list[Root]:
    """The moves that a player does not overlook; at least one."""
    if weakness.sight > 0:
        return roots
    return [
        root for root in roots if not misses(calls.key(root.state), weakness.blind, weakness.seed)
    ] or roots[:1]


def text_between(game: Game[Any], before: Any, after: Any) -> str:
    """The move that leads from one position to another."""
    return next(text for text, position in game.moves(before) if position == after)


def occurrences(match: Match[Any], numbers: Kernel) -> Numbers:
    """The positions of the match by their keys, with how often each occurred."""
    counted = Counter(calls.key(numbers.encode(position)) for position in match.positions)
    seen = np.zeros((1 << (4 * len(counted)).bit_length(), 2), np.int64)
    entered(counted, seen)
    return seen


def entered(counted: Counter[int], seen: Numbers) -> None:
    """Enter what occurred where a search looks it up: in open addressing."""
    seen.fill(0)
    for number, times in counted.items():
        slot = number & len(seen) - 1
        while seen[slot, 1]:
            slot = slot + 1 & len(seen) - 1
        seen[slot] = number, times
