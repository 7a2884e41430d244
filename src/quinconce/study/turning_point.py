"""The turning point of a match: the move after which its winner could not be stopped any more."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _
from quinconce.engine.analysis import analyse

NODES: Final = 40_000  # positions that are searched to prove one position won
MAX_PLIES: Final = 40  # positions that are looked at, from the end backwards


class TurningPoint(NamedTuple):
    """From this ply on the winning side could force its win, and did."""

    ply: int  # moves that had been played; 0 for the start
    side: int


def turning_point(match: Match[Any]) -> TurningPoint | None:
    """The first position from which on every one is proved to be won for the winner.

    None where the board has not decided the match between two sides, or nothing is proved.
    """
    game = match.game
    outcome = game.outcome(match.position)
    if outcome is None or not outcome.winners or len(game.sides) != 2:
        return None
    side = game.side(outcome.winners[0])
    past = Match(game, match.start)
    for text in match.moves:
        past.play(text)
    first = len(match.moves)
    while past.moves and len(match.moves) - first < MAX_PLIES:
        past.undo()
        if not is_proved_win(past, side):
            break
        first -= 1
    return TurningPoint(first, side) if first < len(match.moves) else None


def is_proved_win(match: Match[Any], side: int) -> bool:
    """Whether a short search, a table or a certificate proves that a side wins from here."""
    *_earlier, last = analyse(match, nodes=NODES)
    own = match.game.side(match.seat) == side
    return last.lines[0].value == ("win" if own else "loss")


def turning_point_words(match: Match[Any], point: TurningPoint, seat: int) -> Phrase:
    """The turning point, told to a seat."""
    won = match.game.side(seat) == point.side
    if not point.ply:
        if won:
            return _("You could always win this game, from its very start.")
        return _("The other side could always win this game, from its very start.")
    template = (
        _("After move {n} ({move}) the game was won: from there you could always win.")
        if won
        else _(
            "After move {n} ({move}) the game was lost: from there the other side could always win."
        )
    )
    round_number = (point.ply - 1) // len(match.game.cycle) + 1
    return template.fill(n=round_number, move=match.moves[point.ply - 1])
