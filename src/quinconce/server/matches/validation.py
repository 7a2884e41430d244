"""Validation: whether a seat may do something in a match as it is now, a move above all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from quinconce.core.move_input import parse_typed_move
from quinconce.core.phrase import _
from quinconce.server.matches import events
from quinconce.server.matches.events import AnyAct, Matter
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.setup import clean_name
from quinconce.server.refusals import NotYourTurnError, PlayerPresentError, TooLongError

# What is said beside the board counts too, but less.
EVENTS_PER_MOVE: Final = 4


def validate_act(state: OnlineMatch, seat: int | None, act: AnyAct) -> AnyAct:
    """The act in its one spelling; an error that says why, if it may not be done.

    What the server does by itself, such as a timeout, is not questioned. Whether a move is legal is
    left to the rules, when it is applied.
    """
    if seat is None:
        return act
    match act:
        case events.Move():
            return validate_move(state, seat, act)
        case events.Agree():
            return validate_agreement(state, seat, act)
        case events.Refuse():
            if act.matter not in state.offers:
                raise ValueError(_("nobody has asked for that"))
        case events.Resign():
            check_not_over(state)
            check_no_engine(state, seat)
        case events.Rename():
            return events.Rename(clean_name(act.name))
        case events.Return():
            if not state.seats[seat].lent:
                raise ValueError(_("this seat is not lent to the engine"))
    return act


def check_length(state: OnlineMatch, act: AnyAct, most: int) -> None:
    """TooLongError if a match has `most` moves; one may always resign."""
    long = len(state.match.moves) >= most or state.seq >= EVENTS_PER_MOVE * most
    if long and not isinstance(act, events.Resign):
        raise TooLongError


def lent_seat(act: AnyAct) -> int | None:
    """The seat that somebody wants to lend to the engine, if that is what they want."""
    return act.about if isinstance(act, events.Agree) and act.matter == "engine" else None


def check_absence(wait: float | None) -> None:
    """PlayerPresentError if a seat may be lent only after a while, or not: somebody is there."""
    if wait is None or wait > 0:
        raise PlayerPresentError


def check_not_over(state: OnlineMatch) -> None:
    """ValueError if the match is over."""
    if over := state.match.outcome():
        raise ValueError(_("the game is over: {reason}", reason=state.game.reason(over)))


def check_no_engine(state: OnlineMatch, seat: int) -> None:
    """ValueError if the engine plays in a seat."""
    if state.seats[seat].kind == "engine":
        raise ValueError(_("the engine plays in this seat"))


def check_nothing_lent(state: OnlineMatch) -> None:
    """ValueError if the engine plays for somebody, who cannot be asked."""
    if state.lent_seats:
        raise ValueError(_("the engine plays for somebody, who has to be back first"))


def validate_move(state: OnlineMatch, seat: int, act: events.Move) -> events.Move:
    """A move of the seat to move, in its one spelling."""
    check_not_over(state)
    if seat != state.turn:
        raise NotYourTurnError
    return events.Move(parse_typed_move(state.game, state.match.position, act.move))


def validate_agreement(state: OnlineMatch, seat: int, act: events.Agree) -> events.Agree:
    """An offer that can be made now, or the assent to one that was made."""
    if act.matter == "stop" and seat in state.engines_to_answer:
        return act
    check_no_engine(state, seat)
    if act.matter == "hints":
        check_nothing_lent(state)
    if act.matter in state.offers:
        known = state.offers[act.matter]
        # To go back is to the ply that the first asker had in mind.
        if act.matter == "engine" and act.about not in (None, known.about):
            raise ValueError(_("another seat was asked about"))
        return act
    MATTER_CHECKS[act.matter](state, seat, act.about)
    return act


def check_stop(state: OnlineMatch, _seat: int, _about: int | None) -> None:
    """ValueError if nobody can offer to stop."""
    check_not_over(state)


def check_takeback(state: OnlineMatch, seat: int, _about: int | None) -> None:
    """ValueError if a seat has nothing to take back."""
    if len(state.persons) > 1 or state.clock:
        check_not_over(state)
    if state.last_own_ply(seat) is None:
        raise ValueError(_("there is no move of yours to take back"))


def check_hints(state: OnlineMatch, _seat: int, _about: int | None) -> None:
    """ValueError if nobody needs to ask for hints."""
    check_not_over(state)
    if state.hints_allowed:
        raise ValueError(_("hints are given already"))


def check_stand_in(state: OnlineMatch, seat: int, about: int | None) -> None:
    """ValueError if the engine cannot play on in the seat `about`."""
    check_not_over(state)
    if about is None or about not in state.human_seats or about in state.seats_of_person(seat):
        raise ValueError(_("say which seat of another person the engine shall play"))


def check_rematch(state: OnlineMatch, _seat: int, _about: int | None) -> None:
    """ValueError if there can be no rematch."""
    if not state.over:
        raise ValueError(_("a rematch comes after the end"))
    if state.rematch:
        raise ValueError(_("there is a rematch already"))


MATTER_CHECKS: Final[dict[Matter, Callable[[OnlineMatch, int, int | None], None]]] = {
    "stop": check_stop,
    "takeback": check_takeback,
    "hints": check_hints,
    "engine": check_stand_in,
    "rematch": check_rematch,
}
