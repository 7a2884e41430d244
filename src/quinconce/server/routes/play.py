"""The routes of one match: to look at it, to play it, to sit down, to ask for something."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Controller, Request, Response, delete, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from quinconce.core.phrase import _
from quinconce.server.errors import RefusalError
from quinconce.server.language import negotiate_voice
from quinconce.server.matches import events
from quinconce.server.matches.events import AnyAct, Matter
from quinconce.server.matches.seats import (
    MAKER_SEAT,
    MAX_NAME_LENGTH,
    SeatKey,
    clean_name,
    csrf_token,
    hash_secret,
    new_secret,
    seats_for_secret,
)
from quinconce.server.routes.common import (
    POST_ERRORS,
    LanguageQuery,
    MatchId,
    ServicesDep,
    after_response,
    error_responses,
)
from quinconce.server.security.auth import (
    Access,
    authenticate,
    ensure_browser_secret,
    secret_cookie,
)
from quinconce.server.security.links import Reach, link_base, link_reach, seat_link
from quinconce.server.services import Services
from quinconce.server.storage.schema import MATCHES
from quinconce.server.views.match import MatchView, match_view, record_seats
from quinconce.server.views.position import PositionView, position_view, wants_flipped

LastSeq = Annotated[int, Meta(ge=0, le=2**31, description="The number of the last event you know.")]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]


class ActRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What every wish says: what one knows of the match, and in which seat one speaks."""

    seq: LastSeq
    seat: SeatNumber | None = None  # needed only by who has several


class MoveRequest(ActRequest, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Play this move; typed by people, so that case and spaces do not matter."""

    move: Annotated[str, Meta(min_length=1, max_length=400)]


class MatterRequest(ActRequest, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ask for something, or agree to it; refuse it, or no longer ask."""

    matter: Matter
    about: SeatNumber | None = None


class SeatRequest(ActRequest, frozen=True, forbid_unknown_fields=True):
    """Be called something else, or play on in a seat that was lent to the engine."""

    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] | None = None
    back: bool = False


class ClaimRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Sit down, with the secret of a link."""

    secret: Annotated[str, Meta(max_length=64)]
    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] = ""


class LinkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A further link to a seat of one's own; with `rotate` no other link or browser opens it."""

    rotate: bool = False


class ActResult(Struct, frozen=True):
    """An event that is in the store; sent again because the answer was lost, it is not new."""

    seq: int
    new: bool
    event: dict[str, Any]
    view: MatchView


class ClaimResult(Struct, frozen=True):
    """The seat that is now this browser's, and what its pages have to send along."""

    seat: int
    csrf: str


class NewLink(Struct, frozen=True):
    """A secret link, told once, and how far it works."""

    seat: int
    link: str
    reach: Reach


class Hint(Struct, frozen=True):
    """A good move."""

    move: str


class Submitter:
    """The door of one match, for whoever has sent a request."""

    def __init__(self, house: Services, request: Request[Any, Any, Any], match: str) -> None:
        self.house = house
        self.request = request
        self.match = match

    async def submit(self, wish: ActRequest, act: AnyAct) -> Response[ActResult]:
        """Commit, then answer, then tell the others."""
        live, match = self.house.live_matches, self.match
        await live.get(match)
        asker = await authenticate(self.request, self.house.store, match)
        turn = None
        if isinstance(act, events.Move) and wish.seat is None:
            async with live.locked(match) as room:
                turn = seat_to_move_at(room.state.events, room.state.turn, asker, wish.seq)
        seat = asker.require_seat(wish.seat, turn)
        event, new = await live.submit(match, seat, act, wish.seq)
        view = await view_for(self.house, self.request, match, asker)
        done = ActResult(event.seq, new, event.as_dict(), view)
        return Response(done, background=after_response(live.announce, match) if new else None)


async def provide_submitter(
    match: MatchId, request: Request[Any, Any, Any], house: ServicesDep, language: LanguageQuery
) -> Submitter:
    """What all who want something of a match come by."""
    return Submitter(house, request, match)


SubmitterDep = NamedDependency[Submitter]


class MatchController(Controller):
    """Everything about one match."""

    path = "/api/matches/{match:str}"
    tags = ["match"]
    dependencies = {"door": Provide(provide_submitter)}

    @get("/", responses=error_responses(401), operation_id="lookAtMatch")
    async def read_match(
        self,
        match: MatchId,
        request: Request[Any, Any, Any],
        house: ServicesDep,
        language: LanguageQuery,
    ) -> MatchView:
        """The match as it is now."""
        asker = await authenticate(request, house.store, match)
        return await view_for(house, request, match, asker)

    @get("/plies/{ply:int}", responses=error_responses(), operation_id="lookBack")
    async def read_ply(
        self,
        match: MatchId,
        ply: Annotated[int, PathParameter(ge=0, le=100_000)],
        request: Request[Any, Any, Any],
        house: ServicesDep,
        language: LanguageQuery,
    ) -> PositionView:
        """The position after so many moves, to leaf through."""
        async with house.live_matches.locked(match) as room:
            course = room.state
            if ply > len(course.match.moves):
                raise RefusalError(404, "ply", _("the match is not that long"))
            return await asyncio.to_thread(
                position_view,
                course.match,
                negotiate_voice(request),
                record_seats(course),
                ply,
                legal=False,
                flipped=wants_flipped(request),
            )

    @post(
        "/moves",
        status_code=200,
        responses=error_responses(409, *POST_ERRORS),
        operation_id="playMove",
    )
    async def move(self, data: JSONBody[MoveRequest], door: SubmitterDep) -> Response[ActResult]:
        """Play a move."""
        return await door.submit(data, events.Move(data.move))

    @post(
        "/resignations",
        status_code=200,
        responses=error_responses(409, *POST_ERRORS),
        operation_id="resign",
    )
    async def resign(self, data: JSONBody[ActRequest], door: SubmitterDep) -> Response[ActResult]:
        """Give up; in a team both partners have to. Each for himself, the engine plays on."""
        return await door.submit(data, events.Resign())

    @post(
        "/agreements",
        status_code=200,
        responses=error_responses(409, *POST_ERRORS),
        operation_id="agree",
    )
    async def agree(self, data: JSONBody[MatterRequest], door: SubmitterDep) -> Response[ActResult]:
        """Ask for something or agree to it: it is done once everybody has agreed."""
        return await door.submit(data, events.Agree(data.matter, data.about))

    @post(
        "/refusals",
        status_code=200,
        responses=error_responses(409, *POST_ERRORS),
        operation_id="refuse",
    )
    async def refuse(
        self, data: JSONBody[MatterRequest], door: SubmitterDep
    ) -> Response[ActResult]:
        """Refuse what was asked for, or ask no longer."""
        return await door.submit(data, events.Refuse(data.matter))

    @post(
        "/seat",
        status_code=200,
        responses=error_responses(409, *POST_ERRORS),
        operation_id="changeSeat",
    )
    async def change_seat(
        self, data: JSONBody[SeatRequest], door: SubmitterDep
    ) -> Response[ActResult]:
        """Be called something else, or come back to a seat that the engine plays."""
        act = events.Return() if data.back else events.Rename(data.name or "")
        return await door.submit(data, act)

    @post(
        "/hints",
        status_code=200,
        responses=error_responses(409, 503, *POST_ERRORS),
        operation_id="askHint",
    )
    async def hint(
        self, match: MatchId, request: Request[Any, Any, Any], house: ServicesDep
    ) -> Hint:
        """A good move for the seat to move; between people only if all have agreed to hints."""
        asker = await authenticate(request, house.store, match)
        asker.require_seat(None)
        return Hint(await house.engine_turns.hint(match, asker.seats))

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
        request: Request[Any, Any, Any],
        house: ServicesDep,
    ) -> Response[ClaimResult]:
        """Take the seat of a secret link: from then on the cookie of this browser opens it."""
        await house.live_matches.get(match)
        keys = await house.store.keys(match)
        seats = seats_for_secret(keys, data.secret) - {MAKER_SEAT}
        if not seats:
            raise RefusalError(
                403, "secret", _("this link opens no seat: perhaps there is a newer one")
            )
        seat, secret = min(seats), ensure_browser_secret(request)
        await house.store.change_keys(
            [SeatKey(match, seat, hash_secret(secret), "browser")], house.now()
        )
        async with house.live_matches.locked(match) as room:
            first = not room.state.seats[seat].claimed
        if first:
            await house.live_matches.submit(
                match, seat, events.ClaimSeat(clean_name(data.name)), None
            )
        return Response(
            ClaimResult(seat, csrf_token(secret)),
            cookies=[secret_cookie(request, secret)],
            background=after_response(house.live_matches.announce, match),
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
        request: Request[Any, Any, Any],
        house: ServicesDep,
    ) -> Response[NewLink]:
        """A new secret link to a seat of one's own, or to one where nobody has come yet."""
        asker = await authenticate(request, house.store, match)
        async with house.live_matches.locked(match) as room:
            seats = room.state.seats
            if seat >= len(seats):
                raise RefusalError(404, "seat", _("there is no such seat"))
            waiting = asker.maker and seats[seat].kind == "friend" and not seats[seat].claimed
        if seat not in asker.seats and not waiting:
            raise RefusalError(403, "seat", _("this seat is not yours"))
        secret, mine = new_secret(), None
        if data.rotate and seat in asker.seats and "authorization" not in request.headers:
            mine = ensure_browser_secret(request)  # this browser keeps the seat
        await replace_keys(house, match, seat, secret, mine, data.rotate)
        cookies = [secret_cookie(request, mine)] if mine else []
        base = link_base(request, house.settings)
        return Response(
            NewLink(seat, seat_link(base, match, secret), link_reach(base)), cookies=cookies
        )

    @delete(
        "/", status_code=204, responses=error_responses(401, 403, 429), operation_id="deleteMatch"
    )
    async def delete_match(
        self, match: MatchId, request: Request[Any, Any, Any], house: ServicesDep
    ) -> Response[None]:
        """Delete a match that one has made, with everything about it."""
        await house.live_matches.get(match)
        if not (await authenticate(request, house.store, match)).maker:
            raise RefusalError(403, "maker", _("only who made a match may delete it"))
        await house.store.delete_matches(MATCHES.c.id == match)
        house.live_matches.evict(match)
        return Response(None, status_code=204, background=after_response(house.nudge, match))


async def replace_keys(
    house: Services, match: str, seat: int, secret: str, mine: str | None, rotate: bool
) -> None:
    """A new link opens a seat, and the oldest no longer; or it alone, and one's own browser."""
    old = [key for key in await house.store.keys(match) if key.seat == seat]
    add = [SeatKey(match, seat, hash_secret(secret), "link")]
    if mine is not None:
        add.append(SeatKey(match, seat, hash_secret(mine), "browser"))
    links = [key for key in old if key.use == "link"]
    oldest = links[: max(0, len(links) + 1 - house.settings.limits.links_per_seat)]
    await house.store.change_keys(add, house.now(), old if rotate else oldest)


async def view_for(
    house: Services,
    request: Request[Any, Any, Any],
    match: str,
    asker: Access,
    flipped: bool | None = None,
) -> MatchView:
    """The view of a match for somebody; from which side, the request says unless it is told."""
    behind = wants_flipped(request) if flipped is None else flipped
    async with house.live_matches.locked(match) as room:
        view = await asyncio.to_thread(
            match_view, room, asker, negotiate_voice(request), house.live_matches, behind
        )
    if request.method == "GET":  # somebody else may have made the match, or moved in it
        house.engine_turns.schedule(room)
    return view


def seat_to_move_at(
    past: list[events.Event], turn: int | None, asker: Access, seq: int
) -> int | None:
    """The seat that was to move when `seq` was the last event: one screen may hold several."""
    if seq < len(past) and isinstance(past[seq].act, events.Move) and past[seq].seat in asker.seats:
        return past[seq].seat
    return turn
