"""What a move did, found from the positions before and after it: which pieces came, went, moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from quinconce.core.board import Board
from quinconce.core.game import STEP_SEPARATOR, Game
from quinconce.core.position import P


class Leg(NamedTuple):
    """One step of a moving piece, from place to place."""

    start: str
    end: str
    hops: bool  # over what stands there


class Motion(NamedTuple):
    """A move as it is shown: places are named, reserves by their letter."""

    highlights: frozenset[str] = frozenset()  # where it began and ended
    arrivals: Mapping[str, tuple[Leg, ...]] = {}  # the place a piece stands on now -> its way there
    captured: Mapping[str, str] = {}  # the place a piece stood on -> its letter

    def winding_paths(self) -> list[tuple[Leg, ...]]:
        """The paths with more than one step: start and end alone do not show them."""
        return [legs for legs in self.arrivals.values() if len(legs) > 1 or legs[0].hops]


def motion_between(game: Game[P], board: Board, before: P, after: P, last: str | None) -> Motion:
    """What changed on the board, each piece that came paired with one alike that left."""
    reserves = {kind.letter for kind in board.reserves}
    old, new = game.pieces(before), game.pieces(after)
    places = [place.name for place in board.places]
    left = [place for place in places if place in old and new.get(place) != old[place]]
    came = [place for place in places if place in new and old.get(place) != new[place]]
    lit = set(came)
    arrivals = {}
    for place in came:
        start = next((one for one in left if old[one] == new[place]), None)
        if start is not None:
            left.remove(start)
            lit.add(start)
            arrivals[place] = tuple(split_legs(board, old, path_of_piece(last, start, place)))
        elif new[place] in reserves:
            arrivals[place] = (Leg(new[place], place, False),)
    around = places_in_text(last)
    if len(around) > 1 and around[0] == around[-1] in new:  # a chain may end where it began
        arrivals[around[0]] = tuple(split_legs(board, old, around))
        lit.add(around[0])
    captured = {place: old[place] for place in left}
    return Motion(frozenset(lit or captured), arrivals, captured)


def path_of_piece(last: str | None, start: str, end: str) -> list[str]:
    """The places a piece passed, as the text of the move has them."""
    steps = places_in_text(last)
    return steps if steps[:1] == [start] and steps[-1:] == [end] else [start, end]


def places_in_text(last: str | None) -> list[str]:
    """The steps that the text of a move names."""
    return [step for step in STEP_SEPARATOR.split(last or "") if step]


def split_legs(board: Board, old: Mapping[str, str], path: list[str]) -> Iterator[Leg]:
    """The way step by step; a jump passes over the place in the middle if a piece was there."""
    for start, end in pairwise(path):
        over = place_between(board, start, end)
        if over not in old:
            yield Leg(start, end, False)
        elif any({start, over, end} <= set(circle.places) for circle in board.circles):
            yield Leg(start, over, True)
            yield Leg(over, end, True)
        else:
            yield Leg(start, end, True)


def place_between(board: Board, start: str, end: str) -> str:
    """The place in the middle of two on a line, on a circle or as the crow flies; or no name."""
    for line in board.lines:
        for one, middle, other in zip(line, line[1:], line[2:], strict=False):
            if {start, end} == {one, other}:
                return middle
    for circle in board.circles:
        ring = circle.places
        for one, middle, other in zip(ring, ring[1:] + ring[:1], ring[2:] + ring[:2], strict=True):
            if {start, end} == {one, other}:
                return middle
    at = {place.name: complex(place.x, place.y) for place in board.places}
    if start not in at or end not in at:
        return ""
    middle_point = (at[start] + at[end]) / 2
    return next((name for name, point in at.items() if abs(point - middle_point) < 0.1), "")


def motion_from_text(game: Game[P], board: Board, position: P, last: str) -> Motion:
    """The places to highlight if only the text of a move is known; of a pile, the pawn on top."""
    pieces = game.pieces(position)
    lit = set()
    for place in (place for step in game.touches(last) for place in step):
        inside = [child.name for child in board.places if child.parent == place]
        lit |= {*[name for name in inside if name in pieces][-1:]} or {place}
    return Motion(frozenset(lit))
