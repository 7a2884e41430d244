"""The routes of the pages that people see; the API stands beside them under /api."""

from __future__ import annotations

from typing import Annotated, Final

import segno
from litestar import Response, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from quinconce.server.answers import pages as answers
from quinconce.server.answers.common import Page, view_for
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import (
    CACHE_FOREVER,
    POST_ERRORS,
    AnyRequest,
    PathText,
    ServicesDep,
    error_responses,
    link_base,
    look_at,
    page_response,
)
from quinconce.server.routes.site import SITE_PATH
from quinconce.server.routes.table import run_charged
from quinconce.server.security.auth import browser_hashes
from quinconce.server.views.facts import facts_html
from quinconce.server.views.match import plays_on_far_side, record_seats
from quinconce.server.views.templates import read_static, static_version

SVG_TYPE: Final = "image/svg+xml"
# By the ending of a file. The system's own table may say otherwise: on Windows any program that is
# installed can change it, and a browser runs no module that comes as plain text.
STATIC_TYPES: Final = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": SVG_TYPE,
    "wasm": "application/wasm",
    "webmanifest": "application/manifest+json",
}
QR_MASK: Final = 3  # of the eight by which a code avoids large even fields


# What is served beside the pages.


@get("/static/{version:str}/{name:str}", include_in_schema=False)
async def static_file(version: PathText, name: PathText) -> Response[bytes]:
    """A module, a style sheet or a picture; its name changes when it does."""
    try:
        content = read_static(name)
    except FileNotFoundError:
        raise RouteError(404, "missing") from None
    kind = STATIC_TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    caching = CACHE_FOREVER if version == static_version() else "no-store"
    return Response(content, media_type=kind, headers={"Cache-Control": caching})


@get("/favicon.ico", include_in_schema=False)
async def favicon() -> Response[bytes]:
    """For browsers that ask without having read the page."""
    return Response(read_static("mark.svg"), media_type=SVG_TYPE)


class QrText(Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be drawn."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


@post(
    "/api/qr",
    status_code=200,
    media_type=SVG_TYPE,
    responses=error_responses(*POST_ERRORS),
    tags=["reading"],
    operation_id="drawQr",
)
async def qr(data: JSONBody[QrText]) -> Response[str]:
    """A link as a QR code in SVG. It comes in a body, because a secret stands in no address."""
    return Response(await run_brief(qr_svg, data.text), media_type=SVG_TYPE)


def qr_svg(text: str) -> str:
    """A QR code, its mask given: to compare all of them takes three times as long."""
    code = segno.make_qr(text, error="m", mask=QR_MASK)
    return code.svg_inline(omitsize=True, svgclass="qr", lineclass="")


# The pages.


@get("/", include_in_schema=False)
async def home_page(request: AnyRequest, services: ServicesDep) -> Response[str]:
    """The boards, one's own games, and a place for a link."""
    say, hashes = negotiate_voice(request), browser_hashes(request)
    most = answers.MAX_RUNNING + answers.MAX_FINISHED
    held = await services.store.matches_for_keys(hashes, most) if hashes else []
    running, finished = await answers.own_match_rows(services, held, say)
    base = link_base(request, services.settings)
    site = f"{SITE_PATH}/{say.language}/index.html" if services.settings.site else None
    page = await run_brief(answers.home_page, running, finished, base, say, site)
    return page_response(request, page)


@get("/game/{name:str}", include_in_schema=False)
async def game_page(request: AnyRequest, name: PathText, services: ServicesDep) -> Response[str]:
    """The rules of a game, and the form in which a match of it is set up."""
    page = await run_brief(answers.game_page, request, name)
    services.engine_turns.expect(page.values["form"])
    return page_response(request, page)


@get("/match/{match:str}", include_in_schema=False)
async def match_page(match: PathText, request: AnyRequest, services: ServicesDep) -> Response[str]:
    """The board of a match; the browser does the rest."""
    known, asker = await look_at(services, request, match)
    async with services.live_matches.current(match, known) as live:
        rules = live.state.game
        flipped = plays_on_far_side(rules, asker.seats)
        view = await view_for(services, request, live, asker, flipped or None)
    services.engine_turns.schedule(live)
    page = answers.match_page(rules, view, flipped, negotiate_voice(request))
    return page_response(request, page)


@get("/match/{match:str}/print", include_in_schema=False)
async def print_page(match: PathText, request: AnyRequest, services: ServicesDep) -> Response[str]:
    """The record of a match, to be printed."""
    async with services.live_matches.locked(match) as live:
        state, made = live.state, live.row.made
    played, people, say = state.match, record_seats(state), negotiate_voice(request)
    moves = len(played.moves)
    page = await run_charged(
        services, request, moves, answers.print_page, match, played, people, made, say
    )
    return page_response(request, page)


@get("/known", include_in_schema=False)
async def known_page(request: AnyRequest) -> Response[str]:
    """What is known of the games, with plots."""
    text = await run_brief(facts_html, negotiate_voice(request).language)
    return page_response(request, Page("known.html", {"text": text}))


@get("/{path:path}", include_in_schema=False)
async def not_found(path: PathText) -> Response[str]:
    """Whatever has no page."""
    raise RouteError(404, "missing")


ROUTES: Final = [
    static_file,
    favicon,
    qr,
    home_page,
    game_page,
    match_page,
    print_page,
    known_page,
    not_found,
]
