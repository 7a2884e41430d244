"""A board as data: enough to draw any game, and to touch its places, without its rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, inf, pi, sin
from typing import NamedTuple

from quinconce.core.phrase import Phrase, _

Point = tuple[float, float]
Steps = Sequence[frozenset[str]]  # of a move, each of one place or of several in any order


class Place(NamedTuple):
    """Something a finger can touch; x grows to the right, y downwards, a cell is one unit wide."""

    name: str
    x: float
    y: float
    label: Phrase  # as it is spoken
    parent: str | None = None  # the place it lies in: the pile of a pawn
    outline: tuple[Point, ...] = ()  # the corners of a cell; none for a point where lines meet

    def half_turn(self) -> Place:
        """The place as it is seen from the other side of the board."""
        outline = tuple((-x, -y) for x, y in self.outline)
        return self._replace(x=-self.x, y=-self.y, outline=outline)


class Circle(NamedTuple):
    """Places on a circle about the middle of the board, in order."""

    radius: float
    places: tuple[str, ...]


class Region(NamedTuple):
    """Places that the rules treat alike: a camp, a goal, the refuge."""

    name: str
    label: Phrase
    places: tuple[str, ...]
    seat: int | None = None  # whose it is


class Mark(NamedTuple):
    """A coordinate written in the margin, or small on the board itself."""

    text: str
    x: float
    y: float
    inside: bool = False


class Piece(NamedTuple):
    """A kind of piece: its letter in moves and positions, its name, its owner, its look.

    A sentence takes it with its article, as a language wants it: «a red pawn», «the red pawn».
    """

    letter: str
    name: Phrase
    seat: int
    colour: str
    shape: str = "disc"
    indefinite: Phrase = _("a piece")
    definite: Phrase = _("the piece")


class Board(NamedTuple):
    """The geometry of a game; the middle is (0, 0).

    >>> from quinconce import game
    >>> board = game("buts").board()
    >>> len(board.places), board.places[0].name
    (64, 'A1')
    """

    places: tuple[Place, ...]
    lines: tuple[tuple[str, ...], ...] = ()
    circles: tuple[Circle, ...] = ()
    regions: tuple[Region, ...] = ()
    reserves: tuple[Piece, ...] = ()  # the pieces with a reserve; its place is named by the letter
    marks: tuple[Mark, ...] = ()
    rim: tuple[Point, ...] = ()  # the corners of the board; none if it is round

    def place_names(self) -> list[str]:
        """Everything that can be touched: the places and the reserves."""
        return [place.name for place in self.places] + [piece.letter for piece in self.reserves]

    def landmarks(self) -> list[Region]:
        """The regions that stand out, a goal or a refuge; a camp is half the board and does not."""
        return [region for region in self.regions if len(region.places) < len(self.places) / 4]

    def half_turn(self) -> Board:
        """The board seen from the other side; rows and columns keep their margins."""
        places = tuple(place.half_turn() for place in self.places)
        rim = tuple((-x, -y) for x, y in self.rim)
        return self._replace(
            places=places, marks=tuple(map(self._rotate_mark, self.marks)), rim=rim
        )

    def _rotate_mark(self, mark: Mark) -> Mark:
        rectangle = self.rim if len(self.rim) == 4 else ()
        right = max((x for x, _y in rectangle), default=inf)
        bottom = max((y for _x, y in rectangle), default=inf)
        return mark._replace(
            x=mark.x if abs(mark.x) > right else -mark.x,
            y=mark.y if abs(mark.y) > bottom else -mark.y,
        )


def polar_point(step: float, steps: int, radius: float) -> Point:
    """A point a number of steps of a turn clockwise from the top."""
    angle = 2 * pi * step / steps
    return round(radius * sin(angle), 4), round(-radius * cos(angle), 4)


def cell_corners(x: float, y: float) -> tuple[Point, ...]:
    """The corners of a cell of one unit about (x, y)."""
    return ((x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5))


def make_grid(
    rows: str, columns: str, name: Callable[[str, str], str]
) -> tuple[tuple[Place, ...], tuple[Mark, ...], tuple[Point, ...]]:
    """The cells of a grid in reading order, the marks in its margins, and its rim."""
    right, bottom = len(columns) / 2, len(rows) / 2
    xs = {column: i + 0.5 - right for i, column in enumerate(columns)}
    ys = {row: j + 0.5 - bottom for j, row in enumerate(rows)}
    cells = {name(row, column): (xs[column], ys[row]) for row in rows for column in columns}
    places = tuple(
        Place(cell, *at, _("cell {cell}", cell=cell), None, cell_corners(*at))
        for cell, at in cells.items()
    )
    marks = [Mark(row, -right - 0.3, y) for row, y in ys.items()]
    marks += [Mark(column, x, bottom + 0.3) for column, x in xs.items()]
    return (
        places,
        tuple(marks),
        ((-right, -bottom), (right, -bottom), (right, bottom), (-right, bottom)),
    )


def replace_letter(board: str, at: int, letter: str) -> str:
    """The board of a position with another letter on one cell."""
    return board[:at] + letter + board[at + 1 :]


def ray(size: int, start: int, sense: tuple[int, int]) -> list[int]:
    """The cells from one to the edge of a square grid, nearest first; `sense` is (down, right)."""
    row, column = divmod(start, size)
    line = [(row + step * sense[0], column + step * sense[1]) for step in range(1, size)]
    return [size * r + c for r, c in line if 0 <= r < size and 0 <= c < size]


def begins_with(steps: Steps, touched: Sequence[str]) -> bool:
    """Whether a move begins with these places; those of one step may come in any order."""
    at = 0
    for step in steps:
        here = touched[at : at + len(step)]
        if not step.issuperset(here) or len(set(here)) < len(here):
            return False
        at += len(step)
    return len(touched) <= at


def continuations(steps: Steps, touched: Sequence[str]) -> frozenset[str]:
    """The places of a move that begins with these which may be touched next."""
    at = 0
    for step in steps:
        if len(touched) < at + len(step):
            return step.difference(touched[at:])
        at += len(step)
    return frozenset()
