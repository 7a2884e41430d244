"""What every kernel can do, and what is written once for all of them: counting, random play."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from quinconce.core.game import Game
from quinconce.kernels.compiled import by_default, compiled
from quinconce.kernels.sparse_array import room

Rows = npt.NDArray[np.int64]
Weights = npt.NDArray[np.int64]
CALM: Final = 0
WON: Final = 1
PRESSED: Final = 2
ROOM: Final = "quinconce.kernels"

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


class Kernel(ABC):
    """The Python side of a kernel: from a plain position to numbers and back."""

    most: int  # no position has more successors
    features: ClassVar[Mapping[str, int]]  # what `evaluate` counts, with weights set by hand
    fitted_for: ClassVar[tuple[str, ...]] = ()  # the options that have fitted weights of their own

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    @abstractmethod
    def encode(self, position: Any) -> Any:
        """The state of a position."""

    @abstractmethod
    def decode(self, state: Any) -> Any:
        """The position of a state."""

    def rows(self, depth: int) -> npt.NDArray[np.int64]:
        """Room for the successors of so many plies."""
        fields = len(self.encode(self.game.start()))
        return room(depth, self.most, fields)

    def moves(self, position: Any) -> list[Any]:
        """Where each legal move leads, as plain positions."""
        state, out = self.encode(position), self.rows(1)[0]
        rows = expanded(state, out)
        return [self.decode(loaded(state, out, row)) for row in range(rows)]

    def perft(self, position: Any, depth: int) -> int:
        """The number of sequences of exactly `depth` moves."""
        if depth == 0:
            return 1
        return int(leaves(self.encode(position), depth, self.rows(depth), 0))


def kernel(game: Game[Any]) -> Kernel:
    """The kernel of a game, found by the name of its file."""
    module = import_module(f"{ROOM}.{game.name}")
    found: type[Kernel] = next(
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Kernel) and thing is not Kernel
    )
    return found(game)


@compiled
def expanded(state: Any, out: Rows) -> int:
    """`successors`, for Python to call; an error if there are more than there is room for."""
    rows = successors(state, out)
    if rows == out.shape[0]:
        raise OverflowError("a position has more moves than this kernel has room for")
    return rows


@compiled
def loaded(state: Any, out: Rows, row: int) -> Any:
    """`load`, for Python to call."""
    return load(state, out, row)


@compiled
def asked(state: Any) -> int:
    """`winner`, for Python to call."""
    return winner(state)


@compiled
def hashed(state: Any) -> int:
    """`key`, for Python to call."""
    return key(state)


@compiled
def judged(state: Any, weights: Weights) -> int:
    """`evaluate`, for Python to call."""
    return evaluate(state, weights)


@compiled
def pressed(state: Any) -> int:
    """`urgency`, for Python to call."""
    return urgency(state)


@compiled
def stopped(state: Any) -> int:
    """`jammed`, for Python to call."""
    return jammed(state)


@compiled
def quiet(state: Any, after: Any) -> int:
    """`is_quiet`, for Python to call."""
    return is_quiet(state, after)


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
def canonical(state: Any) -> Any:
    """`chosen`, for Python to call."""
    return chosen(state)


@compiled
def shown(state: Any, n: int) -> Any:
    """`image`, for Python to call."""
    return image(state, n)


@compiled
def symmetric(state: Any) -> int:
    """`images`, for Python to call."""
    return images(state)


@compiled
def all_numbers(state: Any) -> int:
    """`indices`, for Python to call."""
    return indices(state)


@compiled
def ending_from(state: Any, pieces: int) -> int:
    """`ending`, for Python to call."""
    return ending(state, pieces)


@compiled
def share_from(state: Any, pieces: int, own: int) -> int:
    """`ending_share`, for Python to call."""
    return ending_share(state, pieces, own)


@compiled
def number_of(state: Any) -> int:
    """`index`, for Python to call."""
    return index(state)


@compiled
def numbered(state: Any, n: int) -> Any:
    """`indexed`, for Python to call."""
    return indexed(state, n)


@compiled
def leaves(state: Any, depth: int, out: npt.NDArray[np.int64], ply: int) -> int:
    """Sequences of exactly `depth` moves; those of the last ply are counted without being made."""
    if depth == 1:
        return count(state)
    total = 0
    for row in range(expanded(state, out[ply])):
        total += leaves(load(state, out[ply], row), depth - 1, out, ply + 1)
    return total


@compiled
def put(out: Rows, row: int, own: int, foe: int, turn: int) -> int:
    """Write a successor of a state that is a word for each side, then the turn; the next row."""
    out[row, turn] = own
    out[row, 1 - turn] = foe
    out[row, 2] = 1 - turn
    return row + 1


@compiled
def mixed(word: int) -> int:
    """The bits of a word stirred: every bit of it changes about half of the result's."""
    word = (word ^ ((word >> 30) & 0x3FFFFFFFF)) * -0x40A7B892E31B1A47
    word = (word ^ ((word >> 27) & 0x1FFFFFFFFF)) * -0x6B2FB644ECCEEE15
    return word ^ ((word >> 31) & 0x1FFFFFFFF)


@compiled
def played_out(state: Any, out: Rows, seed: int, most: int) -> tuple[int, int, int]:
    """A random game to the board's own end or so many plies: plies, winner, the next seed."""
    plies = 0
    while plies < most:
        n = successors(state, out)
        if n == 0:
            break
        seed += 0x1E3779B97F4A7C15
        state = load(state, out, (mixed(seed) & 0x7FFFFFFF) * n >> 31)
        plies += 1
    return plies, winner(state), seed


@compiled
def play_outs(
    state: Any, out: Rows, seed: int, games: int, most: int
) -> tuple[int, int, int, int, int]:
    """So many random games: the plies of them all, and how many each side won."""
    plies = first = second = third = fourth = 0
    for _game in range(games):
        length, won, seed = played_out(state, out, seed, most)
        plies += length
        first += won == 0
        second += won == 1
        third += won == 2
        fourth += won == 3
    return plies, first, second, third, fourth


@compiled
def bits(word: int) -> int:
    """How many bits of a word are set."""
    word = word - ((word >> 1) & 0x5555555555555555)
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((word * 0x0101010101010101) >> 56) & 0xFF
