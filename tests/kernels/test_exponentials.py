"""exp and log of our own: as good as the C library's, and the same on every host."""

from __future__ import annotations

import math
import random

import pytest

from quinconce.kernels.exponentials import exp, log, power_of_ten

CLOSE = 4e-15  # of the value
chance = random.Random(31)


@pytest.mark.parametrize("most", [1e-9, 1.0, 30.0, 690.0])
def test_exp_is_that_of_the_library(most: float) -> None:
    for _time in range(300):
        x = chance.uniform(-most, most)
        assert exp(x) == pytest.approx(math.exp(x), rel=CLOSE)


@pytest.mark.parametrize("most", [1e-6, 1.5, 1e6])
def test_log_is_that_of_the_library(most: float) -> None:
    for _time in range(300):
        x = chance.uniform(0.0, most) + 1e-12
        assert log(x) == pytest.approx(math.log(x), rel=CLOSE, abs=CLOSE)


def test_simple_values_are_exact() -> None:
    assert exp(0.0) == 1.0
    assert log(1.0) == 0.0
    assert power_of_ten(0.0) == 1.0


def test_what_is_too_large_or_too_small_is_cut() -> None:
    assert exp(1e9) == exp(700.0) < math.inf
    assert exp(-1e9) == exp(-700.0) > 0.0
