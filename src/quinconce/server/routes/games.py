"""The routes of the games, their rules, and of one's own matches."""

from __future__ import annotations

from typing import Final

from litestar import Response, get

from quinconce.core.registry import names
from quinconce.server.answers.common import Page
from quinconce.server.answers.games import rules_values
from quinconce.server.answers.matches import MAX_OWN_MATCHES, Me, own_matches
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import (
    AnyRequest,
    LanguageQuery,
    PathText,
    ServicesDep,
    error_responses,
    page_response,
)
from quinconce.server.security.auth import browser_hashes, cookie_secret
from quinconce.server.security.secrets import csrf_token
from quinconce.server.views.games import GameView, game_view


@get("/api/games", responses=error_responses(), tags=["reading"], operation_id="listGames")
async def games(request: AnyRequest, language: LanguageQuery) -> list[GameView]:
    """The games, with every option explained."""
    say = negotiate_voice(request)
    return [game_view(name, say) for name in names()]


@get("/api/me", responses=error_responses(), tags=["reading"], operation_id="whatIsMine")
async def me(request: AnyRequest, services: ServicesDep, language: LanguageQuery) -> Me:
    """The matches of this browser, the latest first."""
    secret, hashes = cookie_secret(request), browser_hashes(request)
    if secret is None:
        return Me(None, [])
    say = negotiate_voice(request)
    held = await services.store.matches_for_keys(hashes, MAX_OWN_MATCHES)
    return Me(csrf_token(secret), own_matches(held, say))


@get("/rules/{name:str}", include_in_schema=False)
async def rules_sheet(request: AnyRequest, name: PathText) -> Response[str]:
    """The rules of an edition on one sheet of paper."""
    values = await run_brief(rules_values, name, request.query_params, negotiate_voice(request))
    return page_response(request, Page("rules_sheet.html", values))


@get("/rules/{name:str}/short", include_in_schema=False)
async def rules_panel(request: AnyRequest, name: PathText) -> Response[str]:
    """The rules in short, as a part of a page that shows them beside its board."""
    values = await run_brief(rules_values, name, request.query_params, negotiate_voice(request))
    return page_response(request, Page("rules_panel.html", values))


ROUTES: Final = [rules_sheet, rules_panel]
