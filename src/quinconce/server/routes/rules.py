"""The routes of the rules: one sheet to print for each edition, and the panel beside a board."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from litestar import Response, get

from quinconce.core.option import Edition
from quinconce.core.registry import game_class
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.off_loop import run_slow
from quinconce.server.routes.common import AnyRequest, PathText, check_game, page_response
from quinconce.server.views.rules import edition_number, short_rules
from quinconce.words import Voice


@get("/rules/{name:str}", include_in_schema=False)
async def rules_sheet(request: AnyRequest, name: PathText) -> Response[str]:
    """The rules of an edition on one sheet of paper."""
    values = await run_slow(rules_values, name, request.query_params, negotiate_voice(request))
    return page_response(request, "rules_sheet.html", **values)


@get("/rules/{name:str}/short", include_in_schema=False)
async def rules_panel(request: AnyRequest, name: PathText) -> Response[str]:
    """The rules in short, as a part of a page that shows them beside its board."""
    values = await run_slow(rules_values, name, request.query_params, negotiate_voice(request))
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
