"""exp and log in + − × ÷ alone: every host of compiled code finds the same, to the last bit.

The mathematics of the C library differs between machines and browsers in the last bit, and a tree
that is grown by it would differ sooner or later.
"""

from __future__ import annotations

from typing import Final

from quinconce.kernels.compiled import compiled

LOG_TWO: Final = 0.6931471805599453
# The same in two parts: whole multiples of the first are exact.
LOG_TWO_HIGH: Final = 6.93147180369123816490e-01
LOG_TWO_LOW: Final = 1.90821492927058770002e-10
LOG_TEN: Final = 2.302585092994046
ROOT_TWO: Final = 1.4142135623730951
LEAST_EXPONENT: Final = -700.0  # exp of less is as good as nothing
MOST_EXPONENT: Final = 700.0


@compiled
def exp(x: float) -> float:
    """The power x of e, within 2e-15 of it; what is beyond 700 either way counts as 700."""
    x = min(max(x, LEAST_EXPONENT), MOST_EXPONENT)
    halves = int(x / LOG_TWO + (0.5 if x >= 0.0 else -0.5))
    rest = x - halves * LOG_TWO_HIGH - halves * LOG_TWO_LOW
    total = 1.0
    for term in range(14, 0, -1):  # the series of exp, from its end: |rest| is below 0.35
        total = 1.0 + total * rest / term
    factor = 2.0 if halves >= 0 else 0.5
    halves = abs(halves)
    while halves:
        if halves & 1:
            total *= factor
        factor *= factor
        halves >>= 1
    return total


@compiled
def log(x: float) -> float:
    """The natural logarithm of a positive number, within 2e-15 of it."""
    doublings = 0
    while x > ROOT_TWO:
        x *= 0.5
        doublings += 1
    while x < 0.5 * ROOT_TWO:
        x *= 2.0
        doublings -= 1
    ratio = (x - 1.0) / (x + 1.0)
    square = ratio * ratio
    total = 0.0
    for odd in range(23, 0, -2):  # the series of artanh, from its end: the ratio is below 0.18
        total = total * square + 1.0 / odd
    return doublings * LOG_TWO_HIGH + (doublings * LOG_TWO_LOW + 2.0 * ratio * total)


@compiled
def power_of_ten(x: float) -> float:
    """Ten to the power of x."""
    return exp(x * LOG_TEN)
