"""How sharp a solved game is: where one move alone keeps the value, and where one can first err."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.kernels import calls
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import kernel
from quinconce.kernels.protocol import Rows, index, indexed, load, successors, winner
from quinconce.solvers.retrograde import OVER, Solution, Worths

Marks = npt.NDArray[np.int8]
Tally = npt.NDArray[np.int64]
SOLE_WINS, SOLE_DISTANT, SOLE_DRAWS = range(3)  # what `sole` counts
POSITIONS, MOVES, KEEPING, RISKY = range(4)  # what `followed` counts


class Sole(NamedTuple):
    """Of all positions where the game goes on: in how many exactly one move keeps the value."""

    wins: int
    distant_wins: int  # those where the win does not come at once
    draws: int


class Ply(NamedTuple):
    """The positions that faultless play can reach before one ply, and their moves, all together."""

    positions: int
    moves: int
    keeping: int  # the moves that keep the value
    risky: int  # the positions where some move does not


def sole_moves(solution: Solution) -> Sole:
    """Counted over every position, seen by the player to move."""
    numbers = kernel(solution.game)
    state, out = numbers.encode(solution.game.start()), numbers.rows(1)[0]
    tally = np.zeros(3, np.int64)
    sole(state, solution.worths, out, tally)
    return Sole(*map(int, tally))


def faultless(solution: Solution, plies: int) -> list[Ply]:
    """The first plies from the start, where nobody ever gives away what he has."""
    numbers = kernel(solution.game)
    state, out = numbers.encode(solution.game.start()), numbers.rows(1)[0]
    here = np.zeros(int(calls.index_count(state)), np.int8)
    here[int(calls.index(state))] = 1
    found = []
    for _ply in range(plies):
        tally, after = np.zeros(4, np.int64), np.zeros_like(here)
        followed(state, solution.worths, here, after, out, tally)
        if not tally[POSITIONS]:
            break
        found.append(Ply(*map(int, tally)))
        here = after
    return found


FAR: Final = OVER + 1  # the worth of a win at once


@compiled
def kept(here: Any, worths: Worths, out: Rows, rows: int) -> int:
    """How many of the moves that were written to `out` keep the value of a position."""
    sign = np.sign(worths[index(here)])
    found = 0
    for row in range(rows):
        if np.sign(worths[index(load(here, out, row))]) == -sign:
            found += 1
    return found


@compiled
def sole(state: Any, worths: Worths, out: Rows, tally: Tally) -> None:
    """Count the positions where one move alone keeps a win or a draw."""
    for n in range(worths.size):
        worth = worths[n]
        if worth < 0:
            continue
        here = indexed(state, n)
        if index(here) != n or winner(here) >= 0:
            continue
        if kept(here, worths, out, successors(here, out)) == 1:
            tally[SOLE_WINS] += worth > 0
            tally[SOLE_DISTANT] += worth > FAR
            tally[SOLE_DRAWS] += worth == 0


@compiled
def followed(
    state: Any, worths: Worths, marked: Marks, after: Marks, out: Rows, tally: Tally
) -> None:
    """From the marked positions, mark where the moves that keep the value lead."""
    for n in range(marked.size):
        if marked[n]:
            here = indexed(state, n)
            if winner(here) >= 0:
                continue
            rows = successors(here, out)
            keeping = kept(here, worths, out, rows)
            tally[POSITIONS] += 1
            tally[MOVES] += rows
            tally[KEEPING] += keeping
            tally[RISKY] += keeping < rows
            for row in range(rows):
                number = index(load(here, out, row))
                if np.sign(worths[number]) == -np.sign(worths[n]):
                    after[number] = 1
