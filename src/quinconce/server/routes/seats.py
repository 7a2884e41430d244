"""The routes by which somebody sits down at a match: a seat is claimed, a link to it made."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

from litestar import Controller, Response, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from quinconce.core.phrase import _
from quinconce.server.errors import RouteError
from quinconce.server.matches import events
from quinconce.server.matches.live import LiveMatch
from quinconce.server.matches.setup import MAX_NAME_LENGTH, clean_name
from quinconce.server.refusals import (
    NotYourSeatError,
    SeatTakenError,
    StaleError,
    WrongLinkError,
)
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    MatchId,
    ServicesDep,
    after_response,
    error_responses,
    link_base,
    look_at,
    secret_cookie,
    secret_expected,
)
from quinconce.server.security.auth import cookie_secret, ensure_browser_secret
from quinconce.server.security.secrets import (
    NO_SEATS,
    TABLE_SEAT,
    Reach,
    SeatKey,
    csrf_token,
    link_reach,
    new_secret,
    seat_key,
    seat_link,
    seats_for_secret,
    table_link,
)
from quinconce.server.services import Services


class ClaimRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Sit down, with the secret of a link."""

    secret: Annotated[str, Meta(max_length=64)]
    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] = ""


class LinkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A further link to a seat of one's own; with `rotate` no other link or browser opens it."""

    rotate: bool = False


class TableRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Come to a table with the secret of its link; with a seat, sit down there."""

    secret: Annotated[str, Meta(max_length=64)]
    seat: Annotated[int, Meta(ge=0, le=7)] | None = None
    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] = ""


class ClaimResult(Struct, frozen=True):
    """The seat that is now this browser's, and what its pages have to send along."""

    seat: int
    csrf: str


class NewLink(Struct, frozen=True):
    """A secret link, told once, and how far it works."""

    seat: int
    link: str
    reach: Reach


class TableResult(Struct, frozen=True):
    """The seats of this browser, none as long as it has not chosen one; and its CSRF token."""

    seats: list[int]
    csrf: str


class TableLink(Struct, frozen=True):
    """The secret link to a table, told once, and how far it works."""

    link: str
    reach: Reach


class SeatController(Controller):
    """The seats of a match, and their secret links."""

    path = "/api/matches/{match:str}"
    tags = ["match"]

    @post(
        "/claims",
        status_code=200,
        responses=error_responses(*POST_ERRORS),
        operation_id="claimSeat",
    )
    async def claim(
        self,
        match: MatchId,
        data: JSONBody[ClaimRequest],
        request: AnyRequest,
        services: ServicesDep,
    ) -> Response[ClaimResult]:
        """Take the seat of a secret link: from then on the cookie of this browser opens it."""
        known = await services.live_matches.glance(match)
        with secret_expected(services, request, match):
            seats = seats_for_secret(known.keys, data.secret) - NO_SEATS
            if not seats:
                raise WrongLinkError
        seat, secret = min(seats), ensure_browser_secret(request)
        if seat not in seats_for_secret(known.keys, secret):
            new = seat_key(match, seat, secret, "browser")
            surplus = surplus_browsers(known.keys, seat, services.settings.limits.browsers_per_seat)
            await services.store.change_keys([new], services.now(), surplus)
        act = events.ClaimSeat(clean_name(data.name))
        async with services.live_matches.current(match, known) as live:
            if not live.state.seats[seat].claimed:
                await services.live_matches.submit_locked(live, seat, act, None)
        return Response(
            ClaimResult(seat, csrf_token(secret)),
            cookies=[secret_cookie(request, secret)],
            background=after_response(services.live_matches.announce, match),
        )

    @post(
        "/seats/{seat:int}/links",
        status_code=200,
        responses=error_responses(*POST_ERRORS),
        operation_id="makeLink",
    )
    async def make_link(
        self,
        match: MatchId,
        seat: Annotated[int, PathParameter(ge=0, le=7)],
        data: JSONBody[LinkRequest],
        request: AnyRequest,
        services: ServicesDep,
    ) -> NewLink:
        """A new secret link to a seat of one's own, or to one where nobody has come yet."""
        known, asker = await look_at(services, request, match)
        async with services.live_matches.locked(match, known) as live:
            seats = live.state.seats
            if seat >= len(seats):
                raise RouteError(404, "seat", _("there is no such seat"))
            waiting = asker.maker and seats[seat].kind == "friend" and not seats[seat].claimed
        if seat not in asker.seats and not waiting:
            raise NotYourSeatError
        secret, mine = new_secret(), None
        if data.rotate and seat in asker.seats and "authorization" not in request.headers:
            mine = cookie_secret(request)  # this browser keeps the seat
        await replace_keys(services, match, seat, secret, mine, data.rotate)
        base = link_base(request, services.settings)
        return NewLink(seat, seat_link(base, match, secret), link_reach(base))

    @post(
        "/table",
        status_code=200,
        responses=error_responses(409, *POST_ERRORS),
        operation_id="comeToTable",
    )
    async def come_to_table(
        self,
        match: MatchId,
        data: JSONBody[TableRequest],
        request: AnyRequest,
        services: ServicesDep,
    ) -> Response[TableResult]:
        """Sit down where nobody sits yet, with the secret that is the same for all friends.

        Without a seat the browser only gets its cookie: should the answer to the choice be lost,
        it is known by it when it asks again.
        """
        known, asker = await look_at(services, request, match)
        with secret_expected(services, request, match):
            if TABLE_SEAT not in seats_for_secret(known.keys, data.secret):
                raise WrongLinkError
        secret, mine = ensure_browser_secret(request), asker.seats
        wished = min(mine, default=data.seat)
        if wished is not None:
            key = seat_key(match, wished, secret, "browser")
            await take_free_seat(services, key, clean_name(data.name), wished in mine)
            mine |= {wished}
        return Response(
            TableResult(sorted(mine), csrf_token(secret)),
            cookies=[secret_cookie(request, secret)],
            background=after_response(services.live_matches.announce, match),
        )

    @post(
        "/table/links",
        status_code=200,
        responses=error_responses(*POST_ERRORS),
        operation_id="makeTableLink",
    )
    async def make_table_link(
        self,
        match: MatchId,
        data: JSONBody[LinkRequest],
        request: AnyRequest,
        services: ServicesDep,
    ) -> TableLink:
        """A new secret link to the table, for the maker of the match."""
        _known, asker = await look_at(services, request, match)
        if not asker.maker:
            raise NotYourSeatError(_("only the person who made a match may invite to it"))
        secret, base = new_secret(), link_base(request, services.settings)
        await replace_keys(services, match, TABLE_SEAT, secret, None, data.rotate)
        return TableLink(table_link(base, match, secret), link_reach(base))


async def take_free_seat(services: Services, key: SeatKey, name: str, mine: bool) -> None:
    """Let a browser sit down where a friend is waited for; SeatTakenError if there is none.

    The key comes first: if the work ends in between, the browser has the seat and sits down when
    it asks again. Of two browsers that ask at once, only one keeps its key.
    """
    store, now = services.store, services.now()
    async with services.live_matches.current(key.match) as live:
        seats = live.state.seats
        if key.seat >= len(seats):
            raise RouteError(404, "seat", _("there is no such seat"))
        if seats[key.seat].kind != "friend" or seats[key.seat].claimed:
            if mine:
                return
            raise SeatTakenError
        await store.change_keys([key], now)
        if not await claim_first(services, live, key.seat, name):
            await store.change_keys([], now, [key])
            raise SeatTakenError
        known = await services.live_matches.glance(key.match)
        others = [k for k in known.keys if (k.seat, k.use) == (key.seat, "browser") and k != key]
        await store.change_keys([], now, others)


async def claim_first(services: Services, live: LiveMatch, seat: int, name: str) -> bool:
    """Claim a seat of a locked match; False if somebody was faster, at another server."""
    while not live.state.seats[seat].claimed:
        act, seq = events.ClaimSeat(name), live.state.seq
        with suppress(StaleError):
            _event, new = await services.live_matches.submit_locked(live, seat, act, seq)
            return new
    return False


def surplus_browsers(keys: Sequence[SeatKey], seat: int, most: int) -> Sequence[SeatKey]:
    """The browsers that give way when one more takes a seat, of keys from the oldest on.

    Half of those that may have it are the first that came, whom nobody who has the same link
    drives away by claiming it again and again; the other half are the latest.
    """
    browsers = [key for key in keys if key.seat == seat and key.use == "browser"]
    first = most // 2
    return browsers[first : max(first, len(browsers) + 1 - (most - first))]


async def replace_keys(
    services: Services, match: str, seat: int, secret: str, mine: str | None, rotate: bool
) -> None:
    """A new link opens a seat, and the oldest no longer; or it alone, and one's own browser."""
    known = await services.live_matches.glance(match)
    old = [key for key in known.keys if key.seat == seat]
    add = [seat_key(match, seat, secret, "link")]
    if mine is not None:
        add.append(seat_key(match, seat, mine, "browser"))
    links = [key for key in old if key.use == "link"]
    oldest = links[: max(0, len(links) + 1 - services.settings.limits.links_per_seat)]
    await services.store.change_keys(add, services.now(), old if rotate else oldest)
