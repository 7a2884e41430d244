"""The board without its pieces: wood, cells, lines, circles, regions, coordinates; its labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import hypot
from typing import Final

from quinconce.core.board import Board, Mark, Place, Point
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase, _
from quinconce.core.position import P
from quinconce.draw.svg import element, line_path, polygon_path, svg_length, text_element

MARGIN: Final = 0.28  # of wood beyond the coordinates
SOCKET_RADIUS, SPECK_RADIUS = 0.2, 0.05  # the radii of an empty point and of an empty level


class Frame:
    """How far the wood reaches: a disc, or the rim of the board made larger."""

    def __init__(self, board: Board, coordinates: bool) -> None:
        marks = [mark for mark in board.marks if coordinates and not mark.inside]
        self.corners: tuple[Point, ...] = ()
        if board.rim:
            reach = apothem(board.rim)
            wide = max([scale_to_reach(board.rim, (mark.x, mark.y)) for mark in marks], default=1)
            grown = wide + (MARGIN if marks else MARGIN / 2) / reach
            self.corners = tuple((x * grown, y * grown) for x, y in board.rim)
            self.right = max(x for x, _y in self.corners)
            self.bottom = max(y for _x, y in self.corners)
        else:
            points = [(mark.x, mark.y) for mark in marks]
            points = points or [(place.x, place.y) for place in board.places]
            margin = MARGIN if marks else 3 * MARGIN
            self.right = self.bottom = max(hypot(x, y) for x, y in points) + margin
        self.letters = min(max(0.065 * self.right, 0.27), 0.4)  # legible at any size of the board

    def outline_svg(self, **attributes: object) -> str:
        """The outline of the wood."""
        if self.corners:
            return element("path", d=polygon_path(self.corners), **attributes)
        return element("circle", r=svg_length(self.right), **attributes)


def apothem(rim: tuple[Point, ...]) -> float:
    """How far the sides of a rim about the middle are from it."""
    (x0, y0), (x1, y1) = rim[:2]
    return abs(x0 * y1 - x1 * y0) / hypot(x1 - x0, y1 - y0)


def scale_to_reach(rim: tuple[Point, ...], point: Point) -> float:
    """How many times larger a rim would have to be to pass through a point."""
    x, y = point
    sides = zip(rim, rim[1:] + rim[:1], strict=True)
    return max(
        abs((x * (y1 - y0) - y * (x1 - x0)) / (x0 * y1 - x1 * y0)) for (x0, y0), (x1, y1) in sides
    )


def board_layer(board: Board, frame: Frame, title: str, coordinates: bool) -> Iterator[str]:
    """Everything under the pieces, the lowest first."""
    yield frame.outline_svg(class_="table-shade", transform="translate(0 10)")
    yield frame.outline_svg(class_="frame")
    if board.rim:
        yield element("path", class_="wood", d=polygon_path(board.rim))
    parents = {place.parent for place in board.places}
    regions = {
        place: region.name if region.seat is None else f"{region.name} seat-{region.seat}"
        for region in board.regions
        for place in region.places
    }
    for place in board.places:
        if place.outline:
            kind = "level" if place.parent else "cell"
            classes = f"{kind} {regions.get(place.name, '')}".strip()
            yield element("path", class_=classes, d=polygon_path(place.outline))
    yield from region_signs(board)
    yield from connecting_lines(board)
    for place in board.places:
        if place.name not in parents and (place.parent or not place.outline):
            socket = ("speck", SPECK_RADIUS) if place.parent else ("socket", SOCKET_RADIUS)
            yield socket_dot(place, *socket)
    if coordinates:
        yield from (mark_svg(mark, frame.letters) for mark in board.marks)
    yield from centre_title(board, title)


def connecting_lines(board: Board) -> Iterator[str]:
    """The circles and lines that join the places."""
    at = {place.name: (place.x, place.y) for place in board.places}
    for circle in board.circles:
        yield element("circle", class_="line", r=svg_length(circle.radius))
    for line in board.lines:
        yield element("path", class_="line", d=line_path((at[line[0]], at[line[-1]])))


def region_signs(board: Board) -> Iterator[str]:
    """The sign in each cell of a region that stands out."""
    at = {place.name: place for place in board.places}
    for region in board.landmarks():
        for name in region.places:
            place = at[name]
            sign = SIGN_DRAWERS.get(region.name, frame_sign)(place)
            yield element("path", class_=f"inlay {region.name}-sign", d=sign)


def frame_sign(place: Place) -> str:
    """A smaller outline inside the cell."""
    shrunk = [
        (place.x + 0.8 * (x - place.x), place.y + 0.8 * (y - place.y)) for x, y in place.outline
    ]
    return polygon_path(shrunk)


def star_sign(place: Place) -> str:
    """A lozenge in a square."""
    half = 0.36
    lozenge = [(0, -half), (half, 0), (0, half), (-half, 0)]
    return frame_sign(place) + polygon_path([(place.x + x, place.y + y) for x, y in lozenge])


# The sign of a region by its name; any other gets a frame.
SIGN_DRAWERS: Final[dict[str, Callable[[Place], str]]] = {"refuge": star_sign}


def socket_dot(place: Place, kind: str, radius: float) -> str:
    """A small mark where a piece may come to stand."""
    return element(
        "circle", class_=kind, cx=svg_length(place.x), cy=svg_length(place.y), r=svg_length(radius)
    )


def mark_svg(mark: Mark, size: float) -> str:
    """A coordinate."""
    kind, size = ("inside", 0.8 * size) if mark.inside else ("margin", size)
    return text_element(
        mark.text, (mark.x, mark.y), size, class_=f"mark {kind}", aria_hidden="true"
    )


def centre_title(board: Board, title: str) -> Iterator[str]:
    """The name of the game in the middle, where no place is near."""
    free = min(hypot(place.x, place.y) for place in board.places)
    if free > 1:
        size = min(0.75, 0.42 * free, 2.4 * free / len(title))
        yield text_element(title, (0, 0), size, class_="legend", aria_hidden="true")


def place_phrases(board: Board) -> dict[str, Phrase]:
    """Every place as it is called, with the region that it lies in."""
    regions = {place: region.label for region in board.landmarks() for place in region.places}
    return {
        place.name: _("{place}, {region}", place=place.label, region=regions[place.name])
        if place.name in regions
        else place.label
        for place in board.places
    }


def reserve_label(colour: Phrase, n: int) -> Phrase:
    """A reserve with how many wait there."""
    return _("reserve, {colour}: {n}", colour=colour, n=n)


def place_label(where: Phrase, standing: Sequence[Phrase]) -> Phrase:
    """A place with what stands on it, from the bottom up."""
    if not standing:
        return _("{place}: empty", place=where)
    what, n = standing[0], len(standing)
    for above in standing[1:]:
        what = _("{one} under {other}", one=what, other=above)
    if n == 1:
        return _("{place}: {piece}", place=where, piece=what)
    return _("{place}, pile of {n}: {piece}", place=where, n=n, piece=what)


def picture_title(game: Game[P], position: P, last: str | None) -> Phrase:
    """The picture in one line: the game, the last move, whose turn or how the board decided."""
    title = _("{game} after {move}", game=game.title, move=last) if last else game.title
    if outcome := game.outcome(position):
        return _("{title}: {reason}", title=title, reason=game.reason(outcome))
    return _("{title}: {player} to move", title=title, player=game.players[game.seat(position)])
