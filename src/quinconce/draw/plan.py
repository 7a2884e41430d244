"""What all pictures of one form of a game share: made once, whatever stands on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from quinconce.core.board import Place, Point
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase
from quinconce.draw.board import Frame, board_layer, place_label, place_phrases, reserve_label
from quinconce.draw.pieces import dot_svg, piece_radius
from quinconce.draw.svg import element, polygon_path, svg_length, translation

Say = Callable[[Phrase], str]
MAX_TEXTS: Final = 10_000  # labels of a form that are kept


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
