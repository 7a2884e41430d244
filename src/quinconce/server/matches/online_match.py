"""A match over the network as a state machine: what its events, one by one, make of it."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Iterable
from copy import copy
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from quinconce.core.game import PASS
from quinconce.core.match import Match, replay
from quinconce.core.record import Record, Seat
from quinconce.server.matches import events
from quinconce.server.matches.clock import Clock
from quinconce.server.matches.events import AnyAct, Event, Matter
from quinconce.server.matches.setup import SCREEN_KINDS, Occupant, Setup

# Who has not come yet is not asked about these.
MATTERS_WITHOUT_ABSENT: Final = ("takeback", "engine")
# The level at which the engine plays on for somebody.
STAND_IN_LEVEL: Final = 5


class Offer(Struct):
    """Something that somebody wants and all have to agree to."""

    seat: int
    agreed: set[int]
    about: int | None = None  # a seat, or the ply to go back to


class OnlineMatch:
    """A match with its seats, its clock and what is asked for. It knows nothing of the network."""

    def __init__(self, setup: Setup) -> None:
        rules = setup.rules()
        self.setup = setup
        self.game = rules
        self.match: Match[Any] = replay(rules, setup.position)
        self.seats = [
            Occupant(seat.kind, seat.name, seat.level, seat.kind != "friend")
            for seat in setup.seats
        ]
        self.events: list[Event] = []
        self.offers: dict[Matter, Offer] = {}
        self.hints_agreed = False
        self.rematch: str | None = None
        self.end_recorded = False  # whether the event End has been recorded
        self.clock = Clock(setup.clock, rules.seats) if setup.clock else None

    # What it is like now.

    @property
    def seq(self) -> int:
        """The number of the last event; 0 before the first."""
        return len(self.events)

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.match.outcome() is not None

    @property
    def turn(self) -> int | None:
        """The seat to move, as long as the match goes on."""
        return None if self.over else self.match.seat

    @property
    def waiting_for(self) -> str:
        """Whom the match waits for: people, engine or nobody."""
        if self.over:
            return "nobody"
        engine = self.engine_level_to_move is not None or self.engines_to_answer
        return "engine" if engine else "people"

    @property
    def engine_level_to_move(self) -> int | None:
        """The level of the engine to move, if one is."""
        return None if self.turn is None else self.seats[self.turn].level

    def seats_of_person(self, seat: int) -> frozenset[int]:
        """The seats that one person speaks for: all at one screen, or their own."""
        if self.seats[seat].kind in SCREEN_KINDS:
            return frozenset(
                n for n, occupant in enumerate(self.seats) if occupant.kind in SCREEN_KINDS
            )
        return frozenset((seat,))

    @property
    def human_seats(self) -> frozenset[int]:
        """The seats where people sit."""
        return frozenset(n for n, occupant in enumerate(self.seats) if occupant.kind != "engine")

    @property
    def lent_seats(self) -> frozenset[int]:
        """The seats in which the engine plays until their owners are back."""
        return frozenset(n for n, occupant in enumerate(self.seats) if occupant.lent)

    @property
    def persons_present(self) -> set[frozenset[int]]:
        """The people who play themselves, those at one screen together."""
        return {self.seats_of_person(seat) for seat in self.human_seats}

    @property
    def persons(self) -> set[frozenset[int]]:
        """The people whose match it is, those at one screen together; a lent seat is still one's.

        Who has several seats at a screen is one person, also while one of these is lent.
        """
        screens = {n for n, planned in enumerate(self.setup.seats) if planned.kind in SCREEN_KINDS}
        owned = self.human_seats | self.lent_seats
        return {frozenset(owned & screens if seat in screens else (seat,)) for seat in owned}

    @property
    def hints_allowed(self) -> bool:
        """Whether hints are given: to one person alone, or where all have agreed."""
        return self.hints_agreed or len(self.persons) <= 1

    @property
    def has_days(self) -> bool:
        """Whether everybody has days for a move."""
        return self.setup.clock is not None and self.setup.clock.days is not None

    @property
    def resigning(self) -> frozenset[int]:
        """The seats that have resigned and wait for their partner to do so."""
        return frozenset() if self.over else frozenset(self.match.resigning)

    def last_own_ply(self, seat: int) -> int | None:
        """The ply of the last move that the person who speaks for a seat chose: no `pass`."""
        own, moves = self.seats_of_person(seat), self.match.moves
        plies = (n for n in reversed(range(len(moves))) if moves[n] != PASS)
        return next((n for n in plies if self.game.seat(self.match.positions[n]) in own), None)

    def record(self, made: float) -> Record:
        """The match written down, under the day on which it was made."""
        seats = tuple(Seat(occupant.name, occupant.level) for occupant in self.seats)
        day = datetime.datetime.fromtimestamp(made, datetime.UTC).date()
        written = Record.of(self.match, seats, day)
        return dataclasses.replace(
            written, tags={"Event": self.setup.tag} if self.setup.tag else {}
        )

    # What happens.

    def after(self, events: Iterable[Event]) -> OnlineMatch:
        """The match after some more events; this one stays as it is."""
        after = copy(self)
        after.match, after.clock = self.match.copy(), copy(self.clock)
        after.seats, after.events = list(self.seats), list(self.events)
        after.offers = {
            matter: replace(offer, agreed=set(offer.agreed))
            for matter, offer in self.offers.items()
        }
        if after.clock:
            after.clock.left = list(after.clock.left)
        for event in events:
            after.apply(event)
        return after

    def apply(self, event: Event) -> None:
        """Let an event happen; a move that the rules refuse changes nothing."""
        act, seat = event.act, event.seat
        if isinstance(act, events.Move):
            self.match.play(act.move)
        if self.clock:
            if isinstance(act, events.Downtime):
                self.clock.skip_downtime(act.lost)
            self.clock.charge(event.at)
        self._apply_act(act, seat)
        self.events.append(event)
        if self.clock:
            self.clock.switch_to(self._seat_on_clock(), event.at)

    def _apply_act(self, act: AnyAct, seat: int | None) -> None:
        match act:
            case events.Move():
                self.offers.clear()
                if self.clock and seat is not None:
                    self.clock.credit_move(seat)
            case events.Takeback():
                while len(self.match.moves) > act.ply:
                    self.match.undo()
                self.offers.clear()
                self.end_recorded = False
            case events.End():
                self.end_recorded = True
                self.offers.clear()
            case events.StandIn():
                self._update_seat(act.about, kind="engine", level=act.level, lent=act.lent)
                self.offers.pop("engine", None)
            case events.Rematch():
                self.rematch = act.match
                self.offers.clear()
            case _ if seat is not None:
                self._apply_seat_act(seat, act)
        if seat is not None and not self.seats[seat].claimed:
            self._update_seat(
                seat, claimed=True
            )  # a program plays with its token, and claims nothing

    def _apply_seat_act(self, seat: int, act: AnyAct) -> None:
        match act:
            case events.Agree():
                self._apply_agreement(seat, act)
            case events.Refuse():
                self.offers.pop(act.matter, None)
                if act.matter == "stop":
                    self.match.agreeing.clear()
            case events.Resign() if len(self.game.sides) == 2:
                side = self.game.sides[self.game.side(seat)]
                # One screen has one voice, and an engine follows its partner.
                for mate in side:
                    if mate in self.seats_of_person(seat) or mate not in self.human_seats:
                        self.match.resign(mate)
                        if self.over:
                            break
            case events.Timeout() if len(self.game.sides) == 2:
                self.match.run_out(seat)
            case events.ClaimSeat():
                self._update_seat(seat, claimed=True, name=act.name or self.seats[seat].name)
            case events.Rename():
                self._update_seat(seat, name=act.name)
            case events.Return():
                self._update_seat(seat, kind=self.setup.seats[seat].kind, level=None, lent=False)

    def _update_seat(self, seat: int, **changes: Any) -> None:
        self.seats[seat] = replace(self.seats[seat], **changes)

    def _apply_agreement(self, seat: int, act: events.Agree) -> None:
        ply = self.last_own_ply(seat) if act.matter == "takeback" else act.about
        asked = self.offers.setdefault(act.matter, Offer(seat, set(), ply))
        asked.agreed |= self.seats_of_person(seat)
        if not self.seats_yet_to_agree(act.matter):
            if act.matter == "hints":
                self.hints_agreed = True
                del self.offers["hints"]
            elif act.matter == "stop":
                for each in range(self.game.seats):
                    self.match.agree(each)

    def seats_yet_to_agree(self, matter: Matter) -> frozenset[int]:
        """Who has not yet agreed to what was asked."""
        asked = self.offers[matter]
        # Engines are asked to stop by somebody who is alone with them; among people, people decide.
        asks_engines = matter == "stop" and len(self.persons_present) <= 1
        wanted = (
            frozenset(range(self.game.seats)) if asks_engines else self.human_seats
        ) - asked.agreed
        # What an agreement itself grants (hints, a stop) has to replay as it was stored, so that
        # whether a lent seat is in the way of it is a question of `validation.py`.
        if matter == "takeback":
            wanted |= self.lent_seats - asked.agreed
        if matter in MATTERS_WITHOUT_ABSENT:
            wanted = frozenset(seat for seat in wanted if self.seats[seat].claimed)
        if matter == "engine" and asked.about is not None:
            owner = frozenset((asked.about,))
            # In a game of days nobody is late who has no page open.
            wanted = (wanted | owner) - asked.agreed if self.has_days else wanted - owner
        return wanted

    @property
    def engines_to_answer(self) -> frozenset[int]:
        """The seats whose engine has still to say whether it agrees to stop."""
        return (
            self.seats_yet_to_agree("stop") - self.human_seats
            if "stop" in self.offers
            else frozenset()
        )

    def _seat_on_clock(self) -> int | None:
        """Whose clock runs: of somebody who is there, once the first move has been played."""
        seat = self.turn
        if seat is None or not self.match.moves:
            return None
        occupant = self.seats[seat]
        return seat if occupant.claimed and occupant.kind != "engine" else None

    def consequence(self, new_id: Callable[[], str]) -> AnyAct | None:
        """What has to follow at once from the last event, if anything."""
        last = self.events[-1]
        if isinstance(last.act, events.Resign | events.Timeout) and len(self.game.sides) > 2:
            return events.StandIn(last.seat or 0, self.stand_in_level(), lent=False)
        for matter, asked in self.offers.items():
            if not self.seats_yet_to_agree(matter):
                if matter == "takeback" and asked.about is not None:
                    return events.Takeback(asked.about)
                if matter == "engine" and asked.about is not None:
                    return events.StandIn(asked.about, self.stand_in_level(), lent=True)
                if matter == "rematch":
                    return events.Rematch(new_id())
        over = self.match.outcome()
        if over and not self.end_recorded:
            return events.End(list(over.winners), over.reason, over.by)
        return None

    def stand_in_level(self) -> int:
        """The level at which the engine plays on for a person."""
        levels = [occupant.level for occupant in self.seats if occupant.level is not None]
        return max(levels, default=STAND_IN_LEVEL)
