"""A whole game solved backwards from its ends: every position won, drawn or lost, and how soon."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any, Final, NamedTuple

from quinconce.core.game import Game
from quinconce.core.value import Value
from quinconce.kernels import calls
from quinconce.kernels.array_types import Int16Array, Int32Array, Int64Array
from quinconce.kernels.arrays import ArrayMaker, temporary_arrays
from quinconce.kernels.compiled import entry
from quinconce.kernels.kernel import Kernel, kernel_for
from quinconce.kernels.protocol import (
    SuccessorRows,
    from_index,
    image,
    image_count,
    index,
    load,
    successor_count,
    successors,
    winner,
)

Distances = Int16Array

# A worth is a value in one number, as `Value.from_distance` reads it: a win in n plies is n + 1, a
# loss in n plies is -n - 1, and 0 is a draw: what the ends do not reach goes on for ever.
DRAWN: Final = 0
OVER: Final = 1  # won already, or with the other sign lost
LONGEST_DISTANCE: Final = (1 << 15) - 3  # plies that a worth has room for
NO_CLASS: Final = -1  # the class of a number that no position has
solution_lock: Final = Lock()


class SolutionStatistics(NamedTuple):
    """Of the positions where the game goes on: how many are worth what, and the longest fights."""

    won: int
    drawn: int
    lost: int
    longest_win: int
    longest_loss: int
    classes: int  # positions that no symmetry turns into each other


FIGURE_COUNT: Final = len(SolutionStatistics._fields)


class Solution:
    """Every position of a game, without its history: repetition is how a drawn one ends."""

    def __init__(self, kernel: Kernel, worths: Distances, figures: SolutionStatistics) -> None:
        self.game = kernel.game
        self.distances = worths  # by the index of a position, for compiled code
        self.statistics = figures
        self._kernel = kernel

    def value(self, position: Any) -> Value:
        """The value of a possible position; ValueError if it is none."""
        self.game.check(position)
        return self.known_value(position)

    def known_value(self, position: Any) -> Value:
        """The same of a position that is possible for certain, because a move has led there."""
        return Value.from_distance(int(distance_of(self._kernel.encode(position), self.distances)))

    def move_values(self, position: Any) -> dict[str, Value]:
        """What each legal move is worth to the player who plays it."""
        return {
            text: self.known_value(after).one_ply_earlier()
            for text, after in self.game.moves(position)
        }

    def plies_to_end(self, position: Any) -> int | None:
        """How far the end of a won or lost position is; None in a draw."""
        return self.known_value(position).plies


class ClassGraph(NamedTuple):
    """The classes of symmetric positions of a game, and where their moves lead."""

    classes: Int32Array  # the class of a position by its index, or NO_CLASS
    firsts: Int32Array  # the least index of each class; they go up
    move_counts: Int32Array
    starts: Int32Array  # where the moves of each class begin in `onward`; one more at the end
    onward: Int32Array  # the classes that moves lead to


def class_graph(kernel: Kernel, arrays: ArrayMaker) -> ClassGraph | None:
    """Every class of a game and every move of each; None if the game has no index."""
    state = kernel.encode(kernel.game.start())
    size = int(calls.index_count(state))
    if not size:
        return None
    classes, firsts = arrays.empty(size, dtype="int32"), arrays.empty(size, dtype="int32")
    classes.fill(NO_CLASS)
    firsts = firsts[: number_classes(state, classes, firsts)]
    left = arrays.empty(len(firsts), dtype="int32")
    starts = arrays.empty(len(firsts) + 1, dtype="int32")
    onward = arrays.empty(int(count_class_moves(state, firsts, left, starts)), dtype="int32")
    link_successors(state, classes, firsts, onward, kernel.new_rows(1, arrays=arrays)[0])
    return ClassGraph(classes, firsts, left, starts, onward)


@cache
def _solve(game: Game[Any]) -> Solution | None:
    """The solution, worked out."""
    kernel = kernel_for(game)
    state = kernel.encode(game.start())
    with temporary_arrays(state) as arrays:
        graph = class_graph(kernel, arrays)
        if graph is None:
            return None
        classes, firsts, left, _starts, onward = graph
        count, moves = len(firsts), len(onward)
        queue = arrays.empty(count, dtype="int32")
        sources, back = arrays.zeros(count + 1, dtype="int32"), arrays.empty(moves, dtype="int32")
        worths, figures = arrays.zeros(count, dtype="int16"), arrays.zeros(FIGURE_COUNT)
        reverse_edges(left, onward, sources, back)
        ended = queue_terminal_positions(state, firsts, worths, queue)
        propagate_backwards(sources, back, left, worths, queue, ended, LONGEST_DISTANCE)
        table = arrays.zeros(len(classes), dtype="int16")
        spread_worths(classes, worths, table, figures)
        return Solution(kernel, arrays.lasting(table), SolutionStatistics(*map(int, figures)))


def solution(game: Game[Any]) -> Solution | None:
    """The solution of a game, worked out once a process; None if the game has no index."""
    with solution_lock:
        return _solve(game)


@entry
def spread_worths(
    classes: Int32Array, worths: Distances, table: Distances, figures: Int64Array
) -> None:
    """Give every position what its class is worth, and count them as SolutionStatistics does."""
    for n in range(classes.size):
        if classes[n] != NO_CLASS:
            worth = worths[classes[n]]
            table[n] = worth
            figures[0] += worth > OVER
            figures[1] += worth == DRAWN
            figures[2] += worth < -OVER
            figures[3] = max(figures[3], worth - 1)
            figures[4] = max(figures[4], -worth - 1)
    for place in range(worths.size):
        figures[5] += abs(worths[place]) != OVER


@entry
def distance_of(state: Any, worths: Distances) -> int:
    """What the table says of a position."""
    worth: int = worths[index(state)]
    return worth


@entry
def number_classes(state: Any, classes: Int32Array, firsts: Int32Array) -> int:
    """Number the classes of symmetric positions; `firsts` gets one position of each."""
    found = 0
    for n in range(classes.size):
        if classes[n] == NO_CLASS:
            here = from_index(state, n)
            if index(here) == n:
                for symmetry in range(image_count(here)):
                    classes[index(image(here, symmetry))] = found
                firsts[found] = n
                found += 1
    return found


@entry
def count_class_moves(state: Any, firsts: Int32Array, left: Int32Array, starts: Int32Array) -> int:
    """How many moves each class has, where they begin in a row of all, and how long that is."""
    total = 0
    for place in range(firsts.size):
        left[place] = successor_count(from_index(state, firsts[place]))
        starts[place] = total
        total += left[place]
    starts[firsts.size] = total
    return total


@entry
def link_successors(
    state: Any, classes: Int32Array, firsts: Int32Array, onward: Int32Array, out: SuccessorRows
) -> None:
    """Where the moves of each class lead, one class after the other."""
    edge = 0
    for place in range(firsts.size):
        here = from_index(state, firsts[place])
        for row in range(successors(here, out)):
            onward[edge] = classes[index(load(here, out, row))]
            edge += 1


@entry
def reverse_edges(
    left: Int32Array, onward: Int32Array, starts: Int32Array, back: Int32Array
) -> None:
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


@entry
def queue_terminal_positions(
    state: Any, firsts: Int32Array, worths: Distances, queue: Int32Array
) -> int:
    """Queue the positions where the game is over; returns how many there are."""
    ended = 0
    for place in range(firsts.size):
        here = from_index(state, firsts[place])
        side = winner(here)
        if side >= 0:
            worths[place] = OVER if side == here.turn else -OVER
            queue[ended] = place
            ended += 1
    return ended


@entry
def propagate_backwards(
    starts: Int32Array,
    back: Int32Array,
    left: Int32Array,
    worths: Distances,
    queue: Int32Array,
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
