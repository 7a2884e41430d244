"""What every kernel can do, and the defaults that most of them share."""

from __future__ import annotations

from typing import Any, Final

from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.bits import popcount
from quinconce.kernels.compiled import by_state, compiled, implements_by_default

SuccessorRows = Int64Array
Weights = Int64Array
Touches = Int64Array  # numbers of places
CALM: Final = 0
WIN_IN_ONE: Final = 1
MUST_ANSWER: Final = 2

# The functions below have no body of their own: a kernel gives each its meaning for its own kind
# of state with `implements`. A state is a NamedTuple of int64; the options are among its fields.


@by_state
def successors(state: Any, out: SuccessorRows) -> int:
    """Write a row of `out` for every legal move, `pass` included, and return how many there are."""
    raise NotImplementedError


@by_state
def successor_count(state: Any) -> int:
    """How many rows `successors` would write."""
    raise NotImplementedError


@by_state
def winner(state: Any) -> int:
    """The side that has won, or -1 while the board decides nothing."""
    raise NotImplementedError


@by_state
def load(state: Any, out: SuccessorRows, row: int) -> Any:
    """The state in a row that `successors` of this state wrote."""
    raise NotImplementedError


@by_state
def key(state: Any) -> int:
    """A hash of everything that makes the position, equal for equal positions."""
    raise NotImplementedError


@by_state
def image_count(state: Any) -> int:
    """How many symmetries the game has, standing still among them."""
    raise NotImplementedError


@by_state
def image(state: Any, n: int) -> Any:
    """The state as the symmetry number n shows it; number 0 stands still."""
    raise NotImplementedError


@by_state
def canonical(state: Any) -> Any:
    """One of the symmetric states, the same for all of them."""
    raise NotImplementedError


@by_state
def evaluate(state: Any, weights: Weights) -> int:
    """How good the position looks to the player to move, in hundredths of a pawn or so.

    A sum of weights, each times a whole number that the board tells; nothing else, so that the
    weights can be fitted. Where the board decides, any number will do.
    """
    raise NotImplementedError


@by_state
def urgency(state: Any) -> int:
    """WIN_IN_ONE if a move wins; MUST_ANSWER under a threat or a duty; CALM otherwise."""
    raise NotImplementedError


@by_state
def jammed(state: Any) -> int:
    """Who would win if the game stopped here: 1 the player to move, -1 the other, 0 nobody."""
    raise NotImplementedError


@by_state
def is_quiet(state: Any, after: Any) -> int:
    """Whether a turn counts towards the quiet limit, 1 or 0."""
    raise NotImplementedError


@by_state
def index_count(state: Any) -> int:
    """How many numbers `index` gives; none where a game is too large to be numbered."""
    raise NotImplementedError


@by_state
def index(state: Any) -> int:
    """The number of a position among all, seen by the player to move; from 0."""
    raise NotImplementedError


@by_state
def from_index(state: Any, n: int) -> Any:
    """The position with a number, its options those of `state`; or one with another number.

    It has another number where no possible position has this one.
    """
    raise NotImplementedError


@by_state
def is_placing(state: Any) -> int:
    """Whether pieces are still being set up, 1 or 0: then there are more moves than one can try."""
    raise NotImplementedError


@by_state
def prunes_by_estimate(state: Any) -> int:
    """Whether a search may leave out what an estimate speaks against by far, 1 or 0.

    For games in which calm positions hardly hide anything: whoever can capture has to.
    """
    raise NotImplementedError


@implements_by_default(prunes_by_estimate)
def _prunes_by_estimate(state: Any) -> int:
    return 0


@implements_by_default(is_placing)
def _is_placing(state: Any) -> int:
    return 0


@implements_by_default(jammed)
def _jammed(state: Any) -> int:
    return 0


@implements_by_default(is_quiet)
def _is_quiet(state: Any, after: Any) -> int:
    return 0


@by_state
def endgame_layer_start(state: Any, pieces: int) -> int:
    """The first number of the positions with `pieces` pieces, which come one after the other.

    For games where pieces only ever leave the board, too large to be numbered but for few pieces;
    -1 where nothing is numbered.
    """
    raise NotImplementedError


@by_state
def endgame_part_start(state: Any, pieces: int, own: int) -> int:
    """Among these, the first number of those where the player to move has `own` of the pieces.

    They come one after the other too; `own` goes from none up to one more than there are pieces.
    """
    raise NotImplementedError


@implements_by_default(endgame_layer_start)
def _endgame_layer_start(state: Any, pieces: int) -> int:
    return -1


@by_state
def indices_per_board(state: Any) -> int:
    """How many numbers each board of an endgame has, in a row: it may matter how it came about.

    Symmetric boards have all of theirs symmetric, and the first belongs to a position if any does.
    """
    raise NotImplementedError


@implements_by_default(indices_per_board)
def _indices_per_board(state: Any) -> int:
    return 1


@by_state
def indices_per_cell_set(state: Any, pieces: int, own: int) -> int:
    """How many numbers of such a part in a row are those of boards that hold the same cells.

    A symmetry takes all of them to the numbers of one other set of cells.
    """
    raise NotImplementedError


@implements_by_default(indices_per_cell_set)
def _indices_per_cell_set(state: Any, pieces: int, own: int) -> int:
    return 1


@by_state
def quiet_predecessors(state: Any, out: SuccessorRows) -> int:
    """Write a row for every position of an endgame from which a quiet turn leads here.

    Whether a capture forbids that turn there is for the caller to look at. Returns how many.
    """
    raise NotImplementedError


@implements_by_default(quiet_predecessors)
def _quiet_predecessors(state: Any, out: SuccessorRows) -> int:
    return 0


@implements_by_default(endgame_part_start)
def _endgame_part_start(state: Any, pieces: int, own: int) -> int:
    return -1


@implements_by_default(index_count)
def _index_count(state: Any) -> int:
    return 0


@implements_by_default(index)
def _index(state: Any) -> int:
    return -1


@implements_by_default(from_index)
def _from_index(state: Any, n: int) -> Any:
    return state


@compiled
def least_image(state: Any) -> Any:
    """The first of all symmetric states, in the order of their numbers."""
    first = state
    for n in range(1, image_count(state)):
        other = image(state, n)
        if other < first:
            first = other
    return first


@implements_by_default(canonical)
def _canonical(state: Any) -> Any:
    return least_image(state)


@compiled
def append_two_sided(out: SuccessorRows, row: int, own: int, foe: int, turn: int) -> int:
    """Write a successor of a state that is a word for each side, then the turn; the next row."""
    out[row, turn] = own
    out[row, 1 - turn] = foe
    out[row, 2] = 1 - turn
    return row + 1


# A move is also a path of touches, as `Game.touches` gives it. A place has the number of its rank
# among the places of the board, the reserves after them: `Board.place_names`. Paths are followed
# a touch at a time, because the chains of one position can be more than any room would hold.


@by_state
def next_touches(state: Any, path: Touches, length: int, places: Touches) -> tuple[int, bool]:
    """Write the places that may be touched after the first `length` of `path`, each once.

    Returns how many there are, and whether the path is a move by now. The empty path is one, a
    pass, if nothing else can be done; where the board decides, nothing can.
    """
    raise NotImplementedError


@by_state
def after_touches(state: Any, path: Touches, length: int, out: SuccessorRows, row: int) -> None:
    """Write the successor that a path leads to which is a move, as `load` reads it."""
    raise NotImplementedError


@by_state
def write_pieces(state: Any, pieces: Touches) -> None:
    """Write what stands on each cell: 0 for nothing, or the rank of its letter, from 1."""
    raise NotImplementedError


@by_state
def reserve_count(state: Any, kind: int) -> int:
    """How many pieces of a kind wait beside the board; the kinds in the order of their letters."""
    raise NotImplementedError


@implements_by_default(reserve_count)
def _reserve_count(state: Any, kind: int) -> int:
    return 0


@compiled
def write_bits(word: int, base: int, out: Touches, n: int) -> int:
    """Write the numbers of the bits of a word, each plus `base`, from row n on; the next row."""
    while word:
        out[n] = base + popcount((word & -word) - 1)
        word &= word - 1
        n += 1
    return n
