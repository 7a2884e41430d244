"""What a position is worth to the player to move, and which of two values is the better one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

Result = Literal["win", "draw", "loss"]
RESULTS: Final[tuple[Result, ...]] = ("loss", "draw", "win")  # the worst first
OPPOSITE: Final[dict[Result, Result]] = {"win": "loss", "draw": "draw", "loss": "win"}


class Value(NamedTuple):
    """What a position is worth to the player to move, both playing their best.

    The winner is in a hurry and the loser is not: `plies` is how long that takes. A value is a
    tuple, and `max` would compare the words of two results: order values by `preference`.
    """

    result: Result
    plies: int | None = None  # to the end of the game; none in a draw

    @classmethod
    def from_distance(cls, distance: int) -> Value:
        """The value that a number in a table stands for.

        A win in n plies is n + 1, a loss in n plies is -n - 1, and a draw is 0.
        """
        if distance == 0:
            return cls("draw")
        return cls("win" if distance > 0 else "loss", abs(distance) - 1)

    def one_ply_earlier(self) -> Value:
        """The value, to the player who moved, of the move that led here."""
        return Value(OPPOSITE[self.result], None if self.plies is None else self.plies + 1)

    def opposite(self) -> Value:
        """What the same position is worth to the other side."""
        return Value(OPPOSITE[self.result], self.plies)


def preference(value: Value) -> tuple[int, int]:
    """The better, the larger: a quick win before a slow one, a slow loss before a quick one."""
    plies = value.plies or 0
    return RESULTS.index(value.result), -plies if value.result == "win" else plies


def best_move(values: Mapping[str, Value]) -> str:
    """The best of moves by what each is worth; of equals, the first by its text."""
    return max(sorted(values), key=lambda text: preference(values[text]))
