"""Diädema as numbers: a word of 14 bits for each player's balls."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Final, NamedTuple

from quinconce.core.game import EMPTY
from quinconce.kernels.array_types import constant_table
from quinconce.kernels.bits import mix64, popcount
from quinconce.kernels.compiled import compiled, implements
from quinconce.kernels.kernel import Kernel
from quinconce.kernels.protocol import (
    CALM,
    MUST_ANSWER,
    WIN_IN_ONE,
    SuccessorRows,
    Touches,
    Weights,
    after_touches,
    append_two_sided,
    evaluate,
    from_index,
    image,
    image_count,
    index,
    index_count,
    key,
    load,
    next_touches,
    reserve_count,
    successor_count,
    successors,
    urgency,
    winner,
    write_bits,
    write_pieces,
)

VERTICES: Final = "ABCDEFG1234567"
LINES: Final = ("A12C", "B23D", "C34E", "D45F", "E56G", "F67A", "G71B")
CIRCLES: Final = ("ABCDEFG", "1234567")
ALL_VERTICES: Final = (1 << 14) - 1
BALLS_PER_PLAYER: Final = 6


def vertex_runs(length: int) -> set[tuple[int, ...]]:
    """Every run of a number of vertices on a line or a circle, in both senses."""
    texts = [line[i : i + length] for line in LINES for i in range(5 - length)]
    texts += [(circle * 2)[i : i + length] for circle in CIRCLES for i in range(7)]
    return {tuple(map(VERTICES.index, sense)) for text in texts for sense in (text, text[::-1])}


# From each vertex: the neighbours; and the jumps, as what is jumped over and where one lands.
def neighbours(vertex: int) -> int:
    """The neighbours of a vertex, as bits."""
    return sum(1 << end for start, end in vertex_runs(2) if start == vertex)


def jumps_from(vertex: int) -> list[list[int]]:
    """The jumps from a vertex: what is jumped over and where one lands, as bits; eight rows."""
    runs = [run for run in sorted(vertex_runs(3)) if run[0] == vertex]
    return [[1 << over, 1 << end] for _start, over, end in runs] + [[0, 0]] * (8 - len(runs))


def jumped_over(start: int, end: int) -> int:
    """What a jump from one vertex to another may go over, as bits."""
    return sum(1 << run[1] for run in vertex_runs(3) if (run[0], run[2]) == (start, end))


ADJACENT = constant_table(lambda: list(map(neighbours, range(14))))
JUMPS_FROM = constant_table(lambda: list(map(jumps_from, range(14))))
JUMP_COUNT = constant_table(
    lambda: [sum(run[0] == vertex for run in vertex_runs(3)) for vertex in range(14)]
)
JUMPED_OVER = constant_table(
    lambda: [[jumped_over(start, end) for end in range(14)] for start in range(14)]
)

FOURS: Final = [
    sum(1 << vertex for vertex in four)
    for four in sorted({frozenset(four) for four in vertex_runs(4)}, key=sorted)
]
FOURS_MASK: Final = (1 << 21) - 1


def four_completions(balls: int) -> int:
    """Where one ball more would complete a four, as bits."""
    missing = (four & ~balls for four in FOURS)
    return reduce(or_, (ball for ball in missing if ball.bit_count() == 1), 0)


def fours_touched(balls: int) -> int:
    """Which of the 21 fours hold at least one ball, two, three: three words of 21 bits in one."""
    held = [(balls & four).bit_count() for four in FOURS]
    return sum(1 << n + 21 * k for n, many in enumerate(held) for k in range(min(3, many)))


# For all sets of balls.
HAS_FOUR = constant_table(
    lambda: [any(balls & four == four for four in FOURS) for balls in range(1 << 14)], "bool"
)
FOUR_COMPLETIONS = constant_table(lambda: list(map(four_completions, range(1 << 14))), "int16")
FOURS_TOUCHED = constant_table(lambda: list(map(fours_touched, range(1 << 14))))

# A circle of seven bits seen in a mirror: the bit i becomes the bit -i.
MIRRORED_CIRCLE = constant_table(
    lambda: [sum((c >> i & 1) << -i % 7 for i in range(7)) for c in range(128)]
)

# A board as a number in base 3, seen by the player to move: 1 their ball, 2 the other's.
CIRCLE_BOARD_COUNT: Final = 3**7
BOARD_COUNT: Final = CIRCLE_BOARD_COUNT**2
TERNARY = constant_table(lambda: [int(f"{balls:b}", 3) for balls in range(1 << 14)])


def split_circle(number: int) -> list[int]:
    """The balls of each player on one circle, given by its number in base 3."""
    digits = [number // 3**vertex % 3 for vertex in range(7)]
    return [sum((digit == ball) << i for i, digit in enumerate(digits)) for ball in (1, 2)]


CIRCLE_SPLIT = constant_table(lambda: list(map(split_circle, range(CIRCLE_BOARD_COUNT))))


class DiademaState(NamedTuple):
    """The balls of each player, and who is to move."""

    light: int
    dark: int
    turn: int


class DiademaKernel(Kernel):
    """Positions as words."""

    max_successors = 128
    features: ClassVar[Mapping[str, int]] = {
        "balls": 40,
        "reserve left": 20,
        "inner balls": 10,
        "steps": 4,
        "jumps": 6,
        "balls in danger": -30,
        "fours begun": 4,
        "fours with two": 12,
        "fours with three": 60,
        "turn": 20,
    }

    def encode(self, position: Any) -> DiademaState:
        light, dark = (
            sum(1 << i for i, ball in enumerate(position.board) if ball == own) for own in "cf"
        )
        return DiademaState(light, dark, position.turn)

    def decode(self, state: Any) -> Any:
        board = "".join(
            "c" if state.light >> i & 1 else "f" if state.dark >> i & 1 else EMPTY
            for i in range(14)
        )
        return self.game.start()._replace(board=board, turn=state.turn)


@implements(successors, DiademaState)
def _successors(state: DiademaState, out: SuccessorRows) -> int:
    if HAS_FOUR[state.light] or HAS_FOUR[state.dark]:
        return 0
    turn = state.turn
    own, foe = (state.light, state.dark) if turn == 0 else (state.dark, state.light)
    empty = ALL_VERTICES & ~(own | foe)
    row = 0
    if popcount(own) < BALLS_PER_PLAYER:
        free = empty
        while free:
            row = append_two_sided(out, row, own | (free & -free), foe, turn)
            free &= free - 1
    for start in range(14):
        if own >> start & 1:
            rest = own & ~(1 << start)
            free = ADJACENT[start] & empty
            while free:
                row = append_two_sided(out, row, rest | (free & -free), foe, turn)
                free &= free - 1
            for jump in range(JUMP_COUNT[start]):
                over, to = JUMPS_FROM[start, jump, 0], JUMPS_FROM[start, jump, 1]
                if (own | foe) & over and empty & to:
                    row = append_two_sided(out, row, rest | to, foe & ~over, turn)
    return row


@implements(successor_count, DiademaState)
def _successor_count(state: DiademaState) -> int:
    if HAS_FOUR[state.light] or HAS_FOUR[state.dark]:
        return 0
    own = state.light if state.turn == 0 else state.dark
    full = state.light | state.dark
    empty = ALL_VERTICES & ~full
    total = popcount(empty) if popcount(own) < BALLS_PER_PLAYER else 0
    for start in range(14):
        if own >> start & 1:
            total += popcount(ADJACENT[start] & empty)
            for jump in range(JUMP_COUNT[start]):
                if full & JUMPS_FROM[start, jump, 0] and empty & JUMPS_FROM[start, jump, 1]:
                    total += 1
    return total


@implements(winner, DiademaState)
def _winner(state: DiademaState) -> int:
    if HAS_FOUR[state.light]:
        return 0
    return 1 if HAS_FOUR[state.dark] else -1


@implements(load, DiademaState)
def _load(state: DiademaState, out: SuccessorRows, row: int) -> DiademaState:
    return DiademaState(out[row, 0], out[row, 1], out[row, 2])


@implements(key, DiademaState)
def _key(state: DiademaState) -> int:
    return mix64(state.light | state.dark << 14 | state.turn << 28)


@compiled
def transform_star(balls: int, shift: int, mirror: int) -> int:
    """The balls on the star turned by a number of points, or mirrored and turned."""
    outer, inner = balls & 127, balls >> 7
    further = shift
    if mirror:
        # The inner vertex after an outer one comes before its image.
        outer, inner = MIRRORED_CIRCLE[outer], MIRRORED_CIRCLE[inner]
        further = (shift + 6) % 7
    outer = (outer << shift | outer >> (7 - shift)) & 127
    inner = (inner << further | inner >> (7 - further)) & 127
    return outer | inner << 7


@implements(image_count, DiademaState)
def _image_count(state: DiademaState) -> int:
    return 28


@implements(image, DiademaState)
def _image(state: DiademaState, n: int) -> DiademaState:
    shift, mirrored = n % 7, n // 7 % 2
    light, dark = (
        transform_star(state.light, shift, mirrored),
        transform_star(state.dark, shift, mirrored),
    )
    if n < 14:
        return DiademaState(light, dark, state.turn)
    return DiademaState(dark, light, 1 - state.turn)


@implements(index_count, DiademaState)
def _index_count(state: DiademaState) -> int:
    return BOARD_COUNT


@implements(index, DiademaState)
def _index(state: DiademaState) -> int:
    own, foe = (state.light, state.dark) if state.turn == 0 else (state.dark, state.light)
    number: int = TERNARY[own] + 2 * TERNARY[foe]
    return number


@implements(from_index, DiademaState)
def _from_index(state: DiademaState, n: int) -> DiademaState:
    outer, inner = n % CIRCLE_BOARD_COUNT, n // CIRCLE_BOARD_COUNT
    own = CIRCLE_SPLIT[outer, 0] | CIRCLE_SPLIT[inner, 0] << 7
    foe = CIRCLE_SPLIT[outer, 1] | CIRCLE_SPLIT[inner, 1] << 7
    if (
        popcount(own) > BALLS_PER_PLAYER or popcount(foe) > BALLS_PER_PLAYER or HAS_FOUR[own]
    ):  # nobody moves who has won
        return DiademaState(0, 0, 0)
    return DiademaState(own, foe, 0)


@compiled
def can_complete_four(own: int, foe: int) -> bool:
    """Whether a ball more or elsewhere completes a four."""
    full = own | foe
    if popcount(own) < BALLS_PER_PLAYER and FOUR_COMPLETIONS[own] & ~full:
        return True
    balls = own
    while balls:
        ball = balls & -balls
        balls ^= ball
        needed = int(FOUR_COMPLETIONS[own ^ ball]) & ~full
        if needed:
            start = popcount(ball - 1)
            if needed & ADJACENT[start]:
                return True
            while needed:
                if JUMPED_OVER[start, popcount((needed & -needed) - 1)] & full:
                    return True
                needed &= needed - 1
    return False


@implements(urgency, DiademaState)
def _urgency(state: DiademaState) -> int:
    if HAS_FOUR[state.light] or HAS_FOUR[state.dark]:
        return CALM
    own, foe = (state.light, state.dark) if state.turn == 0 else (state.dark, state.light)
    if can_complete_four(own, foe):
        return WIN_IN_ONE
    return MUST_ANSWER if can_complete_four(foe, own) else CALM


@compiled
def rotate_forward(circle: int) -> int:
    """A circle turned by one: each vertex now where its successor was."""
    return (circle << 1 | circle >> 6) & 127


@compiled
def rotate_back(circle: int) -> int:
    """A circle turned by one the other way."""
    return circle >> 1 | (circle & 1) << 6


@compiled
def mobility(own: int, full: int) -> tuple[int, int, int]:
    """How many steps and jumps there are, and the balls that can be jumped over.

    The inner vertex i lies between the outer vertices i and i + 1. A set of jumps is written where
    the ball in the middle stands.
    """
    outer, inner = own & 127, own >> 7
    free, free_inner = ~full & 127, ~full >> 7 & 127
    outer_on, outer_back, inner_on, inner_back = (
        rotate_forward(outer),
        rotate_back(outer),
        rotate_forward(inner),
        rotate_back(inner),
    )
    free_on, free_back, inner_free_on, inner_free_back = (
        rotate_forward(free),
        rotate_back(free),
        rotate_forward(free_inner),
        rotate_back(free_inner),
    )
    steps = (
        (outer_on & free | (outer_back & free) << 7 | (inner & free) << 14)
        | ((inner_on & free) << 21 | (outer & free_inner) << 28)
        | ((outer_back & free_inner) << 35 | (inner_on & free_inner) << 42)
        | (inner_back & free_inner) << 49
    )
    first, second = outer_on & free_back, outer_back & free_on  # on the outer circle
    third, fourth = inner_on & inner_free_back, inner_back & inner_free_on  # on the inner
    fifth, sixth = outer & inner_free_back, outer_back & inner_free_on  # from a point inwards
    seventh, eighth = inner_on & free_back, inner_back & free  # and out to a point
    jumps = full & 127
    jumps = (first & jumps) | (second & jumps) << 7
    middle = full >> 7
    jumps |= (third & middle) << 14 | (fourth & middle) << 21 | (fifth & middle) << 28
    jumps |= (sixth & middle) << 35 | (seventh & middle) << 42 | (eighth & middle) << 49
    over = (third | fourth | fifth | sixth | seventh | eighth) << 7 | first | second
    return popcount(steps), popcount(jumps), over & full


@implements(evaluate, DiademaState)
def _evaluate(state: DiademaState, weights: Weights) -> int:
    own, foe = (state.light, state.dark) if state.turn == 0 else (state.dark, state.light)
    full = own | foe
    steps, jumps, over = mobility(own, full)
    other_steps, other_jumps, other_over = mobility(foe, full)
    balls, other_balls = popcount(own), popcount(foe)
    fours, others = FOURS_TOUCHED[own], FOURS_TOUCHED[foe]
    mine, theirs = FOURS_MASK & ~others, FOURS_MASK & ~fours
    return int(
        weights[0] * (balls - other_balls)
        + weights[1] * ((balls < BALLS_PER_PLAYER) - (other_balls < BALLS_PER_PLAYER))
        + weights[2] * (popcount(own >> 7) - popcount(foe >> 7))
        + weights[3] * (steps - other_steps)
        + weights[4] * (jumps - other_jumps)
        + weights[5] * (popcount(own & other_over) - popcount(foe & over))
        + weights[6] * (popcount(fours & mine) - popcount(others & theirs))
        + weights[7] * (popcount(fours >> 21 & mine) - popcount(others >> 21 & theirs))
        + weights[8] * (popcount(fours >> 42 & mine) - popcount(others >> 42 & theirs))
        + weights[9]
    )


@implements(next_touches, DiademaState)
def _next_touches(
    state: DiademaState, path: Touches, length: int, places: Touches
) -> tuple[int, bool]:
    if HAS_FOUR[state.light] or HAS_FOUR[state.dark]:
        return 0, False
    own, foe = (state.light, state.dark) if state.turn == 0 else (state.dark, state.light)
    full = own | foe
    empty = ALL_VERTICES & ~full
    if length == 0:
        movers = empty if popcount(own) < BALLS_PER_PLAYER else 0  # placing touches where it goes
        for start in range(14):
            if own >> start & 1 and targets_from(start, full):
                movers |= 1 << start
        n = write_bits(movers, 0, places, 0)
        return n, n == 0
    if length == 1 and own >> path[0] & 1:
        return write_bits(targets_from(path[0], full), 0, places, 0), False
    return 0, True


@compiled
def targets_from(start: int, full: int) -> int:
    """Where a ball can step or jump to."""
    targets: int = ADJACENT[start] & ~full
    for jump in range(JUMP_COUNT[start]):
        if full & JUMPS_FROM[start, jump, 0]:
            targets |= JUMPS_FROM[start, jump, 1] & ~full
    return targets


@implements(after_touches, DiademaState)
def _after_touches(
    state: DiademaState, path: Touches, length: int, out: SuccessorRows, row: int
) -> None:
    own, foe = (state.light, state.dark) if state.turn == 0 else (state.dark, state.light)
    if length > 0:
        own |= 1 << path[length - 1]
    if length == 2:
        own ^= 1 << path[0]
        foe &= ~JUMPED_OVER[path[0], path[1]]
    append_two_sided(out, row, own, foe, state.turn)


@implements(write_pieces, DiademaState)
def _write_pieces(state: DiademaState, pieces: Touches) -> None:
    for vertex in range(14):
        pieces[vertex] = (state.light >> vertex & 1) + 2 * (state.dark >> vertex & 1)


@implements(reserve_count, DiademaState)
def _reserve_count(state: DiademaState, kind: int) -> int:
    return BALLS_PER_PLAYER - popcount(state.light if kind == 0 else state.dark)
