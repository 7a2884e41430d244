"""A whole game solved backwards from its ends: every position won, drawn or lost, and how soon."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.core.game import Game
from quinconce.kernels import calls
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import Kernel, kernel
from quinconce.kernels.protocol import (
    Rows,
    count,
    image,
    images,
    index,
    indexed,
    load,
    successors,
    winner,
)

Numbers = npt.NDArray[np.int32]
Worths = npt.NDArray[np.int16]
Result = Literal["win", "draw", "loss"]

# A worth is a value in one number, for the player to move: a win in n plies is n + 1, a loss in
# n plies is -n - 1, and 0 is a draw, because whatever the ends do not reach goes on for ever.
DRAWN: Final = 0
OVER: Final = 1  # won already, or with the other sign lost
LONGEST: Final = np.iinfo(np.int16).max - 2  # plies that a worth has room for
NOWHERE: Final = -1  # the class of a number that no position has
FLIPPED: Final[dict[Result, Result]] = {"win": "loss", "draw": "draw", "loss": "win"}
solving: Final = Lock()


class Value(NamedTuple):
    """What a position is worth to the player to move, both playing their best.

    The winner is in a hurry and the loser is not: `plies` is how long that takes.
    """

    result: Result
    plies: int | None = None  # to the end of the game; none in a draw

    @classmethod
    def of(cls, worth: int) -> Value:
        """The value that a worth stands for."""
        if worth == DRAWN:
            return cls("draw")
        return cls("win" if worth > 0 else "loss", abs(worth) - 1)

    def before(self) -> Value:
        """The value, to the player who moved, of the move that led here."""
        return Value(FLIPPED[self.result], None if self.plies is None else self.plies + 1)


class Figures(NamedTuple):
    """Of the positions where the game goes on: how many are worth what, and the longest fights."""

    won: int
    drawn: int
    lost: int
    longest_win: int
    longest_loss: int
    classes: int  # positions that no symmetry turns into each other


class Solution:
    """Every position of a game, without its history: repetition is how a drawn one ends."""

    def __init__(self, numbers: Kernel, worths: Worths, figures: Figures) -> None:
        self.game = numbers.game
        self.worths = worths  # by the index of a position, for compiled code
        self.figures = figures
        self._numbers = numbers

    def value(self, position: Any) -> Value:
        """The value of a possible position; ValueError if it is none."""
        self.game.check(position)
        return Value.of(int(worth_of(self._numbers.encode(position), self.worths)))

    def moves(self, position: Any) -> dict[str, Value]:
        """What each legal move is worth to the player who plays it."""
        return {text: self.value(after).before() for text, after in self.game.moves(position)}


@cache
def solved(game: Game[Any]) -> Solution | None:
    """The solution, worked out."""
    numbers = kernel(game)
    state = numbers.encode(game.start())
    size = int(calls.index_count(state))
    if not size:
        return None
    classes, firsts = np.full(size, NOWHERE, np.int32), np.empty(size, np.int32)
    firsts = firsts[: classified(state, classes, firsts)].copy()
    starts = np.zeros(len(firsts) + 1, np.int32)
    left, worths = np.empty(len(firsts), np.int32), np.zeros(len(firsts), np.int16)
    onward, out = np.empty(int(counted(state, firsts, left)), np.int32), numbers.rows(1)[0]
    linked(state, classes, firsts, onward, out)
    back = np.empty_like(onward)
    turned_round(left, onward, starts, back)
    ended = judged(state, firsts, worths, queue := np.empty(len(firsts), np.int32))
    unwound(starts, back, left, worths, queue, ended, LONGEST)
    table = np.zeros(size, np.int16)
    table[classes >= 0] = worths[classes[classes >= 0]]
    return Solution(numbers, table, figures_of(table[classes >= 0], worths))


def solution(game: Game[Any]) -> Solution | None:
    """The solution of a game, worked out once a process; None if the game has no index."""
    with solving:
        return solved(game)


def figures_of(everywhere: Worths, by_class: Worths) -> Figures:
    """Counted over every position, seen by the player to move."""
    return Figures(
        int(np.count_nonzero(everywhere > OVER)),
        int(np.count_nonzero(everywhere == DRAWN)),
        int(np.count_nonzero(everywhere < -OVER)),
        int(everywhere.max()) - 1,
        -int(everywhere.min()) - 1,
        int(np.count_nonzero(abs(by_class) != OVER)),
    )


@compiled
def worth_of(state: Any, worths: Worths) -> int:
    """What the table says of a position."""
    worth: int = worths[index(state)]
    return worth


@compiled
def classified(state: Any, classes: Numbers, firsts: Numbers) -> int:
    """Number the classes of symmetric positions; `firsts` gets one position of each."""
    found = 0
    for n in range(classes.size):
        if classes[n] == NOWHERE:
            here = indexed(state, n)
            if index(here) == n:
                for symmetry in range(images(here)):
                    classes[index(image(here, symmetry))] = found
                firsts[found] = n
                found += 1
    return found


@compiled
def counted(state: Any, firsts: Numbers, left: Numbers) -> int:
    """How many moves each class has, and all of them together."""
    total = 0
    for place in range(firsts.size):
        rows = count(indexed(state, firsts[place]))
        left[place] = rows
        total += rows
    return total


@compiled
def linked(state: Any, classes: Numbers, firsts: Numbers, onward: Numbers, out: Rows) -> None:
    """Where the moves of each class lead, one class after the other."""
    edge = 0
    for place in range(firsts.size):
        here = indexed(state, firsts[place])
        for row in range(successors(here, out)):
            onward[edge] = classes[index(load(here, out, row))]
            edge += 1


@compiled
def turned_round(left: Numbers, onward: Numbers, starts: Numbers, back: Numbers) -> None:
    """The same moves by where they lead: from `starts[n]` on, those that lead to the class n."""
    for edge in range(onward.size):
        starts[onward[edge]] += 1
    for place in range(left.size):
        starts[place + 1] += starts[place]
    edge = onward.size
    for place in range(left.size - 1, -1, -1):
        for _move in range(left[place]):
            edge -= 1
            # Filled from the end of each stretch, which leaves its start where it belongs.
            after = onward[edge]
            starts[after] -= 1
            back[starts[after]] = place


@compiled
def judged(state: Any, firsts: Numbers, worths: Worths, queue: Numbers) -> int:
    """Queue the positions where the game is over; returns how many there are."""
    ended = 0
    for place in range(firsts.size):
        here = indexed(state, firsts[place])
        side = winner(here)
        if side >= 0:
            worths[place] = OVER if side == here.turn else -OVER
            queue[ended] = place
            ended += 1
    return ended


@compiled
def unwound(
    starts: Numbers,
    back: Numbers,
    left: Numbers,
    worths: Worths,
    queue: Numbers,
    ended: int,
    most: int,
) -> None:
    """From the ends backwards, the nearest first: wins are short and losses long.

    What takes more than `most` plies counts as drawn.
    """
    done = 0
    while done < ended:
        after = queue[done]
        done += 1
        worth = worths[after]
        if abs(worth) > most:
            break
        for edge in range(starts[after], starts[after + 1]):
            before = back[edge]
            if worths[before] == DRAWN:
                left[before] -= 1
                if worth < 0 or left[before] == 0:
                    worths[before] = 1 - worth if worth < 0 else -1 - worth
                    queue[ended] = before
                    ended += 1
