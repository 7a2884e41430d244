"""A piece as it is seen from above: a disc in its colour, with the shape that goes with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from quinconce.core.board import Board, Piece
from quinconce.draw.svg import element, polygon_path, svg_length

MAX_RADIUS: Final = 0.62
RADIUS_PER_DISTANCE: Final = 0.44  # of the distance between two places


def _ring(r: float) -> str:
    return element(
        "circle", class_="glyph open", r=svg_length(0.3 * r), stroke_width=svg_length(0.17 * r)
    )


def _triangle(r: float) -> str:
    corners = [(0, -0.44 * r), (0.44 * r, 0.32 * r), (-0.44 * r, 0.32 * r)]
    return element("path", class_="glyph", d=polygon_path(corners))


def _square(r: float) -> str:
    half = 0.33 * r
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    return element("path", class_="glyph", d=polygon_path(corners))


def _lozenge(r: float) -> str:
    corners = [(0, -0.48 * r), (0.48 * r, 0), (0, 0.48 * r), (-0.48 * r, 0)]
    return element("path", class_="glyph", d=polygon_path(corners))


# What tells a kind of piece apart where the colour alone would not, by `Piece.shape`.
GLYPHS: Final[dict[str, Callable[[float], str]]] = {
    "disc": lambda _r: "",
    "ring": _ring,
    "triangle": _triangle,
    "square": _square,
    "lozenge": _lozenge,
}


@lru_cache(maxsize=1024)
def piece_svg(kind: Piece, radius: float, state: str = "piece", **attributes: object) -> str:
    """A piece about (0, 0)."""
    return element(
        "g",
        element(
            "circle", class_="shade", cy=svg_length(0.07 * radius), r=svg_length(1.03 * radius)
        ),
        element("circle", class_="body", r=svg_length(radius)),
        element("circle", class_="edge", r=svg_length(0.8 * radius)),
        GLYPHS[kind.shape](radius),
        class_=f"{state} {kind.colour}",
        **attributes,
    )


def piece_radius(board: Board) -> float:
    """The radius of the pieces: as large as the nearest neighbours allow."""
    parents = {place.parent for place in board.places}
    points = [complex(place.x, place.y) for place in board.places if place.name not in parents]
    nearest = min(abs(a - b) for i, a in enumerate(points) for b in points[:i])
    return min(MAX_RADIUS, RADIUS_PER_DISTANCE * nearest)
