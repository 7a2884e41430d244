"""Chooses in a lost position the move after which the win is hardest to find.

Where a table of endgames knows every reply, it tells how many give the win away, and how far it is;
where only a certificate knows that all is lost, a short search tells how many wins are in sight.
"""

from __future__ import annotations

import random
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.analysis import run_search
from quinconce.engine.limits import Limits
from quinconce.engine.scores import PROVED_THRESHOLD
from quinconce.engine.solved import move_oracle, proved_moves, wait_for_endgames
from quinconce.engine.transpositions import plies_to_end
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.endgames.tables import EndgameTable

NODES_A_SECOND: Final = 150_000  # of the short searches of all moves together
LEAST_NODES: Final = 500  # for each move
OUT_OF_SIGHT: Final = 1000  # plies, where no win is seen
FAR_CAPTURE: Final = 12  # turns

# How far the nearest win is that can be seen, how hard it is to find among the replies, how long it
# takes: the greater, the harder.
Resistance = tuple[int, int, int]


def stubborn_move(match: Match[Any], chance: random.Random, seconds: float) -> str | None:
    """The move to play where every move is proved to lose; None elsewhere."""
    kernel = kernel_for(match.game)
    if move_oracle(match.game) is None and calls.index(kernel.encode(match.position)) < 0:
        return None
    values, legal = proved_moves(match), match.legal()
    if len(values) < len(legal) or any(value.result != "loss" for value in values.values()):
        return None
    table = wait_for_endgames(match)
    moves = sorted(legal)
    chance.shuffle(moves)
    places = {text: int(calls.key(calls.canonical(kernel.encode(legal[text])))) for text in moves}
    nodes = max(LEAST_NODES, int(NODES_A_SECOND * seconds) // len(set(places.values())))
    found: dict[int, Resistance] = {}  # by the canonical form: symmetric moves are equal
    for text, place in places.items():
        if place not in found:
            after = legal[text]
            if match.game.outcome(after):
                found[place] = 0, -len(legal), 0
            elif table is not None and table.value(after) is not None:
                found[place] = table_resistance(match.game, table, after)
            else:
                found[place] = *look_for_wins(match.game, after, nodes), values[text].plies or 0
    return max(moves, key=lambda text: found[places[text]])


def table_resistance(game: Game[Any], table: EndgameTable, position: Any) -> Resistance:
    """How many of the replies give the win away, and how far the next capture is.

    A share, not a number: where one must capture, the only move is easy to find. A capture that is
    near is seen by anybody, one beyond FAR_CAPTURE turns by nobody.
    """
    replies = [table.value(after) for _text, after in game.moves(position)]
    losing = sum(worth is not None and worth.result != "loss" for worth in replies) / len(replies)
    value = table.value(position)
    turns = (value.plies if value else None) or 0
    return OUT_OF_SIGHT, round(1000 * losing * min(turns, FAR_CAPTURE)), turns


def look_for_wins(game: Game[Any], position: Any, nodes: int) -> tuple[int, int]:
    """How near a win a short search sees, and how few of them are in sight then."""
    search = AlphaBetaSearch(Match(game, position), Limits(nodes=nodes))
    run_search(search, len(search.root_moves))
    wins = [root.score for root in search.root_moves if root.score > PROVED_THRESHOLD]
    return plies_to_end(max(wins)) if wins else OUT_OF_SIGHT, -len(wins)
