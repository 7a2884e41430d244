"""Observations as arrays: planes over the places of the board, as a seat sees them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from quinconce.bridges.actions import actions_of
from quinconce.bridges.arguments import game_of
from quinconce.core.game import Game

Planes = npt.NDArray[np.int8]
MOST: Final = 127  # the largest number in a plane: what is more is written as this


def seats_from(game: Game[Any], seat: int) -> list[int]:
    """All seats in the order of their turns, this one first."""
    at = game.cycle.index(seat)
    return list(dict.fromkeys(game.cycle[at:] + game.cycle[:at]))


class Observations:
    """The planes of a game's observations, and how they are filled.

    An observation has a row for every plane and a column for every place, numbered like the action
    that touches it. A plane that says one number has it in every column.
    """

    dtype: Final = np.int8

    def __init__(self, game: Game[Any] | str) -> None:
        self.game = game = game_of(game)
        self.places = actions_of(game).places
        # The kinds of pieces by whose they are: the seat's own first, then as their turns come.
        self.kinds = [
            [kind for owner in seats_from(game, seat) for kind in game.kinds if kind.seat == owner]
            for seat in range(game.seats)
        ]
        self.fields = game.start()._fields[2:]  # beside the board and the turn
        pieces = [f"pieces_{number}" for number in range(len(game.kinds))]
        numbers = ["quiet_left", "repetitions", "passes", "turn", "seat"]
        self.planes = (*pieces, "first_touch", "last_touch", *self.fields, *numbers)
        self.shape = (len(self.planes), len(self.places))
        # What a Box of Gymnasium is made of.
        self.box: dict[str, Any] = {
            "low": 0,
            "high": MOST,
            "shape": self.shape,
            "dtype": self.dtype,
        }
        self.first_touch = self.planes.index("first_touch")
        columns = {name: column for column, name in enumerate(self.places)}
        cells = [columns[cell] for cell in game.cells]
        self.cell_columns: Any = np.array(cells)
        if cells == list(range(len(cells))):
            self.cell_columns = slice(len(cells))  # which NumPy fills sooner
        self.reserves = [
            [
                (plane, columns[kind.letter], kind.letter)
                for plane, kind in enumerate(kinds)
                if kind in game.board().reserves
            ]
            for kinds in self.kinds
        ]
        # For each seat and each letter of a board: a 1 in the plane of its kind.
        self.letter_planes = np.zeros((game.seats, len(game.kinds), 128), self.dtype)
        for seat, kinds in enumerate(self.kinds):
            for plane, kind in enumerate(kinds):
                self.letter_planes[seat, plane, ord(kind.letter)] = 1

    def __reduce__(self) -> tuple[Any, ...]:
        return observations_of, (self.game,)

    def position_planes(
        self, seat: int, position: Any, quiet: int, repetitions: int, passes: int
    ) -> Planes:
        """What a seat sees at the beginning of a turn; a new array.

        `quiet` and `passes` are turns in a row just played, `repetitions` how often the position
        came up before.
        """
        planes = np.zeros(self.shape, self.dtype)
        board = np.frombuffer(position.board.encode("ascii"), np.uint8)
        letter_planes = self.letter_planes[seat]
        planes[: len(letter_planes), self.cell_columns] = letter_planes[:, board]
        for plane, column, letter in self.reserves[seat]:
            planes[plane, column] = self.game.reserve(position, letter)
        limit = self.game.quiet_limit
        left = MOST if limit is None else min(limit - quiet, MOST)
        fields = position[2:]
        numbers = (*fields, left, repetitions, min(passes, MOST), position.turn, seat)
        planes[self.first_touch + 2 :] = np.array(numbers, self.dtype)[:, np.newaxis]
        return planes

    def add_path(self, planes: Planes, path: Sequence[int]) -> None:
        """Write the touches of a turn that is half made into planes without any."""
        for touch, action in enumerate(path, 1):
            number = min(touch, MOST)
            if not planes[self.first_touch, action]:
                planes[self.first_touch, action] = number
            planes[self.first_touch + 1, action] = number


@lru_cache(maxsize=64)
def observations_of(game: Game[Any] | str) -> Observations:
    """The observations of a game, or of the one with this name; made once."""
    return Observations(game)
