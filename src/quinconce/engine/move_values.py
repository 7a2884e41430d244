"""Every legal move of a match with what is proved of it: by tables, by certificates, by a search.

What none of them knows is open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from quinconce.core.errors import TooManyMovesError
from quinconce.core.match import Match
from quinconce.core.value import OPPOSITE, Result, Value, preference
from quinconce.engine.analysis import run_search
from quinconce.engine.limits import Limits
from quinconce.engine.position_search import PositionSearch
from quinconce.engine.preparation import new_search
from quinconce.engine.scores import ENDGAME_WIN, WIN, plies_to_end
from quinconce.engine.solved import proved_moves, wait_for_endgames

SHORT_PROOF_NODES: Final = 20_000  # that a search has to prove moves of which tables know nothing

ORDER: Final[tuple[Result | None, ...]] = ("win", "draw", None, "loss")


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


def move_order(known: KnownMove) -> tuple[int, int, str]:
    """The best first; quick wins and slow losses, and of equals the first by its text."""
    if known.result is None:
        return ORDER.index(None), 0, known.move
    plies = known.capture_turns if known.plies is None else known.plies
    _rank, speed = preference(Value(known.result, plies))
    return ORDER.index(known.result), -speed, known.move
