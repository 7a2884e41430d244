"""The course of a match: what its events, one after the other, have made of it."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from quinconce.core.match import Match
from quinconce.core.move_input import understood
from quinconce.core.phrase import Phrase as _
from quinconce.core.record import Record, Seat
from quinconce.server.errors import RefusalError
from quinconce.server.matches import events
from quinconce.server.matches.clock import Clock
from quinconce.server.matches.events import AnyAct, Event, Matter
from quinconce.server.matches.seats import SCREEN, Sitter, tidy
from quinconce.server.matches.setup import Setup

WITHOUT_THE_ABSENT: Final = ("takeback", "engine")  # who has not come yet is not asked about these
STAND_IN: Final = 5  # the level at which the engine plays on for somebody


class Asked(Struct):
    """Something that somebody wants and all have to agree to."""

    seat: int
    agreed: set[int]
    about: int | None = None  # a seat, or the ply to go back to


class Course:
    """A match with its seats, its clock and what is asked for. It knows nothing of the network."""

    def __init__(self, setup: Setup) -> None:
        rules = setup.rules()
        self.setup = setup
        self.game = rules
        self.match: Match[Any] = Match(
            rules, None if setup.position is None else rules.read(setup.position)
        )
        self.seats = [
            Sitter(chair.kind, chair.name, chair.level, chair.kind != "friend")
            for chair in setup.seats
        ]
        self.events: list[Event] = []
        self.asked: dict[Matter, Asked] = {}
        self.hints_agreed = False
        self.rematch: str | None = None
        self.ended = False  # whether the end has been told
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
    def engine_to_move(self) -> int | None:
        """The level of the engine to move, if one is."""
        return None if self.turn is None else self.seats[self.turn].level

    def voice(self, seat: int) -> frozenset[int]:
        """The seats that one person speaks for: all at one screen, or his own."""
        if self.seats[seat].kind in SCREEN:
            return frozenset(n for n, sitter in enumerate(self.seats) if sitter.kind in SCREEN)
        return frozenset((seat,))

    @property
    def people(self) -> frozenset[int]:
        """The seats where people sit."""
        return frozenset(n for n, sitter in enumerate(self.seats) if sitter.kind != "engine")

    @property
    def voices(self) -> set[frozenset[int]]:
        """The people, those at one screen together."""
        return {self.voice(seat) for seat in self.people}

    @property
    def hints(self) -> bool:
        """Whether hints are given: to one person alone, or where all have agreed."""
        return self.hints_agreed or len(self.voices) <= 1

    def asker_ply(self, seat: int) -> int | None:
        """The ply of the last turn of whoever speaks for a seat."""
        own = self.voice(seat)
        plies = reversed(range(len(self.match.moves)))
        return next((n for n in plies if self.game.seat(self.match.positions[n]) in own), None)

    def record(self, made: float) -> Record:
        """The match written down, under the day on which it was made."""
        seats = tuple(Seat(sitter.name, sitter.level) for sitter in self.seats)
        day = datetime.datetime.fromtimestamp(made, datetime.UTC).date()
        written = Record.of(self.match, seats, day)
        return dataclasses.replace(
            written, tags={"Event": self.setup.tag} if self.setup.tag else {}
        )

    # What may happen.

    def understood(self, seat: int, act: AnyAct) -> AnyAct:
        """The act in its one spelling; an error that says why, if it may not be done."""
        match act:
            case events.Move():
                return self._may_move(seat, act)
            case events.Agree():
                return self._may_agree(seat, act)
            case events.Refuse():
                if act.matter not in self.asked:
                    raise ValueError(_("nobody has asked for that"))
            case events.Resign():
                self._goes_on()
                if self.seats[seat].kind == "engine":
                    raise ValueError(_("the engine plays in this seat"))
            case events.Name():
                return events.Name(tidy(act.name))
            case events.Back():
                if not self.seats[seat].lent:
                    raise ValueError(_("this seat is not lent to the engine"))
        return act

    def _goes_on(self) -> None:
        if over := self.match.outcome():
            raise ValueError(_("the game is over: {reason}", reason=self.game.reason(over)))

    def _may_move(self, seat: int, act: events.Move) -> events.Move:
        self._goes_on()
        if seat != self.turn:
            raise RefusalError(409, "turn", _("it is not your turn"))
        return events.Move(understood(self.game, self.match.position, act.move))

    def _may_agree(self, seat: int, act: events.Agree) -> events.Agree:
        if act.matter == "stop" and seat in self.answers_of_engines:
            return act
        if self.seats[seat].kind == "engine":
            raise ValueError(_("the engine plays in this seat"))
        if act.matter in self.asked:
            known = self.asked[act.matter]
            # To go back is to the ply that the first asker had in mind.
            if act.matter == "engine" and act.about not in (None, known.about):
                raise ValueError(_("another seat was asked about"))
            return act
        CHECKS[act.matter](self, seat, act.about)
        return act

    def _may_stop(self, _seat: int, _about: int | None) -> None:
        self._goes_on()

    def _may_take_back(self, seat: int, _about: int | None) -> None:
        if len(self.voices) > 1 or self.clock:
            self._goes_on()
        if self.asker_ply(seat) is None:
            raise ValueError(_("there is no move of yours to take back"))

    def _may_ask_hints(self, _seat: int, _about: int | None) -> None:
        self._goes_on()
        if self.hints:
            raise ValueError(_("hints are given already"))

    def _may_lend(self, seat: int, about: int | None) -> None:
        self._goes_on()
        if about is None or about not in self.people or about in self.voice(seat):
            raise ValueError(_("say which seat of another person the engine shall play"))

    def _may_repeat(self, _seat: int, _about: int | None) -> None:
        if not self.over:
            raise ValueError(_("a rematch comes after the end"))
        if self.rematch:
            raise ValueError(_("there is a rematch already"))

    # What happens.

    def apply(self, event: Event) -> None:
        """Let an event happen; a move that the rules refuse changes nothing."""
        act, seat = event.act, event.seat
        if isinstance(act, events.Move):
            self.match.play(act.move)
        if self.clock:
            if isinstance(act, events.Clock):
                self.clock.lose(act.lost)
            self.clock.charge(event.at)
        self._happen(act, seat)
        self.events.append(event)
        if self.clock:
            self.clock.run(self._runs(), event.at)

    def _happen(self, act: AnyAct, seat: int | None) -> None:
        match act:
            case events.Move():
                self.asked.clear()
                if self.clock and seat is not None:
                    self.clock.moved(seat)
            case events.Takeback():
                while len(self.match.moves) > act.ply:
                    self.match.undo()
                self.asked.clear()
                self.ended = False
            case events.End():
                self.ended = True
                self.asked.clear()
            case events.Hand():
                self._sit(act.about, kind="engine", level=act.level, lent=act.lent)
                self.asked.pop("engine", None)
            case events.Rematch():
                self.rematch = act.match
                self.asked.clear()
            case _ if seat is not None:
                self._done_by(seat, act)
        if seat is not None and not self.seats[seat].claimed:
            self._sit(seat, claimed=True)  # a program plays with its token, and claims nothing

    def _done_by(self, seat: int, act: AnyAct) -> None:
        match act:
            case events.Agree():
                self._agreed(seat, act)
            case events.Refuse():
                self.asked.pop(act.matter, None)
                if act.matter == "stop":
                    self.match.agreeing.clear()
            case events.Resign() if len(self.game.sides) == 2:
                side = self.game.sides[self.game.side(seat)]
                # One screen has one voice, and an engine follows its partner.
                for mate in side:
                    if mate in self.voice(seat) or mate not in self.people:
                        self.match.resign(mate)
                        if self.over:
                            break
            case events.Timeout() if len(self.game.sides) == 2:
                self.match.run_out(seat)
            case events.Claim():
                self._sit(seat, claimed=True, name=act.name or self.seats[seat].name)
            case events.Name():
                self._sit(seat, name=act.name)
            case events.Back():
                self._sit(seat, kind=self.setup.seats[seat].kind, level=None, lent=False)

    def _sit(self, seat: int, **changes: Any) -> None:
        self.seats[seat] = replace(self.seats[seat], **changes)

    def _agreed(self, seat: int, act: events.Agree) -> None:
        ply = self.asker_ply(seat) if act.matter == "takeback" else act.about
        asked = self.asked.setdefault(act.matter, Asked(seat, set(), ply))
        asked.agreed |= self.voice(seat)
        if not self.wanted_of(act.matter):
            if act.matter == "hints":
                self.hints_agreed = True
                del self.asked["hints"]
            elif act.matter == "stop":
                for each in range(self.game.seats):
                    self.match.agree(each)

    def wanted_of(self, matter: Matter) -> frozenset[int]:
        """Who has not yet agreed to what was asked."""
        asked = self.asked[matter]
        # Engines are asked to stop by somebody who is alone with them; among people, people decide.
        asks_engines = matter == "stop" and len(self.voices) <= 1
        wanted = (frozenset(range(self.game.seats)) if asks_engines else self.people) - asked.agreed
        if matter in WITHOUT_THE_ABSENT:
            wanted = frozenset(seat for seat in wanted if self.seats[seat].claimed)
        return wanted - {asked.about} if matter == "engine" else wanted

    @property
    def answers_of_engines(self) -> frozenset[int]:
        """The seats whose engine has still to say whether it agrees to stop."""
        return self.wanted_of("stop") - self.people if "stop" in self.asked else frozenset()

    def _runs(self) -> int | None:
        """Whose clock runs: of somebody who is there, once the first move has been played."""
        seat = self.turn
        if seat is None or not self.match.moves:
            return None
        sitter = self.seats[seat]
        return seat if sitter.claimed and sitter.kind != "engine" else None

    def consequence(self, new_match: Callable[[], str]) -> AnyAct | None:
        """What has to follow at once from the last event, if anything."""
        last = self.events[-1]
        if isinstance(last.act, events.Resign | events.Timeout) and len(self.game.sides) > 2:
            return events.Hand(last.seat or 0, self.stand_in(), lent=False)
        for matter, asked in self.asked.items():
            if not self.wanted_of(matter):
                if matter == "takeback" and asked.about is not None:
                    return events.Takeback(asked.about)
                if matter == "engine" and asked.about is not None:
                    return events.Hand(asked.about, self.stand_in(), lent=True)
                if matter == "rematch":
                    return events.Rematch(new_match())
        over = self.match.outcome()
        if over and not self.ended:
            return events.End(list(over.winners), over.reason, over.by)
        return None

    def stand_in(self) -> int:
        """The level at which the engine plays on for a person."""
        levels = [sitter.level for sitter in self.seats if sitter.level is not None]
        return max(levels, default=STAND_IN)


CHECKS: Final[dict[Matter, Callable[[Course, int, int | None], None]]] = {
    "stop": Course._may_stop,
    "takeback": Course._may_take_back,
    "hints": Course._may_ask_hints,
    "engine": Course._may_lend,
    "rematch": Course._may_repeat,
}
