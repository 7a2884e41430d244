"""How sharp a solved game is: where one move alone keeps the value, and where one can first err."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.kernels import calls
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import SuccessorRows, from_index, index, load, successors, winner
from quinconce.solvers.retrograde import OVER, Distances, Solution

Marks = npt.NDArray[np.int8]
Tally = npt.NDArray[np.int64]
SOLE_WINS, SOLE_DISTANT, SOLE_DRAWS = range(3)  # what `tally_sole_moves` counts
POSITIONS, MOVES, KEEPING, RISKY = range(4)  # what `follow_keeping_moves` counts


class SoleMoveCounts(NamedTuple):
    """Of all positions where the game goes on: in how many exactly one move keeps the value."""

    wins: int
    distant_wins: int  # those where the win does not come at once
    draws: int


class FaultlessPly(NamedTuple):
    """The positions that faultless play can reach before one ply, and their moves, all together."""

    positions: int
    moves: int
    keeping: int  # the moves that keep the value
    risky: int  # the positions where some move does not


def count_sole_moves(solution: Solution) -> SoleMoveCounts:
    """Counted over every position, seen by the player to move."""
    kernel = kernel_for(solution.game)
    state, out = kernel.encode(solution.game.start()), kernel.new_rows(1)[0]
    tally = np.zeros(3, np.int64)
    tally_sole_moves(state, solution.distances, out, tally)
    return SoleMoveCounts(*map(int, tally))


def faultless_plies(solution: Solution, plies: int) -> list[FaultlessPly]:
    """The first plies from the start, both players giving nothing away."""
    kernel = kernel_for(solution.game)
    state, out = kernel.encode(solution.game.start()), kernel.new_rows(1)[0]
    here = np.zeros(int(calls.index_count(state)), np.int8)
    here[int(calls.index(state))] = 1
    found = []
    for _ply in range(plies):
        tally, after = np.zeros(4, np.int64), np.zeros_like(here)
        follow_keeping_moves(state, solution.distances, here, after, out, tally)
        if not tally[POSITIONS]:
            break
        found.append(FaultlessPly(*map(int, tally)))
        here = after
    return found


WIN_AT_ONCE: Final = OVER + 1  # the worth of a win at once


@compiled
def count_keeping_moves(here: Any, worths: Distances, out: SuccessorRows, rows: int) -> int:
    """How many of the moves that were written to `out` keep the value of a position."""
    sign = np.sign(worths[index(here)])
    found = 0
    for row in range(rows):
        if np.sign(worths[index(load(here, out, row))]) == -sign:
            found += 1
    return found


@compiled
def tally_sole_moves(state: Any, worths: Distances, out: SuccessorRows, tally: Tally) -> None:
    """Count the positions where one move alone keeps a win or a draw."""
    for n in range(worths.size):
        worth = worths[n]
        if worth < 0:
            continue
        here = from_index(state, n)
        if index(here) != n or winner(here) >= 0:
            continue
        if count_keeping_moves(here, worths, out, successors(here, out)) == 1:
            tally[SOLE_WINS] += worth > 0
            tally[SOLE_DISTANT] += worth > WIN_AT_ONCE
            tally[SOLE_DRAWS] += worth == 0


@compiled
def follow_keeping_moves(
    state: Any, worths: Distances, marked: Marks, after: Marks, out: SuccessorRows, tally: Tally
) -> None:
    """From the marked positions, mark where the moves that keep the value lead."""
    for n in range(marked.size):
        if marked[n]:
            here = from_index(state, n)
            if winner(here) >= 0:
                continue
            rows = successors(here, out)
            keeping = count_keeping_moves(here, worths, out, rows)
            tally[POSITIONS] += 1
            tally[MOVES] += rows
            tally[KEEPING] += keeping
            tally[RISKY] += keeping < rows
            for row in range(rows):
                number = index(load(here, out, row))
                if np.sign(worths[number]) == -np.sign(worths[n]):
                    after[number] = 1
