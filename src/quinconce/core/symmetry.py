"""The symmetries of a game: maps of places, colours and turns that the rules cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from quinconce.core.position import P


class Symmetry(NamedTuple):
    """One map. A piece at a place goes to `places[place]` and becomes `letters[piece]`."""

    places: Mapping[str, str]
    order: tuple[int, ...]  # the letter i of the new board is the letter order[i] of the old one
    letters: Mapping[int, str]  # for str.translate
    turns: tuple[int, ...]
    seats: tuple[int, ...]

    def image(self, position: P) -> P:
        """The position as this symmetry shows it."""
        board = position.board
        turned = "".join([board[i] for i in self.order]).translate(self.letters)
        return position._replace(board=turned, turn=self.turns[position.turn])


def canonical_position(position: P, symmetries: Iterable[Symmetry]) -> P:
    """The first in plain order of the positions that a position can be turned into."""
    images: Iterable[Any] = (symmetry.image(position) for symmetry in symmetries)
    first: P = min(images)
    return first


def stabiliser(position: P, symmetries: Iterable[Symmetry]) -> list[Symmetry]:
    """The symmetries that leave a position as it is."""
    return [symmetry for symmetry in symmetries if symmetry.image(position) == position]


def distinct_moves(
    position: P, moves: Iterable[tuple[str, P]], symmetries: Iterable[Symmetry]
) -> list[tuple[str, int, P]]:
    """Of the moves that are alike, the first by its text, how many there are, where it leads."""
    kept = stabiliser(position, symmetries)
    classes: dict[P, list[tuple[str, P]]] = {}
    for text, after in sorted(moves, key=lambda move: move[0]):
        classes.setdefault(canonical_position(after, kept), []).append((text, after))
    return [(alike[0][0], len(alike), alike[0][1]) for alike in classes.values()]


def make_symmetry(
    cells: Sequence[str],
    places: Mapping[str, str],
    letters: Mapping[str, str],
    turns: Sequence[int] = (0, 1),
    seats: Sequence[int] = (0, 1),
) -> Symmetry:
    """The map that takes every cell where `places` says; reserves go with their letters."""
    came_from = {arrival: cells.index(start) for start, arrival in places.items() if start in cells}
    order = tuple(came_from[cell] for cell in cells)
    table = str.maketrans(dict(letters))
    return Symmetry({**places, **letters}, order, table, tuple(turns), tuple(seats))


def square_place_maps(cells: Sequence[str], size: int) -> list[dict[str, str]]:
    """The turns and mirrors of a square grid: the four that keep rows as rows first."""
    last = size - 1
    maps = []
    for turned in (False, True):
        for flip_rows in (0, last):
            for flip_columns in (0, last):
                places = {}
                for cell, name in enumerate(cells):
                    row, column = abs(flip_rows - cell // size), abs(flip_columns - cell % size)
                    places[name] = cells[column * size + row if turned else row * size + column]
                maps.append(places)
    return maps
