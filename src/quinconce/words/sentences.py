"""What people are told of a match, wherever it is shown: who sits where, how it ends or ended."""

from __future__ import annotations

from typing import Any

from quinconce.core.match import Match
from quinconce.core.outcome import STOPS, Outcome
from quinconce.core.phrase import Phrase as _
from quinconce.core.record import Seat


def player(match: Match[Any], seat: int, seats: tuple[Seat, ...] = ()) -> _:
    """A seat as people call it: by its name or number, and what it plays with."""
    plays = match.game.players[seat]
    if seats and seats[seat].level is not None and not seats[seat].name:
        return _("Engine {level} ({colours})", level=seats[seat].level, colours=plays)
    if seats and seats[seat].name:
        # A name comes from anybody's record: nothing in it may steer the terminal.
        name = "".join(c if c.isprintable() else "�" for c in seats[seat].name)
        return _("{name} ({colours})", name=name, colours=plays)
    return _("Player {n} ({colours})", n=seat + 1, colours=plays)


def ending(match: Match[Any], outcome: Outcome, seats: tuple[Seat, ...] = ()) -> _:
    """How a match ended, in one sentence."""
    why = match.game.reason(outcome)
    if outcome.by:
        why = _("{why}; {stop}", why=why, stop=STOPS[outcome.by])
    if not outcome.winners:
        return _("A draw: {why}.", why=why)
    names = [player(match, seat, seats) for seat in outcome.winners]
    if len(names) == 1:
        return _("{player} wins: {why}.", player=names[0], why=why)
    return _("{player} and {mate} win: {why}.", player=names[0], mate=names[1], why=why)


def proved(result: str, plies: int | None) -> _:
    """What is proved for the player to move, as shortly as can be."""
    if result == "draw":
        return _("drawn")
    if plies is None:
        return _("wins") if result == "win" else _("loses")
    return _("wins in {n}", n=plies) if result == "win" else _("loses in {n}", n=plies)
