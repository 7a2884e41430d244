"""The routes of one match: to look at it, to play it, to sit down, to ask for something."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Controller, Request, Response, delete, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from quinconce.core.phrase import Phrase as _
from quinconce.server.errors import RefusalError
from quinconce.server.language import voice_of
from quinconce.server.matches import events
from quinconce.server.matches.events import AnyAct, Matter
from quinconce.server.matches.seats import (
    LONGEST_NAME,
    MAKER,
    Key,
    csrf,
    hashed,
    new_secret,
    opened,
    tidy,
)
from quinconce.server.routes.common import POSTED, Language, MatchId, TheHouse, faults, then
from quinconce.server.security.auth import Asker, asker_of, cookie, own_secret
from quinconce.server.security.links import Reach, base_of, reach, seat_link
from quinconce.server.services import House
from quinconce.server.storage.schema import MATCHES
from quinconce.server.views.match import View, names_of, viewed
from quinconce.server.views.position import Scene, from_behind, scene

Seen = Annotated[int, Meta(ge=0, le=2**31, description="The number of the last event you know.")]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]


class Wish(Struct, frozen=True, forbid_unknown_fields=True):
    """What every wish says: what one knows of the match, and in which seat one speaks."""

    seq: Seen
    seat: SeatNumber | None = None  # needed only by who has several


class MoveWish(Wish, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Play this move; typed by people, so that case and spaces do not matter."""

    move: Annotated[str, Meta(min_length=1, max_length=400)]


class MatterWish(Wish, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ask for something, or agree to it; refuse it, or no longer ask."""

    matter: Matter
    about: SeatNumber | None = None


class SeatWish(Wish, frozen=True, forbid_unknown_fields=True):
    """Be called something else, or play on in a seat that was lent to the engine."""

    name: Annotated[str, Meta(max_length=LONGEST_NAME)] | None = None
    back: bool = False


class ClaimWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Sit down, with the secret of a link."""

    secret: Annotated[str, Meta(max_length=64)]
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""


class LinkWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A further link to a seat of one's own; with `rotate` no other link or browser opens it."""

    rotate: bool = False


class Done(Struct, frozen=True):
    """An event that is in the store; sent again because the answer was lost, it is not new."""

    seq: int
    new: bool
    event: dict[str, Any]
    view: View


class Claimed(Struct, frozen=True):
    """The seat that is now this browser's, and what its pages have to send along."""

    seat: int
    csrf: str


class Link(Struct, frozen=True):
    """A secret link, told once, and how far it works."""

    seat: int
    link: str
    reach: Reach


class Hint(Struct, frozen=True):
    """A good move."""

    move: str


class Door:
    """The door of one match, for whoever has sent a request."""

    def __init__(self, house: House, request: Request[Any, Any, Any], match: str) -> None:
        self.house = house
        self.request = request
        self.match = match

    async def enter(self, wish: Wish, act: AnyAct) -> Response[Done]:
        """Commit, then answer, then tell the others."""
        live, match = self.house.live, self.match
        await live.room(match)
        asker = await asker_of(self.request, self.house.store, match)
        turn = None
        if isinstance(act, events.Move) and wish.seat is None:
            async with live.entered(match) as room:
                turn = seat_then(room.course.events, room.course.turn, asker, wish.seq)
        seat = asker.seat(wish.seat, turn)
        event, new = await live.enter(match, seat, act, wish.seq)
        view = await look(self.house, self.request, match, asker)
        done = Done(event.seq, new, event.public(), view)
        return Response(done, background=then(live.announce, match) if new else None)


async def the_door(
    match: MatchId, request: Request[Any, Any, Any], house: TheHouse, language: Language
) -> Door:
    """What all who want something of a match come by."""
    return Door(house, request, match)


TheDoor = NamedDependency[Door]


class Playing(Controller):
    """Everything about one match."""

    path = "/api/matches/{match:str}"
    tags = ["match"]
    dependencies = {"door": Provide(the_door)}

    @get("/", responses=faults(401), operation_id="lookAtMatch")
    async def look(
        self, match: MatchId, request: Request[Any, Any, Any], house: TheHouse, language: Language
    ) -> View:
        """The match as it is now."""
        asker = await asker_of(request, house.store, match)
        return await look(house, request, match, asker)

    @get("/plies/{ply:int}", responses=faults(), operation_id="lookBack")
    async def past(
        self,
        match: MatchId,
        ply: Annotated[int, PathParameter(ge=0, le=100_000)],
        request: Request[Any, Any, Any],
        house: TheHouse,
        language: Language,
    ) -> Scene:
        """The position after so many moves, to leaf through."""
        async with house.live.entered(match) as room:
            course = room.course
            if ply > len(course.match.moves):
                raise RefusalError(404, "ply", _("the match is not that long"))
            return await asyncio.to_thread(
                scene,
                course.match,
                voice_of(request),
                names_of(course),
                ply,
                legal=False,
                flipped=from_behind(request),
            )

    @post("/moves", status_code=200, responses=faults(409, *POSTED), operation_id="playMove")
    async def move(self, data: JSONBody[MoveWish], door: TheDoor) -> Response[Done]:
        """Play a move."""
        return await door.enter(data, events.Move(data.move))

    @post("/resignations", status_code=200, responses=faults(409, *POSTED), operation_id="resign")
    async def resign(self, data: JSONBody[Wish], door: TheDoor) -> Response[Done]:
        """Give up; in a team both partners have to. Each for himself, the engine plays on."""
        return await door.enter(data, events.Resign())

    @post("/agreements", status_code=200, responses=faults(409, *POSTED), operation_id="agree")
    async def agree(self, data: JSONBody[MatterWish], door: TheDoor) -> Response[Done]:
        """Ask for something or agree to it: it is done once everybody has agreed."""
        return await door.enter(data, events.Agree(data.matter, data.about))

    @post("/refusals", status_code=200, responses=faults(409, *POSTED), operation_id="refuse")
    async def refuse(self, data: JSONBody[MatterWish], door: TheDoor) -> Response[Done]:
        """Refuse what was asked for, or ask no longer."""
        return await door.enter(data, events.Refuse(data.matter))

    @post("/seat", status_code=200, responses=faults(409, *POSTED), operation_id="changeSeat")
    async def sit(self, data: JSONBody[SeatWish], door: TheDoor) -> Response[Done]:
        """Be called something else, or come back to a seat that the engine plays."""
        act = events.Back() if data.back else events.Name(data.name or "")
        return await door.enter(data, act)

    @post("/hints", status_code=200, responses=faults(409, 503, *POSTED), operation_id="askHint")
    async def hint(self, match: MatchId, request: Request[Any, Any, Any], house: TheHouse) -> Hint:
        """A good move for the seat to move; between people only if all have agreed to hints."""
        asker = await asker_of(request, house.store, match)
        asker.seat(None)
        return Hint(await house.turns.hint(match, asker.seats))

    @post("/claims", status_code=200, responses=faults(*POSTED), operation_id="claimSeat")
    async def claim(
        self,
        match: MatchId,
        data: JSONBody[ClaimWish],
        request: Request[Any, Any, Any],
        house: TheHouse,
    ) -> Response[Claimed]:
        """Take the seat of a secret link: from then on the cookie of this browser opens it."""
        await house.live.room(match)
        keys = await house.store.keys(match)
        seats = opened(keys, data.secret) - {MAKER}
        if not seats:
            raise RefusalError(
                403, "secret", _("this link opens no seat: perhaps there is a newer one")
            )
        seat, secret = min(seats), own_secret(request)
        await house.store.change_keys([Key(match, seat, hashed(secret), "browser")], house.now())
        async with house.live.entered(match) as room:
            first = not room.course.seats[seat].claimed
        if first:
            await house.live.enter(match, seat, events.Claim(tidy(data.name)), None)
        return Response(
            Claimed(seat, csrf(secret)),
            cookies=[cookie(request, secret)],
            background=then(house.live.announce, match),
        )

    @post(
        "/seats/{seat:int}/links",
        status_code=200,
        responses=faults(*POSTED),
        operation_id="makeLink",
    )
    async def link(
        self,
        match: MatchId,
        seat: Annotated[int, PathParameter(ge=0, le=7)],
        data: JSONBody[LinkWish],
        request: Request[Any, Any, Any],
        house: TheHouse,
    ) -> Response[Link]:
        """A new secret link to a seat of one's own, or to one where nobody has come yet."""
        asker = await asker_of(request, house.store, match)
        async with house.live.entered(match) as room:
            seats = room.course.seats
            if seat >= len(seats):
                raise RefusalError(404, "seat", _("there is no such seat"))
            waiting = asker.maker and seats[seat].kind == "friend" and not seats[seat].claimed
        if seat not in asker.seats and not waiting:
            raise RefusalError(403, "seat", _("this seat is not yours"))
        secret, mine = new_secret(), None
        if data.rotate and seat in asker.seats and "authorization" not in request.headers:
            mine = own_secret(request)  # this browser keeps the seat
        await change_locks(house, match, seat, secret, mine, data.rotate)
        cookies = [cookie(request, mine)] if mine else []
        base = base_of(request, house.settings)
        return Response(Link(seat, seat_link(base, match, secret), reach(base)), cookies=cookies)

    @delete("/", status_code=204, responses=faults(401, 403, 429), operation_id="deleteMatch")
    async def forget(
        self, match: MatchId, request: Request[Any, Any, Any], house: TheHouse
    ) -> Response[None]:
        """Delete a match that one has made, with everything about it."""
        await house.live.room(match)
        if not (await asker_of(request, house.store, match)).maker:
            raise RefusalError(403, "maker", _("only who made a match may delete it"))
        await house.store.forget(MATCHES.c.id == match)
        house.live.forget(match)
        return Response(None, status_code=204, background=then(house.nudge, match))


async def change_locks(
    house: House, match: str, seat: int, secret: str, mine: str | None, rotate: bool
) -> None:
    """A new link opens a seat, and the oldest no longer; or it alone, and one's own browser."""
    old = [key for key in await house.store.keys(match) if key.seat == seat]
    add = [Key(match, seat, hashed(secret), "link")]
    if mine is not None:
        add.append(Key(match, seat, hashed(mine), "browser"))
    links = [key for key in old if key.use == "link"]
    oldest = links[: max(0, len(links) + 1 - house.settings.limits.links)]
    await house.store.change_keys(add, house.now(), old if rotate else oldest)


async def look(
    house: House,
    request: Request[Any, Any, Any],
    match: str,
    asker: Asker,
    flipped: bool | None = None,
) -> View:
    """The view of a match for somebody; from which side, the request says unless it is told."""
    behind = from_behind(request) if flipped is None else flipped
    async with house.live.entered(match) as room:
        view = await asyncio.to_thread(viewed, room, asker, voice_of(request), house.live, behind)
    if request.method == "GET":  # somebody else may have made the match, or moved in it
        house.turns.wake(room)
    return view


def seat_then(past: list[events.Event], turn: int | None, asker: Asker, seq: int) -> int | None:
    """The seat that was to move when `seq` was the last event: one screen may hold several."""
    if seq < len(past) and isinstance(past[seq].act, events.Move) and past[seq].seat in asker.seats:
        return past[seq].seat
    return turn
