"""One part of a layer of endings, worked out backwards from the captures that leave it.

A layer is all positions with one number of pieces; a part is those where each of the two sides has
its number, either side to move. Where a capture can be made, every move is one and leads to a layer
that is solved; everywhere else every move stays in the part, with the sides exchanged. So the parts
of a layer are independent of each other, and a worth tells the turns to the next capture, it
included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from quinconce.kernels import calls
from quinconce.kernels.array_types import Int32Array, Int64Array
from quinconce.kernels.compiled import compiled, entry
from quinconce.kernels.kernel import Kernel
from quinconce.kernels.protocol import (
    SuccessorRows,
    from_index,
    image,
    image_count,
    index,
    indices_per_board,
    load,
    successors,
    winner,
)
from quinconce.solvers.retrograde import (
    LONGEST_DISTANCE,
    NO_CLASS,
    OVER,
    Distances,
    propagate_backwards,
    reverse_edges,
)

MOST_PIECES_KEPT: Final = 8  # pieces; with more, places and moves outgrow what is kept here
ReportShare = Callable[[float], None]  # how much of a part is done, from 0 to 1
NUMBERS_PER_STEP: Final = 720 << 11  # between two signs of life; any few variants divide them
# What each stage takes of the time, about.
CLASSES_TIME: Final = 0.45
CAPTURES_TIME: Final = 0.1
MOVES_TIME: Final = 0.25
PROPAGATION_TIME: Final = 0.2


class Part(NamedTuple):
    """Positions by the pieces of the stronger side and of the weaker one."""

    strong: int
    weak: int

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return self.strong + self.weak


class PartNumbers(NamedTuple):
    """The numbers of a part: two stretches of them, or twice the same where the sides are equal."""

    first: int  # of the layer
    weak: int  # the first number with the weaker side to move
    strong: int
    size: int  # of a stretch

    @property
    def total(self) -> int:
        """How many numbers the part has."""
        return self.size if self.weak == self.strong else 2 * self.size

    def stretches(self, worths: Distances) -> list[tuple[int, Distances]]:
        """The worths of the part by their first number, in the order of the numbers."""
        parted = [(self.weak, worths[: self.size]), (self.strong, worths[self.size :])]
        return parted[:1] if self.weak == self.strong else parted


class ResultCount(NamedTuple):
    """What the positions of a part are worth to the side to move, and the longest fights."""

    won: int
    drawn: int
    lost: int
    longest: int  # turns to the next capture


class PartSolution(NamedTuple):
    """A part worked out: worths by place in the part, and their counts."""

    distances: Distances
    weak: ResultCount  # with the weaker side to move
    strong: ResultCount
    classes: int  # positions that no symmetry turns into each other


def layer_parts(pieces: int) -> list[Part]:
    """The parts of a layer, the most even first."""
    return [Part(pieces - weak, weak) for weak in range(pieces // 2, -1, -1)]


def part_numbers(kernel: Kernel, part: Part) -> PartNumbers:
    """Where the numbers of a part are."""
    state = kernel.encode(kernel.game.start())
    weak, after = (int(calls.endgame_part_start(state, part.pieces, part.weak + n)) for n in (0, 1))
    strong = int(calls.endgame_part_start(state, part.pieces, part.strong))
    return PartNumbers(
        int(calls.endgame_layer_start(state, part.pieces)), weak, strong, after - weak
    )


def solve_part(
    kernel: Kernel, part: Part, lower: Distances, on_progress: ReportShare = lambda _done: None
) -> PartSolution:
    """A part, given the worths of all positions with fewer pieces."""
    import numpy as np

    state, out, span = (
        kernel.encode(kernel.game.start()),
        kernel.new_rows(1)[0],
        part_numbers(kernel, part),
    )
    most = kernel.game.quiet_limit or LONGEST_DISTANCE
    classes, firsts = np.full(span.total, NO_CLASS, np.int32), np.empty(span.total, np.int32)
    found = 0
    for begin, end in steps(span.total, on_progress, 0, CLASSES_TIME):
        found = int(number_part_classes(state, span, classes, firsts, found, begin, end))
    firsts = firsts[:found].copy()
    left, own = np.zeros(found, np.int32), np.zeros(found, np.int16)
    queue = np.empty(found, np.int32)
    ended = edges = 0
    for begin, end in steps(found, on_progress, CLASSES_TIME, CAPTURES_TIME):
        ended, edges = resolve_captures(
            state, span, lower, firsts, left, own, queue, out, ended, edges, begin, end
        )
    onward, edge = np.empty(int(edges), np.int32), 0
    for begin, end in steps(found, on_progress, CLASSES_TIME + CAPTURES_TIME, MOVES_TIME):
        edge = link_quiet_moves(state, span, classes, firsts, left, onward, out, edge, begin, end)
    starts, back = np.zeros(found + 1, np.int32), np.empty_like(onward)
    reverse_edges(left, onward, starts, back)
    del onward
    on_progress(1 - PROPAGATION_TIME / 2)
    propagate_backwards(starts, back, left, own, queue, ended, most)
    own[np.abs(own) > most + 1] = 0
    del starts, back
    worths, counts = np.zeros(span.total, np.int16), np.zeros((2, 4), np.int64)
    expand_classes(classes, own, worths, counts, span.size)
    on_progress(1)
    weak, strong = (ResultCount(*map(int, row)) for row in counts)
    return PartSolution(worths, weak, strong if span.weak != span.strong else weak, found)


def steps(
    total: int, on_progress: ReportShare, done: float, share: float
) -> Iterator[tuple[int, int]]:
    """From 0 to `total` in steps, with a sign of life after each."""
    for begin in range(0, total, NUMBERS_PER_STEP):
        end = min(total, begin + NUMBERS_PER_STEP)
        yield begin, end
        on_progress(done + share * end / total)


@compiled
def place_in_part(span: PartNumbers, number: int) -> int:
    """The place of a number in the part."""
    if number < span.weak + span.size:
        return number - span.weak
    return number - span.strong + span.size


@compiled
def number_at(span: PartNumbers, place: int) -> int:
    """The number at a place of the part."""
    if place < span.size:
        return span.weak + place
    return span.strong + place - span.size


@entry
def number_part_classes(
    state: Any,
    span: PartNumbers,
    classes: Int32Array,
    firsts: Int32Array,
    found: int,
    begin: int,
    end: int,
) -> int:
    """Number the classes of symmetric positions of a part."""
    for board in range(begin, end, indices_per_board(state)):
        if classes[board] != NO_CLASS:
            continue
        for place in range(board, board + indices_per_board(state)):
            number = number_at(span, place)
            here = from_index(state, number)
            if index(here) == number:
                for symmetry in range(image_count(here)):
                    classes[place_in_part(span, index(image(here, symmetry)))] = found
                firsts[found] = place
                found += 1
    return found


@entry
def resolve_captures(
    state: Any,
    span: PartNumbers,
    lower: Distances,
    firsts: Int32Array,
    left: Int32Array,
    own: Distances,
    queue: Int32Array,
    out: SuccessorRows,
    ended: int,
    edges: int,
    begin: int,
    end: int,
) -> tuple[int, int]:
    """Queue what a capture decides, and count the quiet moves of the rest."""
    for place in range(begin, end):
        here = from_index(state, number_at(span, firsts[place]))
        side = winner(here)
        worth = 0
        if side >= 0:
            worth = OVER if side == here.turn else -OVER
        else:
            rows = successors(here, out)
            if index(load(here, out, 0)) >= span.first:
                left[place] = rows
                edges += rows
            else:
                worth = distance_after_captures(here, lower, out, rows)
        if worth != 0:
            own[place] = worth
            queue[ended] = place
            ended += 1
    return ended, edges


@compiled
def distance_after_captures(here: Any, lower: Distances, out: SuccessorRows, rows: int) -> int:
    """The worth of a position where every move captures."""
    worst = -OVER - 1
    for row in range(rows):
        after = load(here, out, row)
        side = winner(after)
        worth = lower[index(after)] if side < 0 else OVER if side == after.turn else -OVER
        if worth < 0:
            return OVER + 1
        if worth == 0:
            worst = 0
    return worst


@entry
def link_quiet_moves(
    state: Any,
    span: PartNumbers,
    classes: Int32Array,
    firsts: Int32Array,
    left: Int32Array,
    onward: Int32Array,
    out: SuccessorRows,
    edge: int,
    begin: int,
    end: int,
) -> int:
    """Where the quiet moves of each class lead."""
    for place in range(begin, end):
        if left[place]:
            here = from_index(state, number_at(span, firsts[place]))
            for row in range(successors(here, out)):
                onward[edge] = classes[place_in_part(span, index(load(here, out, row)))]
                edge += 1
    return edge


@entry
def expand_classes(
    classes: Int32Array, own: Distances, worths: Distances, counts: Int64Array, size: int
) -> None:
    """Give every position the worth of its class, and count them by who is to move."""
    for place in range(classes.size):
        if classes[place] != NO_CLASS:
            worth = own[classes[place]]
            worths[place] = worth
            row = 0 if place < size else 1
            counts[row, 0 if worth > 0 else 1 if worth == 0 else 2] += 1
            counts[row, 3] = max(counts[row, 3], abs(worth) - 1)
