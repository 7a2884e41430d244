"""What the positions of all games have in common."""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeVar


class Position(Protocol):
    """A NamedTuple of the board, one letter a cell, and whole numbers, the turn among them."""

    @property
    def board(self) -> str: ...
    @property
    def turn(self) -> int: ...  # the step of the game's cycle of turns
    @property
    def _fields(self) -> tuple[str, ...]: ...
    def _replace(self, *args: Any, **fields: Any) -> Self: ...


P = TypeVar("P", bound=Position)
