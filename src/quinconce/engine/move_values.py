"""What is proved of the moves of a match: their values, and bounds of their expected scores.

Tables, certificates and a short search prove them; what none of them knows is open. A bound says
more than a word where a game has five results: a table of endings proves that nobody can force the
grand victory, and leaves open who is ahead when the game jams.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from quinconce.core.errors import TooManyMovesError
from quinconce.core.match import Match
from quinconce.core.position import Outcome
from quinconce.core.value import OPPOSITE, Result, Value, preference
from quinconce.engine.analysis import run_search
from quinconce.engine.limits import Limits
from quinconce.engine.position_search import PositionSearch
from quinconce.engine.preparation import new_search
from quinconce.engine.scores import (
    COUNTED_WIN_SCORE,
    ENDGAME_WIN,
    WIN,
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
    proved_moves,
    wait_for_endgames,
)
from quinconce.engine.transpositions import plies_to_end
from quinconce.solvers.endgames.tables import EndgameTable

SHORT_PROOF_NODES: Final = 20_000  # that a search has to prove moves of which tables know nothing

ORDER: Final[tuple[Result | None, ...]] = ("win", "draw", None, "loss")
OPEN: Final = ScoreBounds()
JAM: Final = ScoreBounds(1 - COUNTED_WIN_SCORE, COUNTED_WIN_SCORE)


class KnownMove(NamedTuple):
    """A legal move, and what it is worth to the player who plays it; None where that is open."""

    move: str
    result: Result | None
    plies: int | None = None  # to the end of the game, where that is known
    # Turns to the next capture, this move included, where a table of endings knows no more.
    capture_turns: int | None = None


def known_moves(match: Match[Any]) -> list[KnownMove]:
    """Every legal move, the best first: wins, draws, what is open, losses; none if it is over.

    None as well where there are more moves than can be listed.
    """
    try:
        legal = match.legal()
    except TooManyMovesError:
        return []
    if not legal:
        return []
    proved = proved_moves(match)
    if len(proved) < len(legal):
        proved = short_proofs(match) | proved
    turns = capture_turns(match, legal, proved)
    found = [
        KnownMove(text, value.result, value.plies, turns.get(text))
        if (value := proved.get(text))
        else KnownMove(text, None)
        for text in legal
    ]
    return sorted(found, key=move_order)


def short_proofs(match: Match[Any]) -> dict[str, Value]:
    """What a short search proves of moves: wins and losses on the board.

    What it finds in tables of endings does not count, which know nothing of repetitions.
    """
    search = new_search(match, Limits(nodes=SHORT_PROOF_NODES), use_proofs=True)
    run_search(search, len(search.root_moves))
    return {
        root.text: Value("win" if root.score > 0 else "loss", exact_plies(root.score, search))
        for root in search.root_moves
        if ENDGAME_WIN < abs(root.score) <= WIN
    }


def exact_plies(score: int, search: PositionSearch) -> int | None:
    """How far the end is; what is further away than was searched may come sooner."""
    plies = int(plies_to_end(score))
    return plies if plies <= search.depth_reached else None


def capture_turns(
    match: Match[Any], legal: Mapping[str, Any], proved: Mapping[str, Value]
) -> dict[str, int]:
    """How soon a capture comes after moves of which a table of endings knows who wins.

    A side that wins forces captures, each in time, until the last.
    """
    unknown = [
        text for text, value in proved.items() if value.plies is None and value.result != "draw"
    ]
    table = wait_for_endgames(match) if unknown else None
    if table is None:
        return {}
    found = {}
    for text in unknown:
        after = legal[text]
        value = table.value(after)
        if not match.game.is_quiet(match.position, after):
            found[text] = 1
        elif value and value.plies is not None and OPPOSITE[value.result] == proved[text].result:
            found[text] = value.plies + 1
    return found


def move_order(move: KnownMove) -> tuple[int, int, str]:
    """The best first; quick wins and slow losses, and of equals the first by its text."""
    if move.result is None:
        return ORDER.index(None), 0, move.move
    plies = move.capture_turns if move.plies is None else move.plies
    _rank, speed = preference(Value(move.result, plies))
    return ORDER.index(move.result), -speed, move.move


def move_bounds(match: Match[Any]) -> dict[str, ScoreBounds]:
    """What is proved of each legal move to the player who plays it, the history considered.

    Empty where the moves are too many to list.
    """
    try:
        legal = match.legal()
    except TooManyMovesError:
        return {}
    oracle, table = move_oracle(match.game), wait_for_endgames(match)
    values = oracle_values(match, oracle) if oracle else {}
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
    oracle = move_oracle(match.game)
    values = oracle_values(match, oracle).values() if oracle else ()
    won = any(worth.certain and worth.value.result == "win" for worth in values)
    return won and OPEN in move_bounds(match).values()


def others_most(moves: dict[str, ScoreBounds], best: str) -> float:
    """The most that any move but one may be worth; 1 where there is no other, or not all are."""
    return max((bounds.most for text, bounds in moves.items() if text != best), default=1.0)
