"""What endings with few pieces come to: who wins how many of them, by the pieces of each side."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import ending_from, held, index, indexed, kernel, winner
from quinconce.solvers.endings import Endings
from quinconce.solvers.retrograde import Worths

Tally = npt.NDArray[np.int64]
WON, DRAWN, LOST, LONGEST = range(4)  # the columns of a tally, for the player to move


class Share(NamedTuple):
    """The positions of a stronger side against a weaker one, whoever is to move.

    Where both are equal, the stronger is the player to move.
    """

    stronger: int  # pieces
    weaker: int
    won: int  # by the stronger
    drawn: int
    lost: int
    longest: int  # turns to the next capture, of all that is decided


def shares(table: Endings) -> list[Share]:
    """All positions of a table where the game goes on, by the pieces of each side."""
    numbers = kernel(table.game)
    state = numbers.encode(table.game.start())
    found = []
    for pieces in range(2, table.pieces + 1):
        first, last = (int(ending_from(state, n)) for n in (pieces, pieces + 1))
        tally = np.zeros((pieces + 1, 4), np.int64)
        tallied(state, table.worths, first, last, tally)
        for weaker in range(1, pieces // 2 + 1):
            stronger = pieces - weaker
            ahead, behind = tally[stronger], tally[weaker]
            if stronger == weaker:
                behind = np.zeros_like(ahead)
            counts = (ahead[WON] + behind[LOST], ahead[DRAWN] + behind[DRAWN])
            lost, longest = ahead[LOST] + behind[WON], max(ahead[LONGEST], behind[LONGEST])
            found.append(Share(stronger, weaker, *map(int, (*counts, lost, longest))))
    return found


@compiled
def tallied(state: Any, worths: Worths, first: int, last: int, tally: Tally) -> None:
    """Count a layer by the pieces of the player to move."""
    for n in range(first, last):
        here = indexed(state, n)
        if index(here) != n or winner(here) >= 0:
            continue
        row, worth = held(here), worths[n]
        tally[row, WON] += worth > 0
        tally[row, DRAWN] += worth == 0
        tally[row, LOST] += worth < 0
        tally[row, LONGEST] = max(tally[row, LONGEST], abs(worth) - 1)
