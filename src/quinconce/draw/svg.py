"""SVG as text: elements, lengths on the scale of the pictures, and the style that they follow."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import Final

from quinconce.core.board import Point
from quinconce.core.phrase import _, quote

SCALE: Final = 100  # of a unit of the board: whole numbers are fine enough, and text stays legible
BOARD_CSS: Final = Path(__file__).with_name("board.css")
THEMES: Final = ("light", "dark")


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


@cache
def stylesheet() -> str:
    """The style sheet that every picture follows; a page serves it beside its own."""
    return BOARD_CSS.read_text(encoding="utf-8")


@cache
def stylesheet_for_theme(theme: str) -> str:
    """The same without variables, conditions and motion, in one theme."""
    return settle_theme(stylesheet(), theme)


def settle_theme(sheet: str, theme: str) -> str:
    """A style sheet in one theme, for programs that know neither variables nor conditions."""
    if theme not in THEMES:
        known = ", ".join(THEMES)
        raise ValueError(
            _("there is no theme {name}: choose among {known}", name=quote(theme), known=known)
        )
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    sheet = re.sub(r"@[^{;]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", sheet)
    choice = THEMES.index(theme)
    pair = r"light-dark\(([^,()]*),([^,()]*)\)"
    sheet = re.sub(pair, lambda found: found[choice + 1].strip(), sheet)
    values = dict(re.findall(r"(--[\w-]+):\s*([^;]*);", sheet))
    sheet = re.sub(r"--[\w-]+:[^;]*;|color-scheme:[^;]*;", "", sheet)
    sheet = re.sub(r"var\((--[\w-]+)\)", lambda found: values[found[1]], sheet)
    return re.sub(r"\s+", " ", sheet).strip()
