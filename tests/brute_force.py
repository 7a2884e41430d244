"""Forced wins by looking at every move: nothing is remembered, ordered or cut off.

What looks back is ignored, as nothing has happened before.
"""

from __future__ import annotations

from typing import Any

from quinconce import Game
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel


def wins_within(game: Game[Any], position: Any, side: int, plies: int) -> bool:
    """Whether a side wins within some plies, by the plain rules and nothing else."""
    if outcome := game.outcome(position):
        return side in map(game.side, outcome.winners)
    if plies == 0:
        return False
    at_once = [wins_within(game, after, side, 0) for _text, after in game.moves(position)]
    mine = game.side(game.seat(position)) == side
    if plies == 1 or (mine and any(at_once)):
        return any(at_once) if mine else all(at_once)
    later = (wins_within(game, after, side, plies - 1) for _text, after in game.moves(position))
    return any(later) if mine else all(later)


def plies_to_win(game: Game[Any], position: Any, most: int) -> int | None:
    """In how many plies the player to move wins by force; None if it takes more than `most`."""
    side = game.side(game.seat(position))
    plies = range(1, most + 1)
    return next((n for n in plies if wins_within(game, position, side, n)), None)


def state_wins_within(kernel: Kernel, state: Any, side: int, plies: int) -> bool:
    """The same as `wins_within` by a kernel, which is quicker where there are many sides."""
    won = calls.winner(state)
    if won >= 0 or plies == 0:
        return bool(won == side)
    out = kernel.new_rows(1)[0]
    rows = range(calls.successors(state, out))
    after = [calls.load(state, out, row) for row in rows]
    mover = kernel.game.side(kernel.game.cycle[state.turn])
    held = (state_wins_within(kernel, state, side, plies - 1) for state in after)
    return any(held) if mover == side else all(held)
