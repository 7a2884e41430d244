"""The facts of endings with few pieces: who wins how many, and a check by the plain rules."""

from __future__ import annotations

import random
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.value import Value, best_move
from quinconce.facts.files import Fact
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.endgames.statistics import statistics_by_pieces
from quinconce.solvers.endgames.tables import EndgameTable, endgame_table
from quinconce.solvers.retrograde import LONGEST_DISTANCE

TABLE_SAMPLE: Final = 2000  # positions that the plain rules check


def endgames_fact(game: Game[Any], pieces: int) -> Fact | None:
    """What endings with at most a given number of pieces come to; None if they have no numbers."""
    table = endgame_table(game, pieces)
    if table is None:
        return None
    return {
        "shares": [share._asdict() for share in statistics_by_pieces(table)],
        "checked": check_table(table),
    }


def check_table(table: EndgameTable) -> int:
    """Let the plain rules confirm positions drawn by lot; how many there were."""
    numbers, game = kernel_for(table.game), table.game
    state, chance, seen = numbers.encode(game.start()), random.Random(0), 0
    while seen < TABLE_SAMPLE:
        number = chance.randrange(len(table.distances))
        here = calls.from_index(state, number)
        position = numbers.decode(here)
        if int(calls.index(here)) == number and not game.outcome(position):
            if table.value(position) != value_from_moves(table, position):
                raise AssertionError(game.write(position))
            seen += 1
    return seen


def value_from_moves(table: EndgameTable, position: Any) -> Value:
    """The value that follows from where the moves lead: a win counts the turns to a capture."""
    game = table.game
    found: dict[str, Value] = {}
    for text, after in game.moves(position):
        outcome = game.outcome(after)
        if outcome:
            result = Value("loss" if game.seat(position) in outcome.winners else "win")
        else:
            known = table.value(after)
            assert known is not None, "a move never adds pieces"
            result = known
        if not game.is_quiet(position, after):
            result = Value(result.result, None if result.result == "draw" else 0)
        found[text] = result.one_ply_earlier()
    value = found[best_move(found)]
    too_long = value.plies is not None and value.plies > (game.quiet_limit or LONGEST_DISTANCE)
    return Value("draw") if too_long else value
