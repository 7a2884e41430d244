"""Positions with more moves than can be listed: handed in they are refused, else narrowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from quinconce.core.errors import TooManyMovesError
from quinconce.core.game import Game
from quinconce.core.position import P

# Chains of captures can be millions. Without them no position of any game has more than 3 160
# moves; of 14 000 random games one came to a position with more than this: docs/lab/move-limit.md.
MOVE_LIMIT: Final = 4096
LISTED_LAST: Final = 8  # positions whose moves are kept
SAMPLE_SIZE: Final = 256  # moves that stand for all where they are too many


class NarrowedMoves(NamedTuple):
    """What is left of the moves of a position once some places were touched."""

    touched: tuple[str, ...]
    legal: dict[str, Any] | None  # the moves that begin there; None while they are too many
    places: frozenset[str]  # that may be touched next
    move: str | None  # that the touched places make already, though a longer one may follow


def list_moves(game: Game[P], position: P) -> dict[str, P]:
    """Every legal move and where it leads; TooManyMovesError if there are too many to list."""
    hashable: Any = position
    return dict(listed_last(game, hashable))


@lru_cache(maxsize=LISTED_LAST)
def listed_last(game: Game[Any], position: Any) -> Mapping[str, Any]:
    """The same, which nobody changes: what shows a position asks for its moves several times."""
    moves = dict(islice(game.moves(position), MOVE_LIMIT + 1))
    if len(moves) > MOVE_LIMIT:
        raise TooManyMovesError(len(moves))
    return moves


def sample_moves(game: Game[P], position: P) -> dict[str, P]:
    """The legal moves; where there are too many to list, some that begin with each first place."""
    try:
        return list_moves(game, position)
    except TooManyMovesError:
        places = sorted(game.next_places(position, ()))
    share = max(1, SAMPLE_SIZE // len(places))
    moves = (islice(game.moves_along(position, (place,)), share) for place in places)
    return dict(chain.from_iterable(moves))


def narrow_moves(game: Game[P], position: P, touched: Sequence[str]) -> NarrowedMoves:
    """The moves that begin with these places, as far as they can be listed."""
    path = tuple(touched)
    moves = dict(islice(game.moves_along(position, path), MOVE_LIMIT + 1))
    whole = (text for text in moves if sum(map(len, game.touches(text))) == len(path))
    return NarrowedMoves(
        path,
        moves if len(moves) <= MOVE_LIMIT else None,
        game.next_places(position, path),
        next(whole, None) if path else None,
    )


@lru_cache(maxsize=64)
def read_position(game: Game[Any], text: str) -> Any:
    """The position that somebody hands in.

    ValueError if it is impossible or written otherwise, TooManyMovesError if its moves cannot be
    listed.
    """
    position = game.read(text)
    list_moves(game, position)
    return position
