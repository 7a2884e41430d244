"""The facts of a game that is solved whole: counts, distances, longest fights, sharpness."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from quinconce.core.game import Game
from quinconce.facts.alike import first_moves
from quinconce.facts.files import Fact
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel
from quinconce.solvers.retrograde import NOWHERE, Solution, Value, classified, solution
from quinconce.solvers.sharpness import faultless, sole_moves

PLIES: Final = 12  # of faultless play that are followed
SAMPLE: Final = 300  # positions that a quick run checks with the plain rules


def whole(game: Game[Any], quick: bool, watch: Callable[[float], None]) -> Fact | None:
    """Everything that is told of a solved game; None if it is too large to be solved."""
    found = solution(game)
    if found is None:
        return None
    figures, sole = found.figures, sole_moves(found)
    return {
        "won": figures.won,
        "drawn": figures.drawn,
        "lost": figures.lost,
        "classes": figures.classes,
        "start": worth(found.value(game.start())),
        "first_moves": [
            {"move": text, "alike": alike, **worth(found.value(after).before())}
            for text, alike, after in first_moves(game)
        ],
        "distances": distances(found),
        "longest_win": longest(found, int(np.argmax(found.worths))),
        "longest_loss": longest(found, int(np.argmin(found.worths))),
        "sole": sole._asdict(),
        "faultless": [ply._asdict() for ply in faultless(found, PLIES)],
        "checked": checked(found, SAMPLE if quick else None, watch),
    }


def worth(value: Value) -> Fact:
    """A value as data."""
    return {"result": value.result, "plies": value.plies}


def distances(found: Solution) -> Fact:
    """How many positions are won and lost in how many plies, from 1."""
    worths = found.worths.astype(np.int64)
    won, lost = (np.bincount(each[each > 1] - 1) for each in (worths, -worths))
    return {"win": won[1:].tolist(), "loss": lost[1:].tolist()}


def best(moves: Iterable[tuple[str, Value]]) -> tuple[str, Value]:
    """The best move: the quickest win or the slowest loss; of equals, the first by its text."""
    rank = {"win": 2, "draw": 1, "loss": 0}

    def order(move: tuple[str, Value]) -> tuple[int, int, str]:
        text, value = move
        plies = value.plies or 0
        return -rank[value.result], plies if value.result == "win" else -plies, text

    return min(moves, key=order)


def longest(found: Solution, number: int) -> Fact:
    """The position with a number, and a line in which both play their best."""
    game, numbers = found.game, kernel(found.game)
    position = numbers.decode(calls.from_index(numbers.encode(game.start()), number))
    line, here = [], position
    while not game.outcome(here):
        text, _value = best(found.moves(here).items())
        line.append(text)
        here = game.after(here, text)
    value = found.value(position)
    assert len(line) == value.plies
    return {"position": game.write(position), **worth(value), "line": line}


def checked(found: Solution, sample: int | None, watch: Callable[[float], None]) -> Fact:
    """Let the plain rules confirm the table, one position of every class, or some of them.

    Each value must be the best that the moves lead to. Then every win and loss is right, by
    induction on its plies; and in a drawn position nobody has a move that wins, and somebody who
    keeps to moves that draw never loses.
    """
    numbers = kernel(found.game)
    state = numbers.encode(found.game.start())
    size = int(calls.index_count(state))
    classes, firsts = np.full(size, NOWHERE, np.int32), np.empty(size, np.int32)
    chosen = firsts[: classified(state, classes, firsts)].tolist()
    if sample is not None:
        chosen = random.Random(0).sample(chosen, sample)
    seen = 0
    for place, number in enumerate(chosen):
        position = numbers.decode(calls.from_index(state, number))
        if not found.game.outcome(position):
            value, seen = found.value(position), seen + 1
            if best(found.moves(position).items())[1] != value:
                raise AssertionError(found.game.write(position))
        if not place % 256:
            watch(place / len(chosen))
    return {"positions": seen, "all": sample is None}
