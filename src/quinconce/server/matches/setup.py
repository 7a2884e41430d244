"""How a match is set up: the game, who sits where, who starts, and the clock."""

from __future__ import annotations

import random
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from quinconce.core.game import Game
from quinconce.core.move_limit import read_position
from quinconce.core.phrase import _, ngettext
from quinconce.core.registry import game
from quinconce.server.matches.clock import TimeControl
from quinconce.server.matches.seats import SeatSetup, clean_name

Tag = Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$")]
Options = Annotated[dict[str, str | int], Meta(max_length=16)]


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
    for chair in setup.seats:
        chair.check()
    if all(chair.kind == "engine" for chair in setup.seats):
        raise ValueError(_("at least one person has to play: the engine does not play alone"))
    if [chair.kind for chair in setup.seats].count("me") > 1:
        raise ValueError(_("you have one seat; somebody else on this device has another"))
    if setup.clock:
        setup.clock.check()
    if setup.position is not None:
        read_position(rules, setup.position)
    seats = [replace(chair, name=clean_name(chair.name)) for chair in setup.seats]
    if setup.order == "lot":
        turn = chance.choice(fair_rotations(rules))
        seats = [seats[came_from] for came_from in turn]
    return replace(setup, options=dict(rules.chosen), seats=seats, order="given")


def seat_rotation(rules: Game[Any], shift: int) -> list[int]:
    """For every seat the one whose sitter comes to it, when all move on by `shift` turns."""
    order = list(dict.fromkeys(rules.cycle))
    return [order[(order.index(seat) + shift) % len(order)] for seat in range(rules.seats)]


def fair_rotations(rules: Game[Any]) -> list[list[int]]:
    """The ways to move everybody on that leave partners partners."""
    sides = {frozenset(side) for side in rules.sides}
    return [
        turn
        for shift in range(rules.seats)
        for turn in [seat_rotation(rules, shift)]
        if {frozenset(turn[seat] for seat in side) for side in rules.sides} == sides
    ]
