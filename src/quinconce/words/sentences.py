"""Sentences about a match: its players, its moves in words, what to do now, and how it ended."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _
from quinconce.core.position import STOP_REASONS, Outcome
from quinconce.core.record import Seat

FIRST_TURNS: Final = 2  # turns of a player at which the aim of the game is told


def printable_name(seat: Seat) -> str:
    """The name in a seat, safe to print: control characters could steer a terminal."""
    return printable(seat.name)


def printable(text: str) -> str:
    """One line that somebody wrote, with nothing in it that could steer a terminal."""
    return "".join(c if c.isprintable() else "�" for c in text)


def player_name(match: Match[Any], seat: int, seats: tuple[Seat, ...] = ()) -> Phrase:
    """A seat as people call it: by its name or number, and what it plays with."""
    plays = match.game.players[seat]
    if seats and seats[seat].level is not None and not seats[seat].name:
        return _("Engine (level {level}, {colours})", level=seats[seat].level, colours=plays)
    if seats and seats[seat].name:
        return _("{name} ({colours})", name=printable_name(seats[seat]), colours=plays)
    return seat_name(match.game, seat)


def seat_name(game: Game[Any], seat: int) -> Phrase:
    """A seat by its number and what it plays with."""
    return _("Player {n} ({colours})", n=seat + 1, colours=game.players[seat])


# Moves.


def mover_name(
    match: Match[Any], seat: int, seats: tuple[Seat, ...] = (), mine: Collection[int] = ()
) -> Phrase:
    """A seat as the subject of a sentence in the past; a language may add its auxiliary verb."""
    if set(mine) == {seat}:
        return _("You")
    name: object = player_name(match, seat, seats)
    if seats and seats[seat].name:
        name = printable_name(seats[seat])
    elif seats and seats[seat].level is not None:
        name = _("Engine (level {level})", level=seats[seat].level)
    return _("{name}", name=name)


def move_sentence(
    match: Match[Any], ply: int, seats: tuple[Seat, ...] = (), mine: Collection[int] = ()
) -> Phrase:
    """What the move before `ply` did, in words; to the players of the seats `mine`."""
    before, after, text = match.positions[ply - 1], match.positions[ply], match.moves[ply - 1]
    mover = mover_name(match, match.game.seat(before), seats, mine)
    return match.game.tell(before, text, after, mover)


def first_turn_aim(match: Match[Any]) -> Phrase | None:
    """The aim of the player to move, at their first turns."""
    seat = match.seat
    return match.game.aim(seat) if match.turns_of(seat) < FIRST_TURNS else None


# The end.


def outcome_sentence(
    match: Match[Any],
    outcome: Outcome,
    seats: tuple[Seat, ...] = (),
    mine: Collection[int] = (),
) -> Phrase:
    """How a match ended, in one sentence: to the players of the seats `mine`, or to anybody."""
    game = match.game
    if not outcome.winners:
        return _("A draw: {why}.", why=with_stop_reason(game.reason(outcome), outcome))
    sides = {game.side(seat) for seat in mine}
    if len(sides) == 1:
        return own_outcome_sentence(match, outcome, sides.pop(), seats)
    why = with_stop_reason(winning_reason(match, outcome), outcome)
    names = [player_name(match, seat, seats) for seat in outcome.winners]
    if len(names) == 1:
        return _("{player} wins: {why}.", player=names[0], why=why)
    return _("{player} and {mate} win: {why}.", player=names[0], mate=names[1], why=why)


def own_outcome_sentence(
    match: Match[Any], outcome: Outcome, side: int, seats: tuple[Seat, ...]
) -> Phrase:
    """How a match ended that somebody won, to the players of one side."""
    game = match.game
    team = len(game.sides[side]) > 1
    if side == game.side(outcome.winners[0]):
        why = with_stop_reason(victory_reason(match, outcome, seats), outcome)
        template = _("Your team won: {why}.") if team else _("You won: {why}.")
    else:
        defeat = game.won_by(match.position, outcome) or game.victory(outcome)
        if outcome.reason == "resignation":
            defeat = _("your team resigned") if team else _("you resigned")
        why = with_stop_reason(defeat, outcome)
        template = _("Your team lost: {why}.") if team else _("You lost: {why}.")
    return template.fill(why=why)


def victory_reason(match: Match[Any], outcome: Outcome, seats: tuple[Seat, ...]) -> Phrase:
    """Why a side won, as it reads it itself."""
    losing = [seat for seat in range(match.game.seats) if seat not in outcome.winners]
    names = [player_name(match, seat, seats) for seat in losing]
    if outcome.reason == "resignation":
        if len(names) > 1:
            return _("{player} and {mate} resigned", player=names[0], mate=names[1])
        return _("{player} resigned", player=names[0])
    if outcome.reason == "time" and len(names) == 1:
        return _("{player} ran out of time", player=names[0])
    return match.game.own_victories.get(outcome.reason) or winning_reason(match, outcome)


def winning_reason(match: Match[Any], outcome: Outcome) -> Phrase:
    """Why a side won, as anybody reads it."""
    return match.game.won_by(match.position, outcome) or match.game.reason(outcome)


def with_stop_reason(why: Phrase, outcome: Outcome) -> Phrase:
    """A reason, and what stopped the game if it was stopped."""
    return _("{why}; {stop}", why=why, stop=STOP_REASONS[outcome.by]) if outcome.by else why
