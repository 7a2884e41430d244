"""The page of the analysis board, and the address that it had before."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from litestar import Response, get
from litestar.response import Redirect

from quinconce.core.registry import game_class, menu_names, names
from quinconce.server.language import negotiate_voice
from quinconce.server.routes.common import AnyRequest, ServicesDep, link_base, page_response
from quinconce.server.services import Services
from quinconce.words import Voice

MAX_LINKED_MOVES: Final = 1500  # characters of the moves in the address of a picture


@get("/analysis", include_in_schema=False)
async def analysis_page(request: AnyRequest, services: ServicesDep) -> Response[str]:
    """Any position of any game, to try moves and to see what is known of them."""
    return page_response(
        request,
        "analysis.html",
        picture=linked_picture(request, services),
        **analysis_values(negotiate_voice(request)),
    )


def linked_picture(request: AnyRequest, services: Services) -> str | None:
    """The address of a picture of the position in the address, for programs that show links."""
    wished = request.query_params
    name = wished.get("game")
    if name not in names() or len(wished.get("moves", "")) > MAX_LINKED_MOVES:
        return None
    kept = (*game_class(name).options, "position", "moves")
    query = {key: wished[key] for key in kept if key in wished}
    return f"{link_base(request, services.settings)}/picture/{name}.png?{urlencode(query)}"


@get("/explore", include_in_schema=False)
async def explore_page(request: AnyRequest) -> Redirect:
    """Where the analysis board stood before: links to it still work."""
    query = request.scope["query_string"].decode("ascii", "ignore")
    return Redirect(f"/analysis?{query}" if query else "/analysis", status_code=301)


def analysis_values(say: Voice) -> dict[str, Any]:
    """What the page chooses among: the editions in a menu, the options of every game in words."""
    options = {
        name: [
            {
                "name": key,
                "label": say(option.label),
                "values": {value: say(option.describe(value)) for value in option},
            }
            for key, option in game_class(name).options.items()
        ]
        for name in names()
    }
    return {"faces": menu_editions(say), "games": options}


def menu_editions(say: Voice) -> list[dict[str, str]]:
    """The editions of all games for a menu: their titles, and how an address names them."""
    return [
        {"query": urlencode({"game": name, **edition.options}), "title": say(edition.title)}
        for name in menu_names()
        for edition in game_class(name).editions
    ]


ROUTES: Final = [analysis_page, explore_page]
