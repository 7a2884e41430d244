"""The routes by which a match is made, read and deleted."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, Response, delete, get, post
from litestar.params import JSONBody, PathParameter

from quinconce.server.answers.common import view_for
from quinconce.server.answers.matches import NewMatchView, check_maker, ply_view
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.create import prepare_match
from quinconce.server.matches.setup import Setup
from quinconce.server.off_loop import run_brief, run_quick
from quinconce.server.request import wants_flipped
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    MatchId,
    ServicesDep,
    after_response,
    error_responses,
    insert_matches,
    link_base,
    look_at,
    secret_cookie,
)
from quinconce.server.security.auth import ensure_browser_secret
from quinconce.server.security.middleware import client_address
from quinconce.server.security.secrets import csrf_token, link_reach, new_secret
from quinconce.server.views.match import MatchView
from quinconce.server.views.position import PositionView


@post(
    "/api/matches",
    responses=error_responses(503, *POST_ERRORS),
    tags=["making"],
    operation_id="makeMatch",
)
async def make_match(
    data: JSONBody[Setup],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> Response[NewMatchView]:
    """Make a match; who sits where is drawn by lot, unless the order is given."""
    base = link_base(request, services.settings)
    browser, key = ensure_browser_secret(request), new_secret()
    founding, links = await run_brief(prepare_match, data, base, services.rng, browser, key)
    await services.rate_limits.check_new_matches(client_address(request), 1)
    tag_key = await insert_matches(services, request, [founding], data.tag or None)
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
        request: AnyRequest,
        services: ServicesDep,
        language: LanguageQuery,
    ) -> MatchView:
        """The match as it is now."""
        known, asker = await look_at(services, request, match)
        async with services.live_matches.current(match, known) as live:
            view = await view_for(services, request, live, asker)
        services.engine_turns.schedule(live)  # somebody else may have made the match, or moved
        return view

    @get("/plies/{ply:int}", responses=error_responses(), operation_id="lookBack")
    async def read_ply(
        self,
        match: MatchId,
        ply: Annotated[int, PathParameter(ge=0, le=100_000)],
        request: AnyRequest,
        services: ServicesDep,
        language: LanguageQuery,
    ) -> PositionView:
        """The position after a number of moves, to leaf through."""
        async with services.live_matches.locked(match) as live:
            state = live.state
        say, flipped = negotiate_voice(request), wants_flipped(request)
        return await run_quick(ply_view, state, ply, say, flipped=flipped)

    @delete(
        "/", status_code=204, responses=error_responses(401, 403, 429), operation_id="deleteMatch"
    )
    async def delete_match(
        self, match: MatchId, request: AnyRequest, services: ServicesDep
    ) -> Response[None]:
        """Delete a match that one has made, with everything about it."""
        _known, asker = await look_at(services, request, match)
        check_maker(asker)
        await services.store.delete_match(match)
        services.live_matches.evict(match)
        return Response(None, status_code=204, background=after_response(services.news.tell, match))
