"""Sets of cells too many for one word: two words that take the operators of one."""

from __future__ import annotations

import operator
from typing import Any, Final, NamedTuple

from quinconce.kernels.compiled import compiled, implements

LOW_BITS: Final = 50  # bits of the first word; the second goes on where it ends
LOW_MASK: Final = (1 << LOW_BITS) - 1


class WideBitboard(NamedTuple):
    """A set of cells: `high` goes on where `low` ends."""

    low: int
    high: int


@compiled
def wide_cells(low: int, high: int) -> Any:
    """The set of two words."""
    return WideBitboard(low, high)


@compiled
def low_word(cells: Any) -> Any:
    """The first word of a set."""
    return cells.low


@compiled
def high_word(cells: Any) -> Any:
    """The second word of a set."""
    return cells.high


@implements(operator.and_, WideBitboard)
def _and(one: WideBitboard, two: WideBitboard) -> WideBitboard:
    return WideBitboard(one.low & two.low, one.high & two.high)


@implements(operator.or_, WideBitboard)
def _or(one: WideBitboard, two: WideBitboard) -> WideBitboard:
    return WideBitboard(one.low | two.low, one.high | two.high)


@implements(operator.ixor, WideBitboard)
@implements(operator.xor, WideBitboard)
def _xor(one: WideBitboard, two: WideBitboard) -> WideBitboard:
    return WideBitboard(one.low ^ two.low, one.high ^ two.high)


@implements(operator.neg, WideBitboard)
def _neg(one: WideBitboard) -> WideBitboard:
    return WideBitboard(-one.low, -one.high if one.low == 0 else ~one.high)


@implements(operator.ne, WideBitboard)
def _ne(one: WideBitboard, nothing: int) -> bool:
    return one.low | one.high != nothing


@implements(operator.lshift, WideBitboard)
def _lshift(one: WideBitboard, far: int) -> WideBitboard:
    if far > LOW_BITS:
        return WideBitboard(0, one.low << (far - LOW_BITS))
    return WideBitboard(one.low << far & LOW_MASK, one.high << far | one.low >> (LOW_BITS - far))


@implements(operator.rshift, WideBitboard)
def _rshift(one: WideBitboard, far: int) -> WideBitboard:
    if far > LOW_BITS:
        return WideBitboard(one.high >> (far - LOW_BITS), 0)
    return WideBitboard(one.low >> far | one.high << (LOW_BITS - far) & LOW_MASK, one.high >> far)


@compiled
def shift_wide(one: WideBitboard, up: int, down: int) -> WideBitboard:
    """A set shifted up or down, by less than a word: one of the two distances is 0."""
    low = one.low << up >> down | one.high << (LOW_BITS - down)
    high = (one.high << up | one.low >> (LOW_BITS - up)) >> down
    return WideBitboard(low & LOW_MASK, high)
