"""What a table says of many positions at once, and of every touch: value, distance, right moves."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import (
    SuccessorRows,
    Touches,
    after_touches,
    index,
    is_quiet,
    load,
    next_touches,
    winner,
)
from quinconce.solvers.retrograde import Distances

Int8Array = npt.NDArray[np.int8]
Int64Array = npt.NDArray[np.int64]

# A rank orders values: the better for the player to move, the larger. A win in n plies is
# SOONEST - n, a loss in n plies is n - SOONEST, and a draw is 0.
SOONEST: Final = 1 << 20
UNKNOWN: Final = -(1 << 40)


@compiled
def rank_of(worth: int) -> int:
    """The rank of a number of a table."""
    if worth == 0:
        return 0
    return SOONEST - worth + 1 if worth > 0 else -SOONEST - worth - 1


@compiled
def rank_of_move(state: Any, after: Any, table: Distances, to_capture: int, own: int) -> int:
    """The rank of a move to the player who plays it, by where it leads; or UNKNOWN.

    With `to_capture` a table tells the plies to the next capture, and not to the end. `own` is
    the side of the player.
    """
    won = winner(after)
    if won >= 0:
        return SOONEST - 1 if won == own else 1 - SOONEST
    n = index(after)
    if n < 0 or n >= table.size:
        return UNKNOWN
    rank = -rank_of(table[n])
    if rank == 0:
        return 0
    if to_capture and not is_quiet(state, after):
        return SOONEST - 1 if rank > 0 else 1 - SOONEST
    return rank - 1 if rank > 0 else rank + 1


@compiled
def best_rank_along(
    state: Any,
    path: Touches,
    length: int,
    table: Distances,
    to_capture: int,
    own: int,
    rows: SuccessorRows,
    places: Int64Array,
) -> int:
    """The rank of the best move that begins with the first `length` touches of a path.

    `places` has a row for each touch of the longest path, and one more.
    """
    n, whole = next_touches(state, path, length, places[length])
    best = UNKNOWN
    if whole:
        after_touches(state, path, length, rows, 0)
        best = rank_of_move(state, load(state, rows, 0), table, to_capture, own)
    if n == 0:
        return best
    for place in range(n):
        path[length] = places[length, place]
        best = max(
            best,
            best_rank_along(state, path, length + 1, table, to_capture, own, rows, places),
        )
    return best


@compiled
def label_games(
    form: Any,
    states: SuccessorRows,
    paths: Int64Array,
    lengths: Int64Array,
    sides: Int64Array,
    table: Distances,
    to_capture: int,
    worths: Int64Array,
    ranks: Int64Array,
    rows: SuccessorRows,
    places: Int64Array,
) -> None:
    """Write the number of the table for each position, and the rank of each action in it.

    An action that begins no move that the table knows has the rank UNKNOWN, and so has every
    position that the table does not know the number UNKNOWN. The last action is `done`.
    """
    path = places[places.shape[0] - 1]
    for game in range(lengths.size):
        state = load(form, states, game)
        n = index(state)
        worths[game] = UNKNOWN
        for action in range(ranks.shape[1]):
            ranks[game, action] = UNKNOWN
        if n < 0 or n >= table.size or winner(state) >= 0:
            continue
        worths[game] = table[n]
        length, own = lengths[game], sides[state.turn]
        for touch in range(length):
            path[touch] = paths[game, touch]
        found, whole = next_touches(state, path, length, places[length])
        if whole:
            after_touches(state, path, length, rows, 0)
            ranks[game, ranks.shape[1] - 1] = rank_of_move(
                state, load(state, rows, 0), table, to_capture, own
            )
        for place in range(found):
            action = places[length, place]
            path[length] = action
            ranks[game, action] = best_rank_along(
                state, path, length + 1, table, to_capture, own, rows, places
            )
