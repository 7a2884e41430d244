"""Making matches, one or many, with the keys of their seats."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from quinconce.core.phrase import Phrase as _
from quinconce.server.matches.live import founded
from quinconce.server.matches.seats import (
    MAKER,
    SCREEN,
    Key,
    Kind,
    hashed,
    new_id,
    new_secret,
    tidy,
)
from quinconce.server.matches.setup import Setup, settled
from quinconce.server.security.links import seat_link, watch_link
from quinconce.server.storage.store import Founding

COLUMNS = ("match", "watch", "player", "name", "kind", "link")


class SeatLink(Struct, frozen=True):
    """A seat, and the secret link to it where it has one; nobody is told it again."""

    seat: int
    kind: Kind
    name: str
    link: str | None


class MatchLinks(Struct, frozen=True):
    """A match, the link to watch it and those of its seats."""

    id: str
    watch: str
    seats: list[SeatLink]


def made(
    wish: Setup, base: str, chance: random.Random, browser: str | None, key: str | None
) -> tuple[Founding, MatchLinks]:
    """A match and its links. `browser` holds the seats at this screen, `key` the whole match."""
    setup = settled(wish, chance)
    match = new_id()
    keys = [] if key is None else [Key(match, MAKER, hashed(key), "link")]
    if browser is not None:
        keys.append(Key(match, MAKER, hashed(browser), "browser"))
    links = []
    for seat, chair in enumerate(setup.seats):
        link = None
        if chair.kind == "friend":
            secret = new_secret()
            keys.append(Key(match, seat, hashed(secret), "link"))
            link = seat_link(base, match, secret)
        elif chair.kind in SCREEN and browser is not None:
            keys.append(Key(match, seat, hashed(browser), "browser"))
        links.append(SeatLink(seat, chair.kind, chair.name, link))
    return founded(match, setup, keys), MatchLinks(match, watch_link(base, match), links)


def many_made(
    wish: Setup,
    base: str,
    chance: random.Random,
    names: Sequence[Sequence[str]],
    key: str | None = None,
) -> list[tuple[Founding, MatchLinks]]:
    """A match for every list of names, which are those of its seats in the order of the set-up."""
    if any(chair.kind in SCREEN for chair in wish.seats):
        raise ValueError(_("matches for others have seats for friends and engines only"))
    found = []
    for people in names:
        if len(people) > len(wish.seats):
            n, wrong = len(wish.seats), len(people)
            raise ValueError(_("this game has {n} seats to name, not {wrong}", n=n, wrong=wrong))
        named = [
            replace(chair, name=tidy(people[i])) if i < len(people) else chair
            for i, chair in enumerate(wish.seats)
        ]
        found.append(made(replace(wish, seats=named), base, chance, None, key))
    return found


def as_csv(matches: Sequence[MatchLinks]) -> str:
    """The links, a line a seat, to hand out."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for match in matches:
        for seat in match.seats:
            row = (match.id, match.watch, seat.seat + 1, seat.name, seat.kind, seat.link or "")
            writer.writerow([harmless(str(value)) for value in row])
    return text.getvalue()


def harmless(value: str) -> str:
    """What a spreadsheet would take for a formula is taken for text."""
    return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
