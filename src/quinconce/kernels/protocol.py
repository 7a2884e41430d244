"""What every kernel can do, and what is written once for all of them: counting, random play."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from quinconce.kernels.compiled import by_default, compiled

Rows = npt.NDArray[np.int64]
Weights = npt.NDArray[np.int64]
CALM: Final = 0
WON: Final = 1
PRESSED: Final = 2

# The functions below have no body of their own: a kernel gives each its meaning for its own kind
# of state with `implements`. A state is a NamedTuple of int64; the options are among its fields.


def successors(state: Any, out: Rows) -> int:
    """Write a row of `out` for every legal move, `pass` included, and return how many there are."""
    raise NotImplementedError


def count(state: Any) -> int:
    """How many rows `successors` would write."""
    raise NotImplementedError


def winner(state: Any) -> int:
    """The side that has won, or -1 while the board decides nothing."""
    raise NotImplementedError


def load(state: Any, out: Rows, row: int) -> Any:
    """The state in a row that `successors` of this state wrote."""
    raise NotImplementedError


def key(state: Any) -> int:
    """A hash of everything that makes the position, equal for equal positions."""
    raise NotImplementedError


def images(state: Any) -> int:
    """How many symmetries the game has, standing still among them."""
    raise NotImplementedError


def image(state: Any, n: int) -> Any:
    """The state as the symmetry number n shows it; number 0 stands still."""
    raise NotImplementedError


def chosen(state: Any) -> Any:
    """One of the symmetric states, the same for all of them."""
    raise NotImplementedError


def evaluate(state: Any, weights: Weights) -> int:
    """How good the position looks to the player to move, in hundredths of a pawn or so.

    A sum of weights, each times a whole number that the board tells; nothing else, so that the
    weights can be fitted. Where the board decides, any number will do.
    """
    raise NotImplementedError


def urgency(state: Any) -> int:
    """WON if a move wins at once, PRESSED if a threat or a duty wants an answer, else CALM."""
    raise NotImplementedError


def jammed(state: Any) -> int:
    """Who would win if the game stopped here: 1 the player to move, -1 the other, 0 nobody."""
    raise NotImplementedError


def is_quiet(state: Any, after: Any) -> int:
    """Whether a turn counts towards the quiet limit, 1 or 0."""
    raise NotImplementedError


def indices(state: Any) -> int:
    """How many numbers `index` gives; none where a game is too large to be numbered."""
    raise NotImplementedError


def index(state: Any) -> int:
    """The number of a position among all, seen by the player to move; from 0."""
    raise NotImplementedError


def indexed(state: Any, n: int) -> Any:
    """The position with a number, its options those of `state`; or one with another number.

    It has another number where no possible position has this one.
    """
    raise NotImplementedError


def placing(state: Any) -> int:
    """Whether pieces are still being set up, 1 or 0: then there are more moves than one can try."""
    raise NotImplementedError


@by_default(placing)
def _placing(state: Any) -> int:
    return 0


@by_default(jammed)
def _jammed(state: Any) -> int:
    return 0


@by_default(is_quiet)
def _is_quiet(state: Any, after: Any) -> int:
    return 0


def ending(state: Any, pieces: int) -> int:
    """The first number of the positions with so many pieces, which come one after the other.

    For games where pieces only ever leave the board, too large to be numbered but for few pieces;
    -1 where nothing is numbered.
    """
    raise NotImplementedError


def ending_share(state: Any, pieces: int, own: int) -> int:
    """Among these, the first number of those where the player to move has so many of the pieces.

    They come one after the other too; `own` goes from none up to one more than there are pieces.
    """
    raise NotImplementedError


@by_default(ending)
def _ending(state: Any, pieces: int) -> int:
    return -1


def variants(state: Any) -> int:
    """How many numbers each board of an ending has, one after the other: it may matter how it came.

    Symmetric boards have all of theirs symmetric, and the first belongs to a position if any does.
    """
    raise NotImplementedError


@by_default(variants)
def _variants(state: Any) -> int:
    return 1


@by_default(ending_share)
def _ending_share(state: Any, pieces: int, own: int) -> int:
    return -1


@by_default(indices)
def _indices(state: Any) -> int:
    return 0


@by_default(index)
def _index(state: Any) -> int:
    return -1


@by_default(indexed)
def _indexed(state: Any, n: int) -> Any:
    return state


@compiled
def least(state: Any) -> Any:
    """The first of all symmetric states, in the order of their numbers."""
    first = state
    for n in range(1, images(state)):
        other = image(state, n)
        if other < first:
            first = other
    return first


@by_default(chosen)
def _chosen(state: Any) -> Any:
    return least(state)


@compiled
def put(out: Rows, row: int, own: int, foe: int, turn: int) -> int:
    """Write a successor of a state that is a word for each side, then the turn; the next row."""
    out[row, turn] = own
    out[row, 1 - turn] = foe
    out[row, 2] = 1 - turn
    return row + 1
