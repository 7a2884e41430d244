"""The truth about the games of a batch, where they are solved: value, distance, best moves.

A label holds for a game as it has been played: where a position has come up twice, or the quiet
turns that are left do not suffice, it says that nothing is known. Without history a label holds as
if the game began with its position. No label knows of `max_plies`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.bridges.arguments import parse_count
from quinconce.bridges.batch import Batch
from quinconce.core.game import Game
from quinconce.core.phrase import _
from quinconce.core.value import RESULTS, Value, preference
from quinconce.engine.solved import MoveOracle, move_oracle
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.endgames.tables import DEFAULT_PIECES, endgame_table, most_pieces
from quinconce.solvers.labels import SOONEST, UNKNOWN, label_games
from quinconce.solvers.retrograde import Distances, solution

NO_DISTANCE: Final = -1


class Labels(NamedTuple):
    """What is true of each game of a batch, for the player to move."""

    known: npt.NDArray[np.bool_]
    value: npt.NDArray[np.int8]  # 1 won, 0 drawn, -1 lost; 0 also where it is not known
    distance: npt.NDArray[np.int64]  # plies to the end, or to the next capture; -1 for none
    right: npt.NDArray[np.int8]  # a 1 for every action that keeps the value
    best: npt.NDArray[np.int8]  # and for those that win soonest, or lose latest
    complete: npt.NDArray[np.bool_]  # whether no other action keeps the value


class Table(NamedTuple):
    """A table of a game by the index of its positions."""

    distances: Distances
    to_capture: bool  # whether it tells the plies to the next capture, and not to the end


@cache
def table_of(game: Game[Any], pieces: int) -> Table | None:
    """The table of a whole game, or of its endings with few pieces; None if it has neither."""
    if calls.index_count(kernel_for(game).encode(game.start())):
        whole = solution(game)
        return Table(whole.distances, False) if whole else None
    most = min(pieces, most_pieces(game))
    endings = endgame_table(game, most) if most else None
    return Table(np.asarray(endings.distances), True) if endings else None


def labels(batch: Batch, *, pieces: int = DEFAULT_PIECES, history: bool = True) -> Labels:
    """What is true of every game of a batch: by the table of the game, or by its certificate.

    A table of endings goes up to a number of `pieces`. Without `history` nothing counts that was
    played before. ValueError if nothing of the game is solved.
    """
    # What has come up twice ends a game when it comes again, whatever it would be worth.
    over = batch.done | (history & (batch.games.twice > 0))
    if table := table_of(batch.game, parse_count("pieces", pieces)):
        return labels_by_table(batch, table, ~over, batch.games.quiet * history)
    if oracle := move_oracle(batch.game):
        return labels_by_oracle(batch, oracle, ~over)
    raise ValueError(_("nothing is solved in {game}", game=repr(batch.game)))


def label_positions(
    game: Game[Any] | str, positions: Sequence[Any], *, pieces: int = DEFAULT_PIECES
) -> Labels:
    """The same of some positions, as if games began with them."""
    batch = Batch(game, len(positions), max_plies=1)
    batch.reset(positions=positions)
    return labels(batch, pieces=pieces)


def labels_by_table(
    batch: Batch, table: Table, asked: npt.NDArray[np.bool_], quiet: npt.NDArray[np.int64]
) -> Labels:
    """The labels of a table, which knows every move of a position that it knows.

    `asked` are the games of which something may be known, after as many `quiet` turns. A table of
    endings knows who can force the capture of all pieces in time. Where nobody can, the pieces are
    counted in the end, and of that it knows nothing.
    """
    games, kernel = batch.games, batch.kernel
    worths = np.empty(batch.size, np.int64)
    ranks = np.empty((batch.size, batch.actions.count), np.int64)
    room = max(batch.actions.count, kernel.max_touches)
    label_games(
        batch.form,
        games.states,
        games.paths,
        games.lengths,
        batch.rules.sides,
        table.distances,
        int(table.to_capture),
        worths,
        ranks,
        np.zeros((1, len(batch.form)), np.int64),
        np.zeros((kernel.max_touches + 2, room), np.int64),
    )
    known = (worths != UNKNOWN) & asked
    worths[~known] = 0
    distance = np.where(worths == 0, NO_DISTANCE, np.abs(worths) - 1)
    certain = ranks != UNKNOWN
    if table.to_capture:
        known &= worths != 0
        if batch.rules.quiet_limit >= 0:  # the capture has to come before they run out
            left = batch.rules.quiet_limit - quiet
            known &= distance <= left
            certain &= SOONEST - np.abs(ranks) <= left[:, None]
    value = np.where(known, np.sign(worths), 0).astype(np.int8)
    certain &= known[:, None]
    right = certain & (np.sign(ranks) == value[:, None])
    rank = np.where(value > 0, SOONEST - distance, distance - SOONEST)
    best = right & ((value == 0)[:, None] | (ranks == rank[:, None]))
    distance[~known] = NO_DISTANCE
    return Labels(known, value, distance, right.astype(np.int8), best.astype(np.int8), known)


def labels_by_oracle(batch: Batch, oracle: MoveOracle, asked: npt.NDArray[np.bool_]) -> Labels:
    """The labels of a certificate, which knows one winning move of a position, and its like."""
    size, shape = batch.size, (batch.size, batch.actions.count)
    found = Labels(
        np.zeros(size, np.bool_),
        np.zeros(size, np.int8),
        np.full(size, NO_DISTANCE, np.int64),
        np.zeros(shape, np.int8),
        np.zeros(shape, np.int8),
        np.zeros(size, np.bool_),
    )
    for n in np.flatnonzero(asked).tolist():
        position = batch.position(n)
        values = oracle.move_values(position)
        if not values:
            continue
        top = max(values.values(), key=preference)
        found.complete[n] = len(values) == len(dict(batch.game.moves(position)))
        found.known[n] = top.result == "win" or found.complete[n]
        if found.known[n]:
            found.value[n] = RESULTS.index(top.result) - 1
            found.distance[n] = NO_DISTANCE if top.plies is None else top.plies
            mark_moves(batch, n, values, top, found)
    return found


def mark_moves(batch: Batch, n: int, values: dict[str, Value], top: Value, found: Labels) -> None:
    """Mark the actions that go on to moves that are right, and to the best of them."""
    touched = batch.path(n)
    for text, value in values.items():
        if value.result == top.result:
            for path in batch.actions.paths(text):
                if path[: len(touched)] == touched:
                    action = (*path, batch.actions.done)[len(touched)]
                    found.right[n, action] = 1
                    found.best[n, action] |= preference(value) == preference(top)
