"""The reserves: a tray for each kind of piece that waits beside the board, with its number."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from quinconce.core.board import Board, Piece, Point
from quinconce.draw.pieces import drawn
from quinconce.draw.svg import element, length, move_to, rectangle, text

GAP: Final = 0.26  # between trays
PAD, FIGURE = 0.45, 2  # in a tray about the pieces, and kept for their number: in radii
ALONE: Final = 6.0  # the width of trays without a board


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
        """As high as a piece with some room."""
        return 2 * (1 + PAD) * self.radius

    def slot(self, i: int) -> Point:
        """The middle of the place of a waiting piece."""
        room = self.width - (2 * PAD + FIGURE + 2) * self.radius
        step = min(2.2 * self.radius, room / max(self.stock - 1, 1))
        return self.left + (PAD + 1) * self.radius + i * step, self.top + self.height / 2

    def exit(self) -> Point:
        """Where the last piece that left was waiting."""
        return self.slot(min(self.held, self.stock - 1))

    def drawn(self) -> Iterator[str]:
        """The tray, what waits on it, and how many."""
        for part in ("tray hit", "ring"):
            yield rectangle(self.left, self.top, self.width, self.height, class_=part)
        if self.slot(1)[0] - self.slot(0)[0] >= 2 * self.radius:
            for i in range(self.held, self.stock):
                at = move_to(self.slot(i))
                yield element("circle", class_="hollow", r=length(0.8 * self.radius), transform=at)
        for i in range(self.held):
            at = move_to(self.slot(i))
            yield drawn(self.kind, self.radius, data_piece=self.kind.letter, transform=at)
        x, y = self.left + self.width - 1.2 * self.radius, self.top + self.height / 2
        yield text(str(self.held), (x, y), 1.05 * self.radius, class_="count", aria_hidden="true")


def trays(
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
    tops = [-bottom - GAP - 2 * (1 + PAD) * radius, bottom + GAP]
    placed = []
    for row, top in zip(reversed(rows) if flipped else rows, tops, strict=True):
        width = (2 * right + GAP) / max(len(row), 1) - GAP
        for i, kind in enumerate(row):
            left = -right + i * (width + GAP)
            n = len(held[kind.letter])
            whole = max(n, len(stock[kind.letter]))
            placed.append(Tray(kind, left, top, width, radius, whole, n))
    return placed
