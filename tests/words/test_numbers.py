"""Numbers: their thousands stand apart."""

from __future__ import annotations

import pytest

from quinconce.words.numbers import group_thousands


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1 000"),
        (12345678, "12 345 678"),
        (-1234, "-1 234"),
        (1234.5, "1 234"),
        (1235.5, "1 236"),
        (2**60 + 1, "1 152 921 504 606 846 977"),
    ],
)
def test_thousands_stand_apart(value: float, text: str) -> None:
    assert group_thousands(value) == text
    assert group_thousands(value, "\u00a0") == text.replace(" ", "\u00a0")
