"""The facts of a game that is solved whole: counts, distances, longest fights, sharpness."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from quinconce.core.game import Game
from quinconce.core.symmetry import distinct_moves
from quinconce.core.value import Value, best_move
from quinconce.facts.files import Fact
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.retrograde import NO_CLASS, Solution, number_classes, solution
from quinconce.solvers.sharpness import count_sole_moves, faultless_plies

FAULTLESS_PLIES: Final = 12  # of faultless play that are followed
QUICK_SAMPLE: Final = 300  # positions that a quick run checks with the plain rules


def solution_fact(game: Game[Any], quick: bool, watch: Callable[[float], None]) -> Fact | None:
    """Everything that is told of a solved game; None if it is too large to be solved."""
    found = solution(game)
    if found is None:
        return None
    start = game.start()
    figures, sole = found.statistics, count_sole_moves(found)
    return {
        "won": figures.won,
        "drawn": figures.drawn,
        "lost": figures.lost,
        "classes": figures.classes,
        "start": value_fact(found.value(start)),
        "first_moves": [
            {"move": text, "alike": alike, **value_fact(found.value(after).one_ply_earlier())}
            for text, alike, after in distinct_moves(start, game.moves(start), game.symmetries())
        ],
        "distances": distance_counts(found),
        "longest_win": longest_line_fact(found, int(np.argmax(found.distances))),
        "longest_loss": longest_line_fact(found, int(np.argmin(found.distances))),
        "sole": sole._asdict(),
        "faultless": [ply._asdict() for ply in faultless_plies(found, FAULTLESS_PLIES)],
        "checked": check_solution(found, QUICK_SAMPLE if quick else None, watch),
    }


def value_fact(value: Value) -> Fact:
    """A value as data."""
    return {"result": value.result, "plies": value.plies}


def distance_counts(found: Solution) -> Fact:
    """How many positions are won and lost in how many plies, from 1."""
    worths = found.distances.astype(np.int64)
    won, lost = (np.bincount(each[each > 1] - 1) for each in (worths, -worths))
    return {"win": won[1:].tolist(), "loss": lost[1:].tolist()}


def longest_line_fact(found: Solution, number: int) -> Fact:
    """The position with a number, and a line in which both play their best."""
    game, numbers = found.game, kernel_for(found.game)
    position = numbers.decode(calls.from_index(numbers.encode(game.start()), number))
    line, here = [], position
    while not game.outcome(here):
        text = best_move(found.move_values(here))
        line.append(text)
        here = game.after(here, text)
    value = found.value(position)
    assert len(line) == value.plies
    return {"position": game.write(position), **value_fact(value), "line": line}


def check_solution(found: Solution, sample: int | None, watch: Callable[[float], None]) -> Fact:
    """Let the plain rules confirm the table, one position of every class, or some of them.

    Each value must be the best that the moves lead to. Then every win and loss is right, by
    induction on its plies; and in a drawn position no move wins, and a player who
    keeps to moves that draw never loses.
    """
    numbers = kernel_for(found.game)
    state = numbers.encode(found.game.start())
    size = int(calls.index_count(state))
    classes, firsts = np.full(size, NO_CLASS, np.int32), np.empty(size, np.int32)
    chosen = firsts[: number_classes(state, classes, firsts)].tolist()
    if sample is not None:
        chosen = random.Random(0).sample(chosen, sample)
    seen = 0
    for place, number in enumerate(chosen):
        position = numbers.decode(calls.from_index(state, number))
        if not found.game.outcome(position):
            value, seen = found.value(position), seen + 1
            worths = found.move_values(position)
            if worths[best_move(worths)] != value:
                raise AssertionError(found.game.write(position))
        if not place % 256:
            watch(place / len(chosen))
    return {"positions": seen, "all": sample is None}
