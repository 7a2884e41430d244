"""Sentences about a match: the names of its players, and how it ended."""

from __future__ import annotations

from typing import Any

from quinconce.core.match import Match
from quinconce.core.outcome import STOP_REASONS, Outcome
from quinconce.core.phrase import Phrase, _
from quinconce.core.record import Seat


def player_name(match: Match[Any], seat: int, seats: tuple[Seat, ...] = ()) -> Phrase:
    """A seat as people call it: by its name or number, and what it plays with."""
    plays = match.game.players[seat]
    if seats and seats[seat].level is not None and not seats[seat].name:
        return _("Engine {level} ({colours})", level=seats[seat].level, colours=plays)
    if seats and seats[seat].name:
        # A name comes from anybody's record: nothing in it may steer the terminal.
        name = "".join(c if c.isprintable() else "�" for c in seats[seat].name)
        return _("{name} ({colours})", name=name, colours=plays)
    return _("Player {n} ({colours})", n=seat + 1, colours=plays)


def outcome_sentence(match: Match[Any], outcome: Outcome, seats: tuple[Seat, ...] = ()) -> Phrase:
    """How a match ended, in one sentence."""
    why = match.game.reason(outcome)
    if outcome.by:
        why = _("{why}; {stop}", why=why, stop=STOP_REASONS[outcome.by])
    if not outcome.winners:
        return _("A draw: {why}.", why=why)
    names = [player_name(match, seat, seats) for seat in outcome.winners]
    if len(names) == 1:
        return _("{player} wins: {why}.", player=names[0], why=why)
    return _("{player} and {mate} win: {why}.", player=names[0], mate=names[1], why=why)
