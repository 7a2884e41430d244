"""The routes by which matches are made: one, or many under a tag for a club or a class."""

from __future__ import annotations

import asyncio
import hmac
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct
from msgspec.structs import replace

from quinconce.core.phrase import _
from quinconce.server.errors import RefusalError
from quinconce.server.matches.create import (
    MatchLinks,
    SeatLink,
    links_as_csv,
    prepare_match,
    prepare_matches,
)
from quinconce.server.matches.live import apply_events
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.seats import csrf_token, hash_secret, new_secret
from quinconce.server.matches.setup import Setup
from quinconce.server.routes.common import (
    POST_ERRORS,
    LanguageQuery,
    ServicesDep,
    after_response,
    error_responses,
)
from quinconce.server.security.auth import bearer_token, ensure_browser_secret, secret_cookie
from quinconce.server.security.links import Reach, link_base, link_reach
from quinconce.server.security.middleware import client_address
from quinconce.server.services import Services
from quinconce.server.storage.schema import MATCHES
from quinconce.server.storage.store import ConflictError, MatchRow, Store

TagName = Annotated[str, PathParameter(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$")]


class NewMatchView(Struct, frozen=True):
    """A new match. Its key deletes it; the links and keys are told only now."""

    id: str
    watch: str
    reach: Reach
    seats: list[SeatLink]
    key: str
    csrf: str
    tag_key: str | None


class MatchBatch(Struct, frozen=True, forbid_unknown_fields=True):
    """Matches all alike: so many, or one for every list of names."""

    setup: Setup
    count: Annotated[int, Meta(ge=1, le=1000)] = 1
    names: Annotated[list[list[str]], Meta(max_length=1000)] | None = None


class MatchBatchView(Struct, frozen=True):
    """New matches under a tag; the key of the tag is told when it is used for the first time."""

    tag: str
    reach: Reach
    key: str
    tag_key: str | None
    matches: list[MatchLinks]


class RecordExport(Struct, frozen=True):
    """A match of a tag and its record."""

    id: str
    record: str


@post(
    "/api/matches",
    responses=error_responses(503, *POST_ERRORS),
    tags=["making"],
    operation_id="makeMatch",
)
async def make_match(
    data: JSONBody[Setup],
    request: Request[Any, Any, Any],
    house: ServicesDep,
    language: LanguageQuery,
) -> Response[NewMatchView]:
    """Make a match; who sits where is drawn by lot, unless the order is given."""
    check_engine_available(house, data)
    base = link_base(request, house.settings)
    browser, key = ensure_browser_secret(request), new_secret()
    founding, links = await asyncio.to_thread(prepare_match, data, base, house.rng, browser, key)
    house.rate_limits.check_new_matches(client_address(request), 1)
    tag_key = await authorize_tag(house.store, data.tag, request) if data.tag else None
    await house.store.insert_matches([founding], house.now())
    await house.live_matches.get(founding.id)
    body = NewMatchView(
        links.id, links.watch, link_reach(base), links.seats, key, csrf_token(browser), tag_key
    )
    return Response(
        body,
        status_code=201,
        cookies=[secret_cookie(request, browser)],
        background=after_response(house.live_matches.announce, founding.id),
    )


@post(
    "/api/tags/{tag:str}/matches",
    responses=error_responses(503, *POST_ERRORS),
    tags=["making"],
    operation_id="makeMatches",
)
async def make_matches(
    tag: TagName,
    data: JSONBody[MatchBatch],
    request: Request[Any, Any, Any],
    house: ServicesDep,
    language: LanguageQuery,
) -> Response[MatchBatchView]:
    """Make many matches at once, with the links of all seats."""
    body = await make_tagged_matches(house, request, tag, data)
    matches = [match.id for match in body.matches]
    return Response(body, status_code=201, background=after_response(announce_all, house, matches))


@post(
    "/api/tags/{tag:str}/matches.csv",
    media_type="text/csv",
    responses=error_responses(503, *POST_ERRORS),
    tags=["making"],
    operation_id="makeMatchesAsCsv",
)
async def make_matches_csv(
    tag: TagName,
    data: JSONBody[MatchBatch],
    request: Request[Any, Any, Any],
    house: ServicesDep,
    language: LanguageQuery,
) -> Response[str]:
    """The same with the links as CSV; the key of a new tag comes in the header X-Tag-Key."""
    body = await make_tagged_matches(house, request, tag, data)
    headers = {"Content-Disposition": f'attachment; filename="{tag}.csv"'}
    if body.tag_key:
        headers["X-Tag-Key"] = body.tag_key
    done = after_response(announce_all, house, [match.id for match in body.matches])
    return Response(
        links_as_csv(body.matches),
        status_code=201,
        media_type="text/csv",
        headers=headers,
        background=done,
    )


async def make_tagged_matches(
    house: Services, request: Request[Any, Any, Any], tag: str, wish: MatchBatch
) -> MatchBatchView:
    """The matches that were asked for, in the store."""
    setup = replace(wish.setup, tag=tag)
    check_engine_available(house, setup)
    names = [[]] * wish.count if wish.names is None else wish.names
    base, key = link_base(request, house.settings), new_secret()
    house.rate_limits.check_new_matches(client_address(request), len(names))
    found = await asyncio.to_thread(prepare_matches, setup, base, house.rng, names, key)
    tag_key = await authorize_tag(house.store, tag, request)
    await house.store.insert_matches([founding for founding, _links in found], house.now())
    return MatchBatchView(
        tag, link_reach(base), key, tag_key, [links for _founding, links in found]
    )


@get(
    "/api/tags/{tag:str}/records",
    responses=error_responses(401, 403),
    tags=["making"],
    operation_id="exportRecords",
)
async def export_records(
    tag: TagName, request: Request[Any, Any, Any], house: ServicesDep
) -> list[RecordExport]:
    """The records of all matches of a tag, for whoever has its key."""
    if await house.store.tag_key_hash(tag) is None:
        raise RefusalError(404, "tag", _("there is no such tag"))
    await authorize_tag(house.store, tag, request)
    return [RecordExport(kept.id, text) for kept, text in await tag_records(house.store, tag)]


def check_engine_available(house: Services, setup: Setup) -> None:
    """RefusalError if there is an engine to sit down and none in the house."""
    if any(chair.kind == "engine" for chair in setup.seats) and not house.engine_pool.available:
        raise RefusalError(503, "engine", _("this house has no engine"))


async def announce_all(house: Services, matches: list[str]) -> None:
    """Engines that are to start are asked."""
    for match in matches:
        await house.live_matches.get(match)
        house.live_matches.announce(match)


async def authorize_tag(store: Store, tag: str, request: Request[Any, Any, Any]) -> str | None:
    """See that whoever asks may use a tag; whoever is first gets its key."""
    key = new_secret()
    if await store.tag_key_hash(tag) is None:
        try:
            await store.insert_tag(tag, hash_secret(key))
        except ConflictError:
            pass
        else:
            return key
    if not hmac.compare_digest(
        hash_secret(bearer_token(request) or ""), await store.tag_key_hash(tag) or ""
    ):
        raise RefusalError(403, "tag", _("this tag belongs to somebody: send its key as the token"))
    return None


async def tag_records(store: Store, tag: str) -> list[tuple[MatchRow, str]]:
    """The records of a tag, in the order in which the matches were made."""
    return [
        (kept, await record_text(store, kept)) for kept in await store.matches(MATCHES.c.tag == tag)
    ]


async def record_text(store: Store, kept: MatchRow) -> str:
    """A match from the store as a record."""
    past = await store.events(kept.id, 0)

    def replay() -> str:
        course = OnlineMatch(kept.setup)
        apply_events(course, past)
        return course.record(kept.made).text()

    return await asyncio.to_thread(replay)
