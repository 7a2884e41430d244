"""Pieces as they are seen from above, one by one, in piles and in the reserves beside the board."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from quinconce.core.board import Board, Piece, Place, Point
from quinconce.draw.svg import (
    element,
    polygon_path,
    rectangle,
    svg_length,
    text_element,
    translation,
)

MAX_RADIUS: Final = 0.62
RADIUS_PER_DISTANCE: Final = 0.44  # of the distance between two places
DOT_RADIUS: Final = 0.17
TRAY_GAP: Final = 0.26  # between trays
TRAY_PADDING, COUNT_WIDTH = 0.45, 2  # about the pieces, and for their number: in radii
WIDTH_WITHOUT_BOARD: Final = 6.0  # the width of trays without a board


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


class Tray(NamedTuple):
    """Where the pieces of one kind wait; one that leaves goes from the right."""

    kind: Piece
    left: float
    top: float
    width: float
    radius: float  # of the pieces in it
    stock: int
    held: int

    @property
    def height(self) -> float:
        """As high as a piece with its padding."""
        return 2 * (1 + TRAY_PADDING) * self.radius

    def slot_point(self, i: int) -> Point:
        """The middle of the place of a waiting piece."""
        free_width = self.width - (2 * TRAY_PADDING + COUNT_WIDTH + 2) * self.radius
        step = min(2.2 * self.radius, free_width / max(self.stock - 1, 1))
        return self.left + (TRAY_PADDING + 1) * self.radius + i * step, self.top + self.height / 2

    def exit_point(self) -> Point:
        """Where the last piece that left was waiting."""
        return self.slot_point(min(self.held, self.stock - 1))

    def svg_parts(self) -> Iterator[str]:
        """The tray, what waits on it, and how many."""
        for part in ("tray hit", "ring"):
            yield rectangle(self.left, self.top, self.width, self.height, class_=part)
        if self.slot_point(1)[0] - self.slot_point(0)[0] >= 2 * self.radius:
            for i in range(self.held, self.stock):
                at = translation(self.slot_point(i))
                yield element(
                    "circle", class_="hollow", r=svg_length(0.8 * self.radius), transform=at
                )
        for i in range(self.held):
            at = translation(self.slot_point(i))
            yield piece_svg(self.kind, self.radius, data_piece=self.kind.letter, transform=at)
        x, y = self.left + self.width - 1.2 * self.radius, self.top + self.height / 2
        yield text_element(
            str(self.held), (x, y), 1.05 * self.radius, class_="count", aria_hidden="true"
        )


def reserve_trays(
    board: Board,
    held: Mapping[str, str],
    stock: Mapping[str, str],
    seats: Collection[int],
    flipped: bool,
    right: float,
    bottom: float,
) -> list[Tray]:
    """The trays of some seats: the first half of the kinds below the board, the rest above."""
    half = len(board.reserves) // 2
    halves = [board.reserves[half:], board.reserves[:half]]
    rows = [[kind for kind in row if kind.seat in seats] for row in halves]
    radius = min(max(0.078 * right, 0.28), 0.45)
    tops = [-bottom - TRAY_GAP - 2 * (1 + TRAY_PADDING) * radius, bottom + TRAY_GAP]
    placed = []
    for row, top in zip(reversed(rows) if flipped else rows, tops, strict=True):
        width = (2 * right + TRAY_GAP) / max(len(row), 1) - TRAY_GAP
        for i, kind in enumerate(row):
            left = -right + i * (width + TRAY_GAP)
            n = len(held[kind.letter])
            whole = max(n, len(stock[kind.letter]))
            placed.append(Tray(kind, left, top, width, radius, whole, n))
    return placed
