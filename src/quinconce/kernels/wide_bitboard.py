"""Sets of cells too many for one word: two words that take the operators of one."""

from __future__ import annotations

import operator
from typing import Final, NamedTuple

from quinconce.kernels.compiled import compiled, implements

LOW: Final = 50  # bits of the first word; the second goes on where it ends
LOW_ALL: Final = (1 << LOW) - 1


class WideCells(NamedTuple):
    """A set of cells: `high` goes on where `low` ends."""

    low: int
    high: int


@implements(operator.and_, WideCells)
def _and(one: WideCells, two: WideCells) -> WideCells:
    return WideCells(one.low & two.low, one.high & two.high)


@implements(operator.or_, WideCells)
def _or(one: WideCells, two: WideCells) -> WideCells:
    return WideCells(one.low | two.low, one.high | two.high)


@implements(operator.ixor, WideCells)
@implements(operator.xor, WideCells)
def _xor(one: WideCells, two: WideCells) -> WideCells:
    return WideCells(one.low ^ two.low, one.high ^ two.high)


@implements(operator.neg, WideCells)
def _neg(one: WideCells) -> WideCells:
    return WideCells(-one.low, -one.high if one.low == 0 else ~one.high)


@implements(operator.ne, WideCells)
def _ne(one: WideCells, nothing: int) -> bool:
    return one.low | one.high != nothing


@implements(operator.lshift, WideCells)
def _lshift(one: WideCells, far: int) -> WideCells:
    if far > LOW:
        return WideCells(0, one.low << (far - LOW))
    return WideCells(one.low << far & LOW_ALL, one.high << far | one.low >> (LOW - far))


@implements(operator.rshift, WideCells)
def _rshift(one: WideCells, far: int) -> WideCells:
    if far > LOW:
        return WideCells(one.high >> (far - LOW), 0)
    return WideCells(one.low >> far | one.high << (LOW - far) & LOW_ALL, one.high >> far)


@compiled
def nudged(one: WideCells, up: int, down: int) -> WideCells:
    """A set shifted up or down, by less than a word: one of the two distances is 0."""
    low = one.low << up >> down | one.high << (LOW - down)
    high = (one.high << up | one.low >> (LOW - up)) >> down
    return WideCells(low & LOW_ALL, high)
