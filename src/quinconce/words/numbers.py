"""Numbers as people read them."""

from __future__ import annotations


def group_thousands(value: float, separator: str = " ") -> str:
    """A number without fractions, its thousands apart."""
    return f"{round(value):,}".replace(",", separator)
