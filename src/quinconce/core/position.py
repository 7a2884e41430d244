"""What the positions of all games have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from quinconce.core.phrase import Phrase


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


class PositionField(NamedTuple):
    """A number of a position beside its board: what it is called, and what its values mean."""

    name: str
    label: Phrase
    values: Mapping[int, Phrase]
