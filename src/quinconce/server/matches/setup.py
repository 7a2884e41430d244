"""How a match is set up: the game, its seats and who sits there, who starts, and the clock."""

from __future__ import annotations

import random
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from quinconce.core.game import Game
from quinconce.core.move_limit import read_position
from quinconce.core.phrase import _, ngettext
from quinconce.core.registry import game
from quinconce.engine.levels import LEVEL_NUMBERS
from quinconce.server.matches.clock import TimeControl

Tag = Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$")]
Options = Annotated[dict[str, str | int], Meta(max_length=16)]
SeatKind = Literal["me", "here", "friend", "engine"]
# One browser holds these seats, and speaks for all of them at once.
SCREEN_KINDS: Final = ("me", "here")
MAX_NAME_LENGTH: Final = 40


class SeatSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall sit there, when a match is set up."""

    kind: SeatKind
    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] = ""
    level: Annotated[int, Meta(ge=LEVEL_NUMBERS[0], le=LEVEL_NUMBERS[-1])] | None = None

    def check(self) -> None:
        """ValueError if nobody can sit like this."""
        if (self.level is None) == (self.kind == "engine"):
            raise ValueError(_("an engine has a level, and nobody else has one"))


class Occupant(Struct, frozen=True):
    """Who sits there now."""

    kind: SeatKind
    name: str
    level: int | None
    claimed: bool  # whether somebody has come
    lent: bool = False  # to the engine, until its owner is back


def clean_name(name: str) -> str:
    """A display name without what cannot be shown, on one line."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:MAX_NAME_LENGTH]


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked for; once settled, what the match is, for ever."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[SeatSetup], Meta(min_length=1, max_length=8)]
    options: Options = {}
    order: Literal["lot", "given"] = "lot"  # who sits where is drawn by lot, unless chosen
    position: Annotated[str, Meta(max_length=400)] | None = None
    clock: TimeControl | None = None
    tag: Tag | None = None

    def rules(self) -> Game[Any]:
        """The game with its options."""
        return game(self.game, **self.options)


def finalize_setup(setup: Setup, chance: random.Random) -> Setup:
    """The set-up with all options said, names tidied, seats drawn; ValueError if it is wrong."""
    rules = setup.rules()
    if len(setup.seats) != rules.seats:
        n, wrong = rules.seats, len(setup.seats)
        raise ValueError(
            ngettext(
                "this game has {n} seat to fill, not {wrong}",
                "this game has {n} seats to fill, not {wrong}",
                n,
                wrong=wrong,
            )
        )
    for seat in setup.seats:
        seat.check()
    if all(seat.kind == "engine" for seat in setup.seats):
        raise ValueError(_("at least one person has to play: the engine does not play alone"))
    if [seat.kind for seat in setup.seats].count("me") > 1:
        raise ValueError(_("you have one seat; somebody else on this device has another"))
    if setup.clock:
        setup.clock.check()
    if setup.position is not None:
        read_position(rules, setup.position)
    seats = [replace(seat, name=clean_name(seat.name)) for seat in setup.seats]
    if setup.order == "lot":
        turn = chance.choice(fair_rotations(rules))
        seats = [seats[came_from] for came_from in turn]
    return replace(setup, options=dict(rules.chosen), seats=seats, order="given")


def seat_rotation(rules: Game[Any], shift: int) -> list[int]:
    """For every seat the one whose occupant comes to it, when all move on by `shift` turns."""
    order = list(dict.fromkeys(rules.cycle))
    return [order[(order.index(seat) + shift) % len(order)] for seat in range(rules.seats)]


def fair_rotations(rules: Game[Any]) -> list[list[int]]:
    """The rotations of seats that leave partners partners."""
    sides = {frozenset(side) for side in rules.sides}
    return [
        turn
        for shift in range(rules.seats)
        for turn in [seat_rotation(rules, shift)]
        if {frozenset(turn[seat] for seat in side) for side in rules.sides} == sides
    ]
