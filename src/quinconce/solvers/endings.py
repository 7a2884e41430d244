"""Endings with few pieces, solved layer by layer: who can force the last capture, and how soon.

For games where pieces only ever leave the board and captures are compulsory, as `ending` of the
kernel says. A layer is all positions with so many pieces. Where a capture can be made, every move
is one and leads to a layer that is solved; everywhere else every move stays in the layer. So a
worth tells the turns to the next capture, the capture included, and not to the end of the game.

With a limit of quiet turns the values are exact for positions where no quiet turn has been played
yet: who needs more turns than the limit to the next capture has a jam. Elsewhere a value holds if
its turns still fit in the quiet turns that are left. Repetition cannot matter: whoever forces a
capture comes nearer to it with every turn.
"""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any, Final

import numpy as np

from quinconce.core.game import Game
from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import (
    Kernel,
    Rows,
    ending_from,
    image,
    images,
    index,
    indexed,
    kernel,
    load,
    number_of,
    successors,
    winner,
)
from quinconce.solvers.retrograde import (
    LONGEST,
    NOWHERE,
    OVER,
    Numbers,
    Value,
    Worths,
    turned_round,
    unwound,
)

PIECES: Final = 6  # what is solved at need; more takes longer and more memory
solving: Final = Lock()


class Endings:
    """The table of a game for positions with at most so many pieces."""

    def __init__(self, numbers: Kernel, pieces: int, worths: Worths) -> None:
        self.game = numbers.game
        self.pieces = pieces
        self.worths = worths  # by the index of a position, for compiled code
        self._numbers = numbers

    def value(self, position: Any) -> Value | None:
        """The value with `plies` to the next capture; a draw is a jam; None if it is not solved."""
        self.game.check(position)
        number = int(number_of(self._numbers.encode(position)))
        if not 0 <= number < len(self.worths):
            return None
        return Value.of(int(self.worths[number]))


@cache
def solved(game: Game[Any], pieces: int) -> Endings | None:
    """The endings, worked out."""
    numbers = kernel(game)
    state, out = numbers.encode(game.start()), numbers.rows(1)[0]
    size = int(ending_from(state, pieces + 1))
    if size < 0:
        return None
    worths = np.zeros(size, np.int16)
    for layer in range(1, pieces + 1):
        first, last = (int(ending_from(state, n)) for n in (layer, layer + 1))
        solve_layer(state, worths, first, last, out, game.quiet_limit or LONGEST)
    return Endings(numbers, pieces, worths)


def endings(game: Game[Any], pieces: int = PIECES) -> Endings | None:
    """The endings of a game, worked out once a process; None if they have no numbers."""
    with solving:
        return solved(game, pieces)


def solve_layer(state: Any, worths: Worths, first: int, last: int, out: Rows, most: int) -> None:
    """Fill a table from `first` to `last`, given everything before."""
    classes, firsts = np.full(last - first, NOWHERE, np.int32), np.empty(last - first, np.int32)
    firsts = firsts[: layered(state, classes, firsts, first)].copy()
    left, own = np.zeros(len(firsts), np.int32), np.zeros(len(firsts), np.int16)
    queue = np.empty(len(firsts), np.int32)
    ended, edges = captured(state, worths, firsts, first, left, own, queue, out)
    onward = np.empty(int(edges), np.int32)
    joined(state, classes, firsts, first, left, onward, out)
    starts, back = np.zeros(len(firsts) + 1, np.int32), np.empty_like(onward)
    turned_round(left, onward, starts, back)
    unwound(starts, back, left, own, queue, ended, most)
    own[np.abs(own) > most + 1] = 0
    worths[first:last] = np.where(classes == NOWHERE, 0, own[classes])


@compiled
def layered(state: Any, classes: Numbers, firsts: Numbers, first: int) -> int:
    """Number the classes of symmetric positions of a layer."""
    found = 0
    for n in range(classes.size):
        if classes[n] == NOWHERE:
            here = indexed(state, first + n)
            if index(here) == first + n:
                for symmetry in range(images(here)):
                    classes[index(image(here, symmetry)) - first] = found
                firsts[found] = n
                found += 1
    return found


@compiled
def captured(
    state: Any,
    worths: Worths,
    firsts: Numbers,
    first: int,
    left: Numbers,
    own: Worths,
    queue: Numbers,
    out: Rows,
) -> tuple[int, int]:
    """Queue what a capture decides, and count the quiet moves of the rest."""
    ended = edges = 0
    for place in range(firsts.size):
        here = indexed(state, first + firsts[place])
        side = winner(here)
        worth = 0
        if side >= 0:
            worth = OVER if side == here.turn else -OVER
        else:
            rows = successors(here, out)
            if index(load(here, out, 0)) >= first:
                left[place] = rows
                edges += rows
            else:
                worth = after_captures(here, worths, out, rows)
        if worth != 0:
            own[place] = worth
            queue[ended] = place
            ended += 1
    return ended, edges


@compiled
def after_captures(here: Any, worths: Worths, out: Rows, rows: int) -> int:
    """The worth of a position where every move captures."""
    worst = -OVER - 1
    for row in range(rows):
        after = load(here, out, row)
        side = winner(after)
        worth = worths[index(after)] if side < 0 else OVER if side == after.turn else -OVER
        if worth < 0:
            return OVER + 1
        if worth == 0:
            worst = 0
    return worst


@compiled
def joined(
    state: Any,
    classes: Numbers,
    firsts: Numbers,
    first: int,
    left: Numbers,
    onward: Numbers,
    out: Rows,
) -> None:
    """Where the quiet moves of each class lead."""
    edge = 0
    for place in range(firsts.size):
        if left[place]:
            here = indexed(state, first + firsts[place])
            for row in range(successors(here, out)):
                onward[edge] = classes[index(load(here, out, row)) - first]
                edge += 1


def ready(game: Game[Any]) -> Endings | None:
    """The endings of a game, if they are worked out."""
    return endings(game)
