"""The routes of tags: many matches at once for a club or a class, and their records."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct
from msgspec.structs import replace

from quinconce.core.phrase import _
from quinconce.server.clubs.tags import tag_records
from quinconce.server.errors import RouteError
from quinconce.server.matches.create import MatchLinks, links_as_csv, prepare_matches
from quinconce.server.matches.setup import Setup
from quinconce.server.off_loop import run_slow
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    ServicesDep,
    after_response,
    check_sent_tag_key,
    error_responses,
    insert_matches,
    link_base,
)
from quinconce.server.security.middleware import client_address
from quinconce.server.security.secrets import Reach, link_reach, new_secret
from quinconce.server.services import Services

TagName = Annotated[str, PathParameter(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$")]


class MatchBatch(Struct, frozen=True, forbid_unknown_fields=True):
    """Matches all alike: a number of them, or one for every list of names."""

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
    "/api/tags/{tag:str}/matches",
    responses=error_responses(503, *POST_ERRORS),
    tags=["making"],
    operation_id="makeMatches",
)
async def make_matches(
    tag: TagName,
    data: JSONBody[MatchBatch],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> Response[MatchBatchView]:
    """Make many matches at once, with the links of all seats."""
    body = await make_tagged_matches(services, request, tag, data)
    matches = [match.id for match in body.matches]
    return Response(
        body,
        status_code=201,
        background=after_response(services.live_matches.announce_all, matches),
    )


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
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> Response[str]:
    """The same with the links as CSV; the key of a new tag comes in the header X-Tag-Key."""
    body = await make_tagged_matches(services, request, tag, data)
    headers = {"Content-Disposition": f'attachment; filename="{tag}.csv"'}
    if body.tag_key:
        headers["X-Tag-Key"] = body.tag_key
    matches = [match.id for match in body.matches]
    return Response(
        links_as_csv(body.matches),
        status_code=201,
        media_type="text/csv",
        headers=headers,
        background=after_response(services.live_matches.announce_all, matches),
    )


async def make_tagged_matches(
    services: Services, request: AnyRequest, tag: str, wish: MatchBatch
) -> MatchBatchView:
    """The matches that were asked for, in the store."""
    setup = replace(wish.setup, tag=tag)
    names = [[]] * wish.count if wish.names is None else wish.names
    base, key = link_base(request, services.settings), new_secret()
    await services.rate_limits.check_new_matches(client_address(request), len(names))
    found = await run_slow(len(names), prepare_matches, setup, base, services.rng, names, key)
    matches = [founding for founding, _links in found]
    tag_key = await insert_matches(services, request, matches, tag)
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
    tag: TagName, request: AnyRequest, services: ServicesDep
) -> list[RecordExport]:
    """The records of all matches of a tag, for the holder of its key."""
    if await services.store.tag_key_hash(tag) is None:
        raise RouteError(404, "tag", _("there is no such tag"))
    await check_sent_tag_key(services, tag, request)
    return [RecordExport(row.id, text) for row, text in await tag_records(services.store, tag)]
