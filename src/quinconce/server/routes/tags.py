"""The routes by which matches are made: one, or many under a tag for a club or a class."""

from __future__ import annotations

import asyncio
import hmac
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct
from msgspec.structs import replace

from quinconce.core.phrase import Phrase as _
from quinconce.server.errors import RefusalError
from quinconce.server.matches.create import MatchLinks, SeatLink, as_csv, made, many_made
from quinconce.server.matches.live import replayed
from quinconce.server.matches.online_match import Course
from quinconce.server.matches.seats import csrf, hashed, new_secret
from quinconce.server.matches.setup import Setup
from quinconce.server.routes.common import POSTED, Language, TheHouse, faults, then
from quinconce.server.security.auth import bearer, cookie, own_secret
from quinconce.server.security.links import Reach, base_of, reach
from quinconce.server.security.middleware import address
from quinconce.server.services import House
from quinconce.server.storage.schema import MATCHES
from quinconce.server.storage.store import Kept, Store, TakenError

TagName = Annotated[str, PathParameter(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$")]


class Made(Struct, frozen=True):
    """A new match. Its key deletes it; the links and keys are told only now."""

    id: str
    watch: str
    reach: Reach
    seats: list[SeatLink]
    key: str
    csrf: str
    tag_key: str | None


class Many(Struct, frozen=True, forbid_unknown_fields=True):
    """Matches all alike: so many, or one for every list of names."""

    setup: Setup
    count: Annotated[int, Meta(ge=1, le=1000)] = 1
    names: Annotated[list[list[str]], Meta(max_length=1000)] | None = None


class ManyMade(Struct, frozen=True):
    """New matches under a tag; the key of the tag is told when it is used for the first time."""

    tag: str
    reach: Reach
    key: str
    tag_key: str | None
    matches: list[MatchLinks]


class Exported(Struct, frozen=True):
    """A match of a tag and its record."""

    id: str
    record: str


@post("/api/matches", responses=faults(503, *POSTED), tags=["making"], operation_id="makeMatch")
async def make(
    data: JSONBody[Setup], request: Request[Any, Any, Any], house: TheHouse, language: Language
) -> Response[Made]:
    """Make a match; who sits where is drawn by lot, unless the order is given."""
    playable(house, data)
    base = base_of(request, house.settings)
    browser, key = own_secret(request), new_secret()
    founding, links = await asyncio.to_thread(made, data, base, house.chance, browser, key)
    house.rations.make(address(request), 1)
    tag_key = await tag_opened(house.store, data.tag, request) if data.tag else None
    await house.store.found([founding], house.now())
    await house.live.room(founding.id)
    body = Made(links.id, links.watch, reach(base), links.seats, key, csrf(browser), tag_key)
    return Response(
        body,
        status_code=201,
        cookies=[cookie(request, browser)],
        background=then(house.live.announce, founding.id),
    )


@post(
    "/api/tags/{tag:str}/matches",
    responses=faults(503, *POSTED),
    tags=["making"],
    operation_id="makeMatches",
)
async def make_many(
    tag: TagName,
    data: JSONBody[Many],
    request: Request[Any, Any, Any],
    house: TheHouse,
    language: Language,
) -> Response[ManyMade]:
    """Make many matches at once, with the links of all seats."""
    body = await many(house, request, tag, data)
    matches = [match.id for match in body.matches]
    return Response(body, status_code=201, background=then(wake_all, house, matches))


@post(
    "/api/tags/{tag:str}/matches.csv",
    media_type="text/csv",
    responses=faults(503, *POSTED),
    tags=["making"],
    operation_id="makeMatchesAsCsv",
)
async def make_many_csv(
    tag: TagName,
    data: JSONBody[Many],
    request: Request[Any, Any, Any],
    house: TheHouse,
    language: Language,
) -> Response[str]:
    """The same with the links as CSV; the key of a new tag comes in the header X-Tag-Key."""
    body = await many(house, request, tag, data)
    headers = {"Content-Disposition": f'attachment; filename="{tag}.csv"'}
    if body.tag_key:
        headers["X-Tag-Key"] = body.tag_key
    done = then(wake_all, house, [match.id for match in body.matches])
    return Response(
        as_csv(body.matches),
        status_code=201,
        media_type="text/csv",
        headers=headers,
        background=done,
    )


async def many(house: House, request: Request[Any, Any, Any], tag: str, wish: Many) -> ManyMade:
    """The matches that were asked for, in the store."""
    setup = replace(wish.setup, tag=tag)
    playable(house, setup)
    names = [[]] * wish.count if wish.names is None else wish.names
    base, key = base_of(request, house.settings), new_secret()
    house.rations.make(address(request), len(names))
    found = await asyncio.to_thread(many_made, setup, base, house.chance, names, key)
    tag_key = await tag_opened(house.store, tag, request)
    await house.store.found([founding for founding, _links in found], house.now())
    return ManyMade(tag, reach(base), key, tag_key, [links for _founding, links in found])


@get(
    "/api/tags/{tag:str}/records",
    responses=faults(401, 403),
    tags=["making"],
    operation_id="exportRecords",
)
async def export(tag: TagName, request: Request[Any, Any, Any], house: TheHouse) -> list[Exported]:
    """The records of all matches of a tag, for whoever has its key."""
    if await house.store.tag_hash(tag) is None:
        raise RefusalError(404, "tag", _("there is no such tag"))
    await tag_opened(house.store, tag, request)
    return [Exported(kept.id, text) for kept, text in await records(house.store, tag)]


def playable(house: House, setup: Setup) -> None:
    """RefusalError if there is an engine to sit down and none in the house."""
    if any(chair.kind == "engine" for chair in setup.seats) and not house.engines.available:
        raise RefusalError(503, "engine", _("this house has no engine"))


async def wake_all(house: House, matches: list[str]) -> None:
    """Engines that are to start are asked."""
    for match in matches:
        await house.live.room(match)
        house.live.announce(match)


async def tag_opened(store: Store, tag: str, request: Request[Any, Any, Any]) -> str | None:
    """See that whoever asks may use a tag; whoever is first gets its key."""
    key = new_secret()
    if await store.tag_hash(tag) is None:
        try:
            await store.keep_tag(tag, hashed(key))
        except TakenError:
            pass
        else:
            return key
    if not hmac.compare_digest(hashed(bearer(request) or ""), await store.tag_hash(tag) or ""):
        raise RefusalError(403, "tag", _("this tag belongs to somebody: send its key as the token"))
    return None


async def records(store: Store, tag: str) -> list[tuple[Kept, str]]:
    """The records of a tag, in the order in which the matches were made."""
    return [
        (kept, await written(store, kept)) for kept in await store.matches(MATCHES.c.tag == tag)
    ]


async def written(store: Store, kept: Kept) -> str:
    """A match from the store as a record."""
    past = await store.events(kept.id, 0)

    def replay() -> str:
        course = Course(kept.setup)
        replayed(course, past)
        return course.record(kept.made).text()

    return await asyncio.to_thread(replay)
