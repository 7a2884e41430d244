"""SVG as text: elements with their attributes escaped, and lengths on the scale of the pictures."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from quinconce.core.board import Point

SCALE: Final = 100  # of a unit of the board: whole numbers are fine enough, and text stays legible


def element(name: str, /, *children: str, **attributes: object) -> str:
    """An element; `class_` is written class, `data_place` data-place, and None is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def length(units: float) -> int:
    """A length of the board in the picture."""
    return round(units * SCALE)


def move_to(point: Point) -> str:
    """The value of `transform` that puts something at a point."""
    return f"translate({length(point[0])} {length(point[1])})"


def outline(corners: Iterable[Point], about: Point = (0, 0)) -> str:
    """The path of a polygon, in coordinates about a point."""
    x, y = about
    return f"M{' '.join(f'{length(a - x)},{length(b - y)}' for a, b in corners)}Z"


def track(points: Iterable[Point]) -> str:
    """The path of an open line."""
    return f"M{' '.join(f'{length(x)},{length(y)}' for x, y in points)}"


def rectangle(left: float, top: float, width: float, height: float, **attributes: object) -> str:
    """A rectangle with round corners."""
    return element(
        "rect",
        x=length(left),
        y=length(top),
        width=length(width),
        height=length(height),
        rx=length(0.12),
        **attributes,
    )


def text(words: str, at: Point, size: float, **attributes: object) -> str:
    """Words centred on a point; figures are as high as seven tenths of their size."""
    x, y = at[0], at[1] + 0.35 * size
    return element(
        "text", escape(words), x=length(x), y=length(y), font_size=length(size), **attributes
    )
