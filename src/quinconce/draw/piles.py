"""A pile: the levels that stand in it, and where the next pawn would come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from quinconce.core.board import Place
from quinconce.draw.svg import element, polygon_path, svg_length, translation

DOT_RADIUS: Final = 0.17


def pile_svg(
    place: Place, levels: Iterable[str], free: Place | None, attributes: Mapping[str, object]
) -> str:
    """A pile with its levels drawn; `free` is the level on which the next pawn would stand."""
    return element(
        "g",
        element("path", class_="hit", d=polygon_path(place.outline)),
        element("path", class_="ring", d=polygon_path(place.outline)),
        *levels,
        dot_svg((free.x, free.y)) if free else "",
        **attributes,
    )


def dot_svg(at: tuple[float, float] | None = None) -> str:
    """The mark that says a piece may come here."""
    where = translation(at) if at else None
    return element("circle", class_="dot", r=svg_length(DOT_RADIUS), transform=where)
