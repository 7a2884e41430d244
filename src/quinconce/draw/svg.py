"""SVG as text: elements with their attributes escaped, and lengths on the scale of the pictures."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Final

from quinconce.core.board import Point

SCALE: Final = 100  # of a unit of the board: whole numbers are fine enough, and text stays legible


def element(name: str, /, *children: str, **attributes: object) -> str:
    """An element; `class_` is written class, `data_place` data-place, and None is left out."""
    written = "".join(
        [
            f' {attribute_name(key)}="{escape(str(value))}"'
            for key, value in attributes.items()
            if value is not None
        ]
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


@lru_cache
def attribute_name(key: str) -> str:
    """The name of an attribute as SVG writes it."""
    return key.rstrip("_").replace("_", "-")


def svg_length(units: float) -> int:
    """A length of the board in the picture."""
    return round(units * SCALE)


def translation(point: Point) -> str:
    """The value of `transform` that puts something at a point."""
    return f"translate({svg_length(point[0])} {svg_length(point[1])})"


def polygon_path(corners: Iterable[Point], about: Point = (0, 0)) -> str:
    """The path of a polygon, in coordinates about a point."""
    x, y = about
    return f"M{' '.join(f'{svg_length(a - x)},{svg_length(b - y)}' for a, b in corners)}Z"


def line_path(points: Iterable[Point]) -> str:
    """The path of an open line."""
    return f"M{' '.join(f'{svg_length(x)},{svg_length(y)}' for x, y in points)}"


def rectangle(left: float, top: float, width: float, height: float, **attributes: object) -> str:
    """A rectangle with round corners."""
    return element(
        "rect",
        x=svg_length(left),
        y=svg_length(top),
        width=svg_length(width),
        height=svg_length(height),
        rx=svg_length(0.12),
        **attributes,
    )


def text_element(words: str, at: Point, size: float, **attributes: object) -> str:
    """Words centred on a point; figures are as high as seven tenths of their size."""
    x, y = at[0], at[1] + 0.35 * size
    return element(
        "text",
        escape(words),
        x=svg_length(x),
        y=svg_length(y),
        font_size=svg_length(size),
        **attributes,
    )
