"""A match after further events is another one: that before them stays as it was."""

from __future__ import annotations

import itertools

from quinconce.server.matches.clock import TimeControl
from quinconce.server.matches.events import Agree, AnyAct, ClaimSeat, Event, Move, Rename, Resign
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.setup import SeatSetup, Setup

ACTS: list[tuple[int, AnyAct]] = [
    (0, ClaimSeat("Ada")),
    (1, ClaimSeat()),
    (0, Move("r@1")),
    (1, Move("m@1")),
    (0, Agree("takeback")),
    (1, Agree("hints")),
    (0, Agree("hints")),
    (1, Rename("Bob")),
    (0, Resign()),
]


def picture_of(state: OnlineMatch) -> tuple[object, ...]:
    """Everything that an event may change."""
    match, clock = state.match, state.clock
    assert clock
    return (
        tuple(match.moves),
        tuple(match.positions),
        frozenset(match.resigning),
        match.outcome(),
        tuple(state.seats),
        tuple(state.events),
        {matter: (offer.seat, frozenset(offer.agreed)) for matter, offer in state.offers.items()},
        state.hints_agreed,
        (tuple(clock.left), clock.running, clock.since),
    )


def test_each_event_leaves_the_match_before_it_as_it_was() -> None:
    seats = [SeatSetup("friend"), SeatSetup("friend")]
    state = OnlineMatch(Setup("diam", seats, order="given", clock=TimeControl(minutes=5)))
    past = [state]
    pictures = [picture_of(state)]
    for number, (seat, act) in enumerate(ACTS, start=1):
        state = state.after([Event(number, 100.0 * number, seat, act)])
        past.append(state)
        pictures.append(picture_of(state))
    assert [picture_of(each) for each in past] == pictures
    assert all(before != after for before, after in itertools.pairwise(pictures))
    assert picture_of(past[0].after(state.events)) == pictures[-1]
