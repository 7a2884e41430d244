"""A picture of a position: the board, the pieces, the reserves and the last move, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any, Final, Generic, NamedTuple

from quinconce.core.board import Place, Point
from quinconce.core.game import PASS, Game
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase
from quinconce.core.position import P
from quinconce.draw import pieces
from quinconce.draw.board import (
    Frame,
    board_layer,
    picture_title,
    place_label,
    place_phrases,
    reserve_label,
)
from quinconce.draw.motion import Leg, Motion, motion_between, motion_from_text
from quinconce.draw.pieces import (
    WIDTH_WITHOUT_BOARD,
    Tray,
    dot_svg,
    piece_radius,
    pile_svg,
    reserve_trays,
)
from quinconce.draw.svg import (
    element,
    line_path,
    polygon_path,
    stylesheet,
    stylesheet_for_theme,
    svg_length,
    translation,
)

Say = Callable[[Phrase], str]
MAX_TEXTS: Final = 10_000  # labels of a form that are kept
WIDTH: Final = 480  # pixels of a picture that stands alone
EDGE_MARGIN, SHADE_HEIGHT = 0.14, 0.08  # of nothing around it all; and for the shade of the board
MAX_ANIMATED_LEGS: Final = 12  # that the style sheet sets going one after the other


class PlaceParts(NamedTuple):
    """What is drawn under a piece and above it, and where."""

    under: str
    above: str
    transform: str


class BoardPlan:
    """The board of a form of a game from one side: its measures, and what never changes."""

    def __init__(self, game: Game[Any], flipped: bool, coordinates: bool) -> None:
        self.board = game.board().half_turn() if flipped else game.board()
        self.coordinates = coordinates
        self.radius = piece_radius(self.board)
        self.frame = Frame(self.board, coordinates)
        self.stock: Mapping[str, str] = game.pieces(game.start())
        self.at: dict[str, Point] = {place.name: (place.x, place.y) for place in self.board.places}
        self.tops = [place for place in self.board.places if place.parent is None]
        self.inside: dict[str, list[Place]] = {}
        for place in self.board.places:
            if place.parent:
                self.inside.setdefault(place.parent, []).append(place)
        self.parts = {place.name: self._place_parts(place) for place in self.board.places}
        self.spoken = place_phrases(self.board)
        self.names = {kind.letter: kind.name for kind in game.kinds}
        self._grounds: dict[str, str] = {}
        self._labels: dict[tuple[Say, str, str], str] = {}

    def _place_parts(self, place: Place) -> PlaceParts:
        hit = (
            element("path", class_="hit", d=polygon_path(place.outline, (place.x, place.y)))
            if place.outline
            else element("circle", class_="hit", r=svg_length(1.45 * self.radius))
        )
        ring = element("circle", class_="ring", r=svg_length(self.radius * 1.12))
        dot = "" if place.parent else dot_svg()
        return PlaceParts(hit, ring + dot, translation((place.x, place.y)))

    def ground(self, title: str) -> str:
        """Everything under the pieces, with the name of the game in the middle."""
        if (drawn := self._grounds.get(title)) is None:
            layer = board_layer(self.board, self.frame, title, self.coordinates)
            drawn = self._grounds[title] = element("g", *layer, class_="ground")
        return drawn

    def label(self, say: Say, name: str, standing: str) -> str:
        """What is said of a place and the pieces on it, from the bottom up; or of a reserve."""
        key = (say, name, standing)
        if (text := self._labels.get(key)) is None:
            if where := self.spoken.get(name):
                text = say(place_label(where, [self.names[letter] for letter in standing]))
            else:
                text = say(reserve_label(self.names[name], len(standing)))
            if len(self._labels) >= MAX_TEXTS:
                self._labels.clear()
            self._labels[key] = text
        return text


@lru_cache(maxsize=64)
def board_plan(game: Game[Any], flipped: bool, coordinates: bool) -> BoardPlan:
    """The plan of a form of a game."""
    return BoardPlan(game, flipped, coordinates)


@dataclass(frozen=True)
class Picture:
    """An SVG text, which a notebook shows by itself.

    >>> from quinconce import Match, game
    >>> drawn = picture_of(Match(game("seega")))
    >>> drawn.svg[:4], drawn.width
    ('<svg', 480)
    """

    svg: str
    width: int
    height: int

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class PictureOptions:
    """How a position is to be drawn."""

    say: Callable[[Phrase], str] = str  # a voice: any language
    flipped: bool = False  # seen from the other side of the board
    coordinates: bool = True
    ground: bool = True  # without it, the reserves alone
    reserves: Collection[int] | None = None  # of these seats; None is all while one holds a piece
    prefix: str = "place-"  # of the ids, so that two pictures can be on one page
    touchable: bool = True  # with roles, labels and focus for every place
    still: bool = False  # no motion, even where the position before is known
    standalone: bool = True  # with its style inside; a page has the style sheet already
    theme: str | None = None  # light or dark, for programs that cannot choose themselves


def picture(
    game: Game[P], position: P, *, last: str | None = None, before: P | None = None, **looks: Any
) -> Picture:
    """A position; `last` is the text of the move that led to it, `before` where it was played.

    >>> from quinconce import game
    >>> rules = game("diam")
    >>> picture(rules, rules.start(), theme="dark").height
    610
    """
    return Drawing(game, position, last, before, PictureOptions(**looks)).picture()


def picture_of(match: Match[Any], ply: int | None = None, **looks: Any) -> Picture:
    """A match after `ply` moves; after all of them if `ply` is None.

    >>> from quinconce import Match, game
    >>> match = Match(game("diadema"))
    >>> position = match.play("@A")
    >>> picture_of(match).svg == picture_of(match, 0).svg
    False
    """
    ply = len(match.moves) if ply is None else ply
    last, before = (match.moves[ply - 1], match.positions[ply - 1]) if ply else (None, None)
    return picture(match.game, match.positions[ply], last=last, before=before, **looks)


class Drawing(Generic[P]):
    """Collects the parts of one picture."""

    def __init__(
        self, game: Game[P], position: P, last: str | None, before: P | None, looks: PictureOptions
    ) -> None:
        self.game, self.position, self.last, self.looks = game, position, last, looks
        self.plan = board_plan(game, looks.flipped, looks.coordinates)
        self.board, self.frame = self.plan.board, self.plan.frame
        self.radius = self.plan.radius
        self.pieces = game.pieces(position)
        self.kinds = {kind.letter: kind for kind in game.kinds}
        self.decisive_places = game.decisive(position)
        self.motion = self._find_motion(before)
        self.moving = before is not None and not looks.still
        self.trays = self._trays()
        self.at: dict[str, Point] = self.plan.at | {
            tray.kind.letter: tray.exit_point() for tray in self.trays
        }
        self.focus = "0"  # of the first place; the others are reached by arrow keys

    def _find_motion(self, before: P | None) -> Motion:
        if before is not None:
            return motion_between(self.game, self.board, before, self.position, self.last)
        if self.last not in (None, PASS):
            return motion_from_text(self.game, self.board, self.position, str(self.last))
        return Motion()

    def _trays(self) -> list[Tray]:
        seats = self.looks.reserves
        if seats is None:
            held = any(self.pieces[kind.letter] for kind in self.board.reserves)
            seats = range(self.game.seats) if held else ()
        width, height = (
            (self.frame.right, self.frame.bottom)
            if self.looks.ground
            else (WIDTH_WITHOUT_BOARD / 2, 0)
        )
        stock = self.plan.stock
        return reserve_trays(
            self.board, self.pieces, stock, seats, self.looks.flipped, width, height
        )

    def picture(self) -> Picture:
        """Everything put together."""
        left, top, width, height = self.view_box()
        looks, say = self.looks, self.looks.say
        title = say(picture_title(self.game, self.position, self.last))
        size = {"width": WIDTH, "height": round(WIDTH * height / width)}
        svg = element(
            "svg",
            *self.style(),
            *self.layers(),
            xmlns="http://www.w3.org/2000/svg",
            class_="picture over" if self.decisive_places else "picture",
            viewBox=f"{left} {top} {width} {height}",
            **(size if looks.standalone else {}),
            role="group" if looks.touchable else "img",
            aria_label=title,
            data_turn=self.game.seat(self.position),
        )
        return Picture(svg, **size)

    def view_box(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of the picture."""
        right, bottom = (
            (self.frame.right, self.frame.bottom)
            if self.looks.ground
            else (WIDTH_WITHOUT_BOARD / 2, 0)
        )
        top = min([-bottom, *(tray.top for tray in self.trays)]) - EDGE_MARGIN
        end = (
            max([bottom, *(tray.top + tray.height for tray in self.trays)])
            + EDGE_MARGIN
            + SHADE_HEIGHT
        )
        return (
            svg_length(-right - EDGE_MARGIN),
            svg_length(top),
            svg_length(2 * (right + EDGE_MARGIN)),
            svg_length(end) - svg_length(top),
        )

    def style(self) -> Iterator[str]:
        """The style sheet, if the picture stands alone."""
        if self.looks.standalone:
            theme = self.looks.theme
            yield element(
                "style", escape(stylesheet_for_theme(theme) if theme else stylesheet(), quote=False)
            )

    def layers(self) -> Iterator[str]:
        """The board, the way of the last move, then all that can be touched."""
        if self.looks.ground:
            yield self.plan.ground(self.looks.say(self.game.title))
            yield from self.tracks()
            yield element("g", *map(self.place, self.plan.tops), class_="places")
        if self.trays:
            yield element("g", *map(self.tray, self.trays), class_="reserves")

    def tracks(self) -> Iterator[str]:
        """The ways of pieces that went further than one step."""
        for legs in self.motion.winding_paths():
            points = [self.at[legs[0].start], *(self.at[leg.end] for leg in legs)]
            yield element("path", class_="track", d=line_path(points))

    def place(self, place: Place) -> str:
        """A place with what stands on it, or a pile with the places inside it."""
        if inside := self.plan.inside.get(place.name):
            return self.pile(place, inside)
        standing = list(self.piece_on(place))
        solid = standing or not place.parent  # an empty level of a pile is nothing to touch
        state = " ".join(
            word
            for word, holds in {
                "place": True,
                "last": place.name in self.motion.highlights,
                "won": place.name in self.decisive_places,
            }.items()
            if holds
        )
        parts = self.plan.parts[place.name]
        return element(
            "g",
            parts.under,
            *self.halo(place),
            *standing,
            parts.above,
            transform=parts.transform,
            **self.place_attributes(place.name, state, "button" if solid else None),
        )

    def halo(self, place: Place) -> Iterator[str]:
        """The highlight of a place where the last move began or ended."""
        if place.name in self.motion.highlights:
            kind = "halo" if place.name in self.pieces else "halo left"
            if place.outline and not place.parent:
                yield element(
                    "path", class_=kind, d=polygon_path(place.outline, (place.x, place.y))
                )
            else:
                yield element("circle", class_=kind, r=svg_length(1.2 * self.radius))

    def pile(self, place: Place, inside: list[Place]) -> str:
        """A pile; where the next pawn would come, a dot can say that it may."""
        free = next((child for child in inside if child.name not in self.pieces), None)
        height = sum(child.name in self.pieces for child in inside)
        levels = [self.place(level) for level in inside]  # first: the first place takes the focus
        role = "group" if height else "button"
        attributes = self.place_attributes(place.name, "place pile", role)
        return pile_svg(place, levels, free, attributes)

    def piece_on(self, place: Place) -> Iterator[str]:
        """The piece on a place, or the ghost of one captured there."""
        if letter := self.pieces.get(place.name):
            legs = self.motion.arrivals.get(place.name, ()) if self.moving else ()
            drawn = pieces.piece_svg(self.kinds[letter], self.radius, data_piece=letter)
            yield self.animate(drawn, legs)
        elif letter := self.motion.captured.get(place.name):
            state = "ghost fading" if self.moving else "ghost"
            yield pieces.piece_svg(self.kinds[letter], self.radius, state)

    def animate(self, drawn: str, legs: tuple[Leg, ...]) -> str:
        """Put a piece back where it came from, by transforms that the style sheet animates."""
        if any(leg.start not in self.at for leg in legs):
            return element("g", drawn, class_="appearing")
        for i, (start, end, hops) in enumerate(legs):
            turn = f"turn-{min(i, MAX_ANIMATED_LEGS - 1)}"
            if hops:
                drawn = element("g", drawn, class_=f"hop {turn}")
            (x0, y0), (x1, y1) = self.at[start], self.at[end]
            back = translation((x0 - x1, y0 - y1))
            drawn = element("g", drawn, class_=f"leg {turn}", transform=back)
        return drawn

    def tray(self, tray: Tray) -> str:
        """A reserve, which is a place too."""
        mine = tray.kind.seat == self.game.seat(self.position) and not self.decisive_places
        state = "place reserve to-move" if mine else "place reserve"
        return element(
            "g", *tray.svg_parts(), **self.place_attributes(tray.kind.letter, state, "button")
        )

    def standing(self, name: str) -> str:
        """The letters of the pieces on a place or in a reserve, those of a pile from below."""
        inside = self.plan.inside.get(name)
        levels = [level.name for level in inside] if inside else [name]
        return "".join(self.pieces.get(level, "") for level in levels)

    def place_attributes(self, name: str, classes: str, role: str | None) -> dict[str, object]:
        """The attributes of a place: id and name; a role and a label if it can be touched."""
        known: dict[str, object] = {
            "id": self.looks.prefix + name.replace(".", "-"),
            "class_": classes,
            "data_place": name,
        }
        if not self.looks.touchable or role is None:
            return known
        focus, self.focus = self.focus, "-1"
        label = self.plan.label(self.looks.say, name, self.standing(name))
        return known | {"role": role, "tabindex": focus, "aria_label": label}
