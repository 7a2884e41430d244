"""Draws any position of any game with characters: lines in braille, pieces by letter and colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil, cos, hypot, pi, sin
from typing import Final

from rich.text import Text

from quinconce.core.board import Board, Point
from quinconce.core.game import Game
from quinconce.core.position import P

COLUMNS, ROWS = 4, 2  # characters in a unit of the board: cells come out square
# The dots of a braille character, by column and row.
BRAILLE_DOTS: Final = {
    (0, 0): 0x01,
    (0, 1): 0x02,
    (0, 2): 0x04,
    (1, 0): 0x08,
    (1, 1): 0x10,
    (1, 2): 0x20,
    (0, 3): 0x40,
    (1, 3): 0x80,
}
PIECE_STYLES: Final = {
    "red": "white on red3",
    "orange": "black on dark_orange",
    "brown": "white on orange4",
    "black": "white on grey30",
    "yellow": "black on yellow3",
    "green": "white on green4",
    "blue": "white on blue3",
    "white": "black on grey93",
    "light": "black on light_goldenrod2",
    "dark": "white on purple4",
}
LINE_STYLE, MARK_STYLE, LAST_STYLE = "dim", "dim", "bold underline"


def board_text(game: Game[P], position: P, last: str | None = None, fine: bool = True) -> Text:
    """The board with its pieces and marks; the places of the last move are underlined."""
    board = game.board()
    canvas = Canvas(board)
    if fine:
        for start, end in segments(board):
            canvas.draw_line(start, end)
    for mark in board.marks:
        canvas.write((mark.x, mark.y), mark.text, MARK_STYLE)
    parents = {place.parent for place in board.places}
    special = {place for region in board.landmarks() for place in region.places}
    touched = {place for step in game.touches(last) for place in step} if last else set()
    kinds = {kind.letter: kind for kind in game.kinds}
    pieces = game.pieces(position)
    for place in board.places:
        if place.name in parents:
            continue
        if letter := pieces.get(place.name):
            emphasis = LAST_STYLE if touched & {place.name, place.parent} else ""
            style = f"{PIECE_STYLES.get(kinds[letter].colour, 'reverse')} {emphasis}"
            canvas.write((place.x, place.y), f"({letter})", style)
        else:
            empty = ("◇·" if fine else "o.")[place.name not in special]
            style = LAST_STYLE if place.name in touched else "dim"
            canvas.write((place.x, place.y), empty, style)
    return canvas.text()


def segments(board: Board) -> Iterator[tuple[Point, Point]]:
    """Everything that is drawn as a line: outlines, the lines of the game, circles, the rim."""
    at = {place.name: (place.x, place.y) for place in board.places}
    for place in board.places:
        if place.parent is None:
            yield from polygon_sides(place.outline)
    yield from polygon_sides(board.rim)
    for line in board.lines:
        yield at[line[0]], at[line[-1]]
    turn = [2 * pi * i / 90 for i in range(90)]
    for circle in board.circles:
        yield from polygon_sides([(circle.radius * sin(a), circle.radius * cos(a)) for a in turn])


def polygon_sides(corners: Iterable[Point]) -> Iterator[tuple[Point, Point]]:
    """The sides of a polygon."""
    corners = list(corners)
    return zip(corners, corners[1:] + corners[:1], strict=True)


class Canvas:
    """Characters in rows, each with a style, over a picture of dots."""

    def __init__(self, board: Board) -> None:
        things = [(p.x, p.y) for p in board.places] + [(m.x, m.y) for m in board.marks]
        things += [corner for place in board.places for corner in place.outline]
        self.left, self.top = min(x for x, _y in things), min(y for _x, y in things)
        self.width = ceil((max(x for x, _y in things) - self.left) * COLUMNS) + 5
        self.height = ceil((max(y for _x, y in things) - self.top) * ROWS) + 1
        self.dots: dict[tuple[int, int], int] = {}
        self.characters: dict[tuple[int, int], tuple[str, str]] = {}

    def draw_line(self, start: Point, end: Point) -> None:
        """A line of dots."""
        (x0, y0), (x1, y1) = self.to_characters(start), self.to_characters(end)
        steps = ceil(hypot((x1 - x0) * 2, (y1 - y0) * 4)) or 1
        for i in range(steps + 1):
            x, y = x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps
            column, row = int(x * 2 + 1), int(y * 4 + 2)
            cell = (column // 2, row // 4)
            self.dots[cell] = self.dots.get(cell, 0) | BRAILLE_DOTS[column % 2, row % 4]

    def write(self, point: Point, text: str, style: str) -> None:
        """Characters about a point."""
        x, y = self.to_characters(point)
        column, row = round(x) - len(text) // 2, round(y)
        for i, character in enumerate(text):
            self.characters[column + i, row] = (character, style)

    def to_characters(self, point: Point) -> Point:
        """A point of the board in characters from the top left."""
        return (point[0] - self.left) * COLUMNS + 2, (point[1] - self.top) * ROWS

    def text(self) -> Text:
        """The picture, ready for the terminal."""
        text = Text(no_wrap=True, overflow="crop")
        for row in range(self.height):
            line = Text()
            for column in range(self.width):
                if (column, row) in self.characters:
                    line.append(*self.characters[column, row])
                elif dots := self.dots.get((column, row)):
                    line.append(chr(0x2800 + dots), LINE_STYLE)
                else:
                    line.append(" ")
            line.rstrip()
            text.append(line).append("\n")
        return text
