"""What is proved of the moves of a match without a search, as bounds of their expected scores.

A bound says more than a word where a game has five results: a table of endings proves that nobody
can force the grand victory, and leaves open who is ahead when the game jams.
"""

from __future__ import annotations

from typing import Any, Final

from quinconce.core.errors import TooManyMovesError
from quinconce.core.match import Match
from quinconce.core.outcome import Outcome
from quinconce.engine.expected_score import (
    COUNTED_WIN_SCORE,
    ScoreBounds,
    drawn_share,
    outcome_scores,
)
from quinconce.engine.solved import (
    is_in_time,
    may_repeat,
    move_oracle,
    oracle_values,
    positions_seen_twice,
    wait_for_endgames,
)
from quinconce.solvers.endgames.tables import EndgameTable

OPEN: Final = ScoreBounds()
JAM: Final = ScoreBounds(1 - COUNTED_WIN_SCORE, COUNTED_WIN_SCORE)


def move_bounds(match: Match[Any]) -> dict[str, ScoreBounds]:
    """What is proved of each legal move to the player who plays it, the history considered.

    Empty where the moves are too many to list.
    """
    try:
        legal = match.legal()
    except TooManyMovesError:
        return {}
    known, table = move_oracle(match.game), wait_for_endgames(match)
    values = oracle_values(match, known) if known else {}
    again = positions_seen_twice(match)
    scores = {"win": 1.0, "draw": drawn_share(match.game), "loss": 0.0}
    found = {}
    for text, after in legal.items():
        if outcome := outcome_after(match, after, after in again):
            score = outcome_scores(match.game, outcome)[match.game.side(match.seat)]
            found[text] = ScoreBounds(score, score)
        elif text in values and values[text].certain:
            score = scores[values[text].value.result]
            found[text] = ScoreBounds(score, score)
        else:
            found[text] = endgame_bounds(match, table, after) if table else OPEN
    return found


def outcome_after(match: Match[Any], after: Any, repeats: bool) -> Outcome | None:
    """How a match ends with the move that leads here: on the board, by repetition, by quiet."""
    game = match.game
    if decided := game.outcome(after):
        return decided
    if repeats:
        return game.jammed(after, "repetition")
    if game.quiet_limit is not None and match.quiet_after(after) >= game.quiet_limit:
        return game.jammed(after, "quiet")
    return None


def endgame_bounds(match: Match[Any], table: EndgameTable, after: Any) -> ScoreBounds:
    """What the endings prove of a move to the player who plays it.

    Neither quiet turns nor repetitions can help anybody to take the last piece. So a jam in the
    table, or a win that does not come in time, is a jam; a win that a repetition may stop is at
    least a jam.
    """
    value = table.value(after)
    if value is None:
        return OPEN
    if not is_in_time(match, after, value):
        return JAM
    won = value.result == "loss"  # by the player who moved here
    if may_repeat(match, table, after):
        return ScoreBounds(JAM.least, 1.0) if won else ScoreBounds(0.0, JAM.most)
    return ScoreBounds(1.0, 1.0) if won else ScoreBounds(0.0, 0.0)


def position_bounds(moves: dict[str, ScoreBounds]) -> ScoreBounds:
    """What is proved of a position by what is proved of all its moves."""
    if not moves:
        return OPEN
    return ScoreBounds(
        max(bounds.least for bounds in moves.values()), max(b.most for b in moves.values())
    )


def is_partly_proved(match: Match[Any]) -> bool:
    """Whether a win is known by some moves while others are open: a certificate knows one answer.

    The player to move may well win with another one, too.
    """
    known = move_oracle(match.game)
    values = oracle_values(match, known).values() if known else ()
    won = any(told.certain and told.value.result == "win" for told in values)
    return won and OPEN in move_bounds(match).values()


def others_most(moves: dict[str, ScoreBounds], best: str) -> float:
    """The most that any move but one may be worth; 1 where there is no other, or not all are."""
    return max((bounds.most for text, bounds in moves.items() if text != best), default=1.0)
