"""Making matches, one or many, with the keys of their seats."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from quinconce.core.phrase import _
from quinconce.server.matches.live import new_match
from quinconce.server.matches.seats import SCREEN_KINDS, SeatKind, clean_name
from quinconce.server.matches.setup import Setup, finalize_setup
from quinconce.server.security.links import seat_link, watch_link
from quinconce.server.security.secrets import (
    MAKER_SEAT,
    SeatKey,
    hash_secret,
    new_match_id,
    new_secret,
)
from quinconce.server.storage.store import NewMatch

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
    keys = [] if key is None else [SeatKey(match, MAKER_SEAT, hash_secret(key), "link")]
    if browser is not None:
        keys.append(SeatKey(match, MAKER_SEAT, hash_secret(browser), "browser"))
    links = []
    for seat, chair in enumerate(setup.seats):
        link = None
        if chair.kind == "friend":
            secret = new_secret()
            keys.append(SeatKey(match, seat, hash_secret(secret), "link"))
            link = seat_link(base, match, secret)
        elif chair.kind in SCREEN_KINDS and browser is not None:
            keys.append(SeatKey(match, seat, hash_secret(browser), "browser"))
        links.append(SeatLink(seat, chair.kind, chair.name, link))
    return new_match(match, setup, keys), MatchLinks(match, watch_link(base, match), links)


def prepare_matches(
    wish: Setup,
    base: str,
    chance: random.Random,
    names: Sequence[Sequence[str]],
    key: str | None = None,
) -> list[tuple[NewMatch, MatchLinks]]:
    """A match for every list of names, which are those of its seats in the order of the set-up."""
    if any(chair.kind in SCREEN_KINDS for chair in wish.seats):
        raise ValueError(_("matches for others have seats for friends and engines only"))
    found = []
    for people in names:
        if len(people) > len(wish.seats):
            n, wrong = len(wish.seats), len(people)
            raise ValueError(_("this game has {n} seats to name, not {wrong}", n=n, wrong=wrong))
        named = [
            replace(chair, name=clean_name(people[i])) if i < len(people) else chair
            for i, chair in enumerate(wish.seats)
        ]
        found.append(prepare_match(replace(wish, seats=named), base, chance, None, key))
    return found


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
