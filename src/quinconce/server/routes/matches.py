"""The routes by which a match is made, read and deleted."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Controller, Request, Response, delete, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Struct

from quinconce.core.phrase import _
from quinconce.server.clubs.tags import authorize_tag
from quinconce.server.errors import RefusalError
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.create import SeatLink, prepare_match
from quinconce.server.matches.setup import Setup
from quinconce.server.routes.common import (
    POST_ERRORS,
    LanguageQuery,
    MatchId,
    ServicesDep,
    after_response,
    error_responses,
    link_base,
    wants_flipped,
)
from quinconce.server.routes.tags import check_engine_available
from quinconce.server.security.auth import (
    Access,
    authenticate,
    ensure_browser_secret,
    secret_cookie,
)
from quinconce.server.security.links import Reach, link_reach
from quinconce.server.security.middleware import client_address
from quinconce.server.security.secrets import (
    csrf_token,
    new_secret,
)
from quinconce.server.services import Services
from quinconce.server.storage.schema import MATCHES
from quinconce.server.views.match import MatchView, match_view, record_seats
from quinconce.server.views.position import PositionView, position_view


class NewMatchView(Struct, frozen=True):
    """A new match. Its key deletes it; the links and keys are told only now."""

    id: str
    watch: str
    reach: Reach
    seats: list[SeatLink]
    key: str
    csrf: str
    tag_key: str | None


@post(
    "/api/matches",
    responses=error_responses(503, *POST_ERRORS),
    tags=["making"],
    operation_id="makeMatch",
)
async def make_match(
    data: JSONBody[Setup],
    request: Request[Any, Any, Any],
    services: ServicesDep,
    language: LanguageQuery,
) -> Response[NewMatchView]:
    """Make a match; who sits where is drawn by lot, unless the order is given."""
    check_engine_available(services, data)
    base = link_base(request, services.settings)
    browser, key = ensure_browser_secret(request), new_secret()
    founding, links = await asyncio.to_thread(prepare_match, data, base, services.rng, browser, key)
    services.rate_limits.check_new_matches(client_address(request), 1)
    tag_key = await authorize_tag(services.store, data.tag, request) if data.tag else None
    await services.store.insert_matches([founding], services.now())
    await services.live_matches.get(founding.id)
    body = NewMatchView(
        links.id, links.watch, link_reach(base), links.seats, key, csrf_token(browser), tag_key
    )
    return Response(
        body,
        status_code=201,
        cookies=[secret_cookie(request, browser)],
        background=after_response(services.live_matches.announce, founding.id),
    )


class MatchController(Controller):
    """A match that is there already."""

    path = "/api/matches/{match:str}"
    tags = ["match"]

    @get("/", responses=error_responses(401), operation_id="lookAtMatch")
    async def read_match(
        self,
        match: MatchId,
        request: Request[Any, Any, Any],
        services: ServicesDep,
        language: LanguageQuery,
    ) -> MatchView:
        """The match as it is now."""
        asker = await authenticate(request, services.store, match)
        return await view_for(services, request, match, asker)

    @get("/plies/{ply:int}", responses=error_responses(), operation_id="lookBack")
    async def read_ply(
        self,
        match: MatchId,
        ply: Annotated[int, PathParameter(ge=0, le=100_000)],
        request: Request[Any, Any, Any],
        services: ServicesDep,
        language: LanguageQuery,
    ) -> PositionView:
        """The position after so many moves, to leaf through."""
        async with services.live_matches.locked(match) as room:
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

    @delete(
        "/", status_code=204, responses=error_responses(401, 403, 429), operation_id="deleteMatch"
    )
    async def delete_match(
        self, match: MatchId, request: Request[Any, Any, Any], services: ServicesDep
    ) -> Response[None]:
        """Delete a match that one has made, with everything about it."""
        await services.live_matches.get(match)
        if not (await authenticate(request, services.store, match)).maker:
            raise RefusalError(403, "maker", _("only who made a match may delete it"))
        await services.store.delete_matches(MATCHES.c.id == match)
        services.live_matches.evict(match)
        return Response(None, status_code=204, background=after_response(services.nudge, match))


async def view_for(
    services: Services,
    request: Request[Any, Any, Any],
    match: str,
    asker: Access,
    flipped: bool | None = None,
) -> MatchView:
    """The view of a match for somebody; from which side, the request says unless it is told."""
    behind = wants_flipped(request) if flipped is None else flipped
    async with services.live_matches.locked(match) as room:
        view = await asyncio.to_thread(
            match_view, room, asker, negotiate_voice(request), services.live_matches, behind
        )
    if request.method == "GET":  # somebody else may have made the match, or moved in it
        services.engine_turns.schedule(room)
    return view
