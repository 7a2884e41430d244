"""Matches are created: one, many or a rematch, with the keys and links of their seats."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from quinconce.core.phrase import _, ngettext
from quinconce.server.matches import events
from quinconce.server.matches.events import Event
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.protocols import NewMatch
from quinconce.server.matches.setup import (
    SCREEN_KINDS,
    SeatKind,
    SeatSetup,
    Setup,
    clean_name,
    finalize_setup,
    seat_rotation,
)
from quinconce.server.security.secrets import (
    MAKER_SEAT,
    NO_SEATS,
    SeatKey,
    new_match_id,
    new_secret,
    seat_key,
    seat_link,
    watch_link,
)

CSV_COLUMNS = ("match", "watch", "player", "name", "kind", "link")


class SeatLink(Struct, frozen=True):
    """A seat, and the secret link to it where it has one; nobody is told it again."""

    seat: int
    kind: SeatKind
    name: str
    link: str | None


class MatchLinks(Struct, frozen=True):
    """A match, the link to watch it and those of its seats."""

    id: str
    watch: str
    seats: list[SeatLink]


def prepare_match(
    wish: Setup, base: str, chance: random.Random, browser: str | None, key: str | None
) -> tuple[NewMatch, MatchLinks]:
    """A match and its links. `browser` holds the seats at this screen, `key` the whole match."""
    setup = finalize_setup(wish, chance)
    match = new_match_id()
    keys = [] if key is None else [seat_key(match, MAKER_SEAT, key, "link")]
    if browser is not None:
        keys.append(seat_key(match, MAKER_SEAT, browser, "browser"))
    links = []
    for seat, planned in enumerate(setup.seats):
        link = None
        if planned.kind == "friend":
            secret = new_secret()
            keys.append(seat_key(match, seat, secret, "link"))
            link = seat_link(base, match, secret)
        elif planned.kind in SCREEN_KINDS and browser is not None:
            keys.append(seat_key(match, seat, browser, "browser"))
        links.append(SeatLink(seat, planned.kind, planned.name, link))
    return new_match(match, setup, keys), MatchLinks(match, watch_link(base, match), links)


def prepare_matches(
    wish: Setup,
    base: str,
    chance: random.Random,
    names: Sequence[Sequence[str]],
    key: str | None = None,
) -> list[tuple[NewMatch, MatchLinks]]:
    """A match for every list of names, which are those of its seats in the order of the set-up."""
    if any(seat.kind in SCREEN_KINDS for seat in wish.seats):
        raise ValueError(_("matches for others have seats for friends and engines only"))
    found = []
    for people in names:
        if len(people) > len(wish.seats):
            n, wrong = len(wish.seats), len(people)
            raise ValueError(
                ngettext(
                    "this game has {n} seat to name, not {wrong}",
                    "this game has {n} seats to name, not {wrong}",
                    n,
                    wrong=wrong,
                )
            )
        named = [
            replace(seat, name=clean_name(people[i])) if i < len(people) else seat
            for i, seat in enumerate(wish.seats)
        ]
        found.append(prepare_match(replace(wish, seats=named), base, chance, None, key))
    return found


def new_match(match: str, setup: Setup, keys: Sequence[SeatKey]) -> NewMatch:
    """A match that is about to be made."""
    return NewMatch(match, setup, keys, OnlineMatch(setup).waiting_for)


def rematch_of(state: OnlineMatch, match: str, keys: Sequence[SeatKey]) -> NewMatch:
    """The rematch: everybody moves on by one turn, and the old keys open the new seats."""
    came_from = seat_rotation(state.game, 1)
    seats = [
        SeatSetup(planned.kind, occupant.name, planned.level)
        for planned, occupant in zip(state.setup.seats, state.seats, strict=True)
    ]
    setup = replace(state.setup, seats=[seats[seat] for seat in came_from])
    goes_to = {old: new for new, old in enumerate(came_from)} | {n: n for n in NO_SEATS}
    moved = [key._replace(match=match, seat=goes_to[key.seat]) for key in keys]
    at = state.events[-1].at
    claimed = [
        goes_to[seat]
        for seat, planned in enumerate(seats)
        if planned.kind == "friend" and state.seats[seat].claimed
    ]
    claims = [Event(n, at, seat, events.ClaimSeat()) for n, seat in enumerate(claimed, start=1)]
    return new_match(match, setup, moved)._replace(events=claims)


def links_as_csv(matches: Sequence[MatchLinks]) -> str:
    """The links, a line a seat, to hand out."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(CSV_COLUMNS)
    for match in matches:
        for seat in match.seats:
            row = (match.id, match.watch, seat.seat + 1, seat.name, seat.kind, seat.link or "")
            writer.writerow([escape_formula(str(value)) for value in row])
    return text.getvalue()


def escape_formula(value: str) -> str:
    """What a spreadsheet would take for a formula is taken for text."""
    return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
