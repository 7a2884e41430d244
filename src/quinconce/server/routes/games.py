"""The routes of the games, their rules, and of one's own matches."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from litestar import Response, get
from msgspec import Struct

from quinconce.core.option import Edition
from quinconce.core.registry import game_class, names
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import (
    AnyRequest,
    LanguageQuery,
    PathText,
    ServicesDep,
    check_game,
    error_responses,
    page_response,
)
from quinconce.server.security.auth import browser_hashes, cookie_secret
from quinconce.server.security.secrets import csrf_token
from quinconce.server.views.games import GameView, game_view
from quinconce.server.views.rules import edition_number, short_rules
from quinconce.words import Voice

MAX_OWN_MATCHES: Final = 100


class OwnMatch(Struct, frozen=True):
    """A match in which this browser has a seat."""

    id: str
    game: str
    title: str
    seats: list[int]
    names: list[str]
    moves: int
    waits: str  # for people, for the engine, or nobody when it is over
    touched: float


class Me(Struct, frozen=True):
    """What this browser has here; `csrf` goes along with everything it sends."""

    csrf: str | None
    matches: list[OwnMatch]


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
    own = [
        OwnMatch(
            kept.id,
            kept.setup.game,
            say(game_class(kept.setup.game).title),
            seats,
            [seat.name for seat in kept.setup.seats],
            kept.moves,
            kept.waits,
            kept.touched,
        )
        for kept, seats in await services.store.matches_for_keys(hashes, MAX_OWN_MATCHES)
    ]
    return Me(csrf_token(secret), own)


@get("/rules/{name:str}", include_in_schema=False)
async def rules_sheet(request: AnyRequest, name: PathText) -> Response[str]:
    """The rules of an edition on one sheet of paper."""
    values = await run_brief(rules_values, name, request.query_params, negotiate_voice(request))
    return page_response(request, "rules_sheet.html", **values)


@get("/rules/{name:str}/short", include_in_schema=False)
async def rules_panel(request: AnyRequest, name: PathText) -> Response[str]:
    """The rules in short, as a part of a page that shows them beside its board."""
    values = await run_brief(rules_values, name, request.query_params, negotiate_voice(request))
    return page_response(request, "rules_panel.html", **values)


def rules_values(name: str, query: Any, say: Voice) -> dict[str, Any]:
    """What the templates of the rules show: the edition that the options in a query belong to."""
    check_game(name)
    rules = game_class(name)
    chosen = {key: value for key, value in query.items() if key in rules.options}
    number = edition_number(name, rules(**chosen).chosen)
    edition = rules.editions[number]
    return {
        "name": name,
        "title": say(edition.title),
        "summary": say(rules.summary),
        "short": short_rules(name, number, say.language),
        "query": edition_query(edition),
        "others": other_editions(name, number, say),
    }


def other_editions(name: str, number: int, say: Voice) -> list[dict[str, str]]:
    """The editions of a game but one: their titles, and their options as an address has them."""
    return [
        {"title": say(each.short_title), "query": edition_query(each)}
        for n, each in enumerate(game_class(name).editions)
        if n != number
    ]


def edition_query(edition: Edition) -> str:
    """The options of an edition as an address has them, after a question mark."""
    return f"?{urlencode(edition.options)}" if edition.options else ""


ROUTES: Final = [rules_sheet, rules_panel]
