"""One part of a layer of endings, worked out backwards from the captures that leave it.

A layer is all positions with so many pieces; a part is those where the two sides have so many each,
whoever is to move. Where a capture can be made, every move is one and leads to a layer that is
solved; everywhere else every move stays in the part, with the sides exchanged. So the parts of a
layer are independent of each other, and a worth tells the turns to the next capture, it included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.kernels import calls
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import Kernel
from quinconce.kernels.protocol import (
    Rows,
    image,
    images,
    index,
    indexed,
    load,
    successors,
    variants,
    winner,
)
from quinconce.solvers.retrograde import (
    LONGEST,
    NOWHERE,
    OVER,
    Numbers,
    Worths,
    turned_round,
    unwound,
)

Tell = Callable[[float], None]  # how much of a part is done, from 0 to 1
AT_ONCE: Final = 720 << 11  # numbers between two signs of life; any few variants divide them
# What each stage takes of the time, about.
CLASSES: Final = 0.45
CAPTURES: Final = 0.1
MOVES: Final = 0.25
BACK: Final = 0.2


class Part(NamedTuple):
    """Positions where one side has so many pieces and the other so many, not more."""

    strong: int
    weak: int

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return self.strong + self.weak


class Span(NamedTuple):
    """The numbers of a part: two stretches of them, or twice the same where the sides are equal."""

    first: int  # of the layer
    weak: int  # the first number with the weaker side to move
    strong: int
    size: int  # of a stretch

    @property
    def total(self) -> int:
        """How many numbers the part has."""
        return self.size if self.weak == self.strong else 2 * self.size

    def stretches(self, worths: Worths) -> list[tuple[int, Worths]]:
        """The worths of the part by their first number, in the order of the numbers."""
        parted = [(self.weak, worths[: self.size]), (self.strong, worths[self.size :])]
        return parted[:1] if self.weak == self.strong else parted


class Count(NamedTuple):
    """What the positions with so many pieces of one's own are worth, and the longest fights."""

    won: int
    drawn: int
    lost: int
    longest: int  # turns to the next capture


class Found(NamedTuple):
    """A part worked out: worths by place in the part, and what they come to."""

    worths: Worths
    weak: Count  # with the weaker side to move
    strong: Count
    classes: int  # positions that no symmetry turns into each other


def parts(pieces: int) -> list[Part]:
    """The parts of a layer, the most even first."""
    return [Part(pieces - weak, weak) for weak in range(pieces // 2, -1, -1)]


def span_of(numbers: Kernel, part: Part) -> Span:
    """Where the numbers of a part are."""
    state = numbers.encode(numbers.game.start())
    weak, after = (int(calls.endgame_part_start(state, part.pieces, part.weak + n)) for n in (0, 1))
    strong = int(calls.endgame_part_start(state, part.pieces, part.strong))
    return Span(int(calls.endgame_layer_start(state, part.pieces)), weak, strong, after - weak)


def worked_out(
    numbers: Kernel, part: Part, lower: Worths, tell: Tell = lambda _done: None
) -> Found:
    """A part, given the worths of all positions with fewer pieces."""
    state, out, span = (
        numbers.encode(numbers.game.start()),
        numbers.rows(1)[0],
        span_of(numbers, part),
    )
    most = numbers.game.quiet_limit or LONGEST
    classes, firsts = np.full(span.total, NOWHERE, np.int32), np.empty(span.total, np.int32)
    found = 0
    for begin, end in stretches(span.total, tell, 0, CLASSES):
        found = int(layered(state, span, classes, firsts, found, begin, end))
    firsts = firsts[:found].copy()
    left, own = np.zeros(found, np.int32), np.zeros(found, np.int16)
    queue = np.empty(found, np.int32)
    ended = edges = 0
    for begin, end in stretches(found, tell, CLASSES, CAPTURES):
        ended, edges = captured(
            state, span, lower, firsts, left, own, queue, out, ended, edges, begin, end
        )
    onward, edge = np.empty(int(edges), np.int32), 0
    for begin, end in stretches(found, tell, CLASSES + CAPTURES, MOVES):
        edge = joined(state, span, classes, firsts, left, onward, out, edge, begin, end)
    starts, back = np.zeros(found + 1, np.int32), np.empty_like(onward)
    turned_round(left, onward, starts, back)
    del onward
    tell(1 - BACK / 2)
    unwound(starts, back, left, own, queue, ended, most)
    own[np.abs(own) > most + 1] = 0
    del starts, back
    worths, counts = np.zeros(span.total, np.int16), np.zeros((2, 4), np.int64)
    spread(classes, own, worths, counts, span.size)
    tell(1)
    weak, strong = (Count(*map(int, row)) for row in counts)
    return Found(worths, weak, strong if span.weak != span.strong else weak, found)


def stretches(total: int, tell: Tell, done: float, share: float) -> Iterator[tuple[int, int]]:
    """From 0 to `total` in steps, with a sign of life after each."""
    for begin in range(0, total, AT_ONCE):
        end = min(total, begin + AT_ONCE)
        yield begin, end
        tell(done + share * end / total)


@compiled
def placed(span: Span, number: int) -> int:
    """The place of a number in the part."""
    if number < span.weak + span.size:
        return number - span.weak
    return number - span.strong + span.size


@compiled
def number_at(span: Span, place: int) -> int:
    """The number at a place of the part."""
    if place < span.size:
        return span.weak + place
    return span.strong + place - span.size


@compiled
def layered(
    state: Any, span: Span, classes: Numbers, firsts: Numbers, found: int, begin: int, end: int
) -> int:
    """Number the classes of symmetric positions of a part."""
    for board in range(begin, end, variants(state)):
        if classes[board] != NOWHERE:
            continue
        for place in range(board, board + variants(state)):
            number = number_at(span, place)
            here = indexed(state, number)
            if index(here) == number:
                for symmetry in range(images(here)):
                    classes[placed(span, index(image(here, symmetry)))] = found
                firsts[found] = place
                found += 1
    return found


@compiled
def captured(
    state: Any,
    span: Span,
    lower: Worths,
    firsts: Numbers,
    left: Numbers,
    own: Worths,
    queue: Numbers,
    out: Rows,
    ended: int,
    edges: int,
    begin: int,
    end: int,
) -> tuple[int, int]:
    """Queue what a capture decides, and count the quiet moves of the rest."""
    for place in range(begin, end):
        here = indexed(state, number_at(span, firsts[place]))
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
                worth = after_captures(here, lower, out, rows)
        if worth != 0:
            own[place] = worth
            queue[ended] = place
            ended += 1
    return ended, edges


@compiled
def after_captures(here: Any, lower: Worths, out: Rows, rows: int) -> int:
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


@compiled
def joined(
    state: Any,
    span: Span,
    classes: Numbers,
    firsts: Numbers,
    left: Numbers,
    onward: Numbers,
    out: Rows,
    edge: int,
    begin: int,
    end: int,
) -> int:
    """Where the quiet moves of each class lead."""
    for place in range(begin, end):
        if left[place]:
            here = indexed(state, number_at(span, firsts[place]))
            for row in range(successors(here, out)):
                onward[edge] = classes[placed(span, index(load(here, out, row)))]
                edge += 1
    return edge


@compiled
def spread(
    classes: Numbers, own: Worths, worths: Worths, counts: npt.NDArray[np.int64], size: int
) -> None:
    """Give every position the worth of its class, and count them by who is to move."""
    for place in range(classes.size):
        if classes[place] != NOWHERE:
            worth = own[classes[place]]
            worths[place] = worth
            row = 0 if place < size else 1
            counts[row, 0 if worth > 0 else 1 if worth == 0 else 2] += 1
            counts[row, 3] = max(counts[row, 3], abs(worth) - 1)
