"""The routes of pictures: any position by its address, and a match as a moving picture."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Final

from litestar import Response, get
from litestar.params import QueryParameter

from quinconce.core.match import MatchData
from quinconce.core.phrase import _
from quinconce.server.answers.common import check_game
from quinconce.server.answers.explore import DRAWING_COST
from quinconce.server.answers.pictures import (
    MAX_LINE_LENGTH,
    MEDIA_TYPES,
    TOO_LONG,
    draw_position,
    is_known,
    picture_name,
    read_width,
)
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import run_slow
from quinconce.server.routes.common import (
    AnyRequest,
    LanguageQuery,
    MatchId,
    PathText,
    ServicesDep,
    error_responses,
)
from quinconce.server.routes.table import charge, run_charged
from quinconce.server.services import Services
from quinconce.server.views import pictures as views
from quinconce.server.views.pictures import MovingKind, Theme
from quinconce.server.views.templates import static_version
from quinconce.words import Voice

# Paths whose answers are compressed already.
COMPRESSED_PATHS: Final = r"^/picture/[^/]*\.png$|/moving\.(gif|webp)$"
# Pages of other sites may show these pictures, and nothing else of this server. Opened by itself,
# an SVG has its style inside.
PUBLIC_HEADERS: Final = {
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
    ),
    "Cache-Control": "public, max-age=86400",
}
CHECK_AGAIN: Final = {"Cache-Control": "no-cache"}  # a match goes on
USUAL_WIDTH: Final = 480  # pixels of one that counts as one picture

TurnedQuery = Annotated[
    bool, QueryParameter(required=False, description="Seen from the other side of the board.")
]
ThemeQuery = Annotated[Theme, QueryParameter(required=False, description="The colours.")]


@get("/picture/{file:str}", include_in_schema=False)
async def position_picture(
    file: PathText, request: AnyRequest, services: ServicesDep
) -> Response[bytes]:
    """A position as SVG or PNG; the address says everything that the picture depends on."""
    name, _dot, kind = file.rpartition(".")
    if kind not in ("svg", "png"):
        raise RouteError(404, "picture", _("a picture is asked for as .svg or .png"))
    check_game(name)
    query = request.query_params
    width = read_width(query.get("width"))
    theme = query.get("theme") or ("light" if kind == "png" else None)
    svg = await find_svg(services, request, name, theme)
    tag = picture_name(kind, width if kind == "png" else 0, svg)
    if is_known(request, tag):
        return picture_response(b"", kind, tag, PUBLIC_HEADERS, 304)
    content = svg.encode()
    if kind == "png":
        cost = max(1.0, (width / USUAL_WIDTH) ** 2)
        content = await find_or_make(
            services, request, tag, cost, lambda: services.pictures.run(views.png_job(svg, width))
        )
    return picture_response(content, kind, tag, PUBLIC_HEADERS)


async def find_svg(services: Services, request: AnyRequest, name: str, theme: str | None) -> str:
    """The SVG of a position that is kept, or a new one, which counts for the moves before it."""
    query = dict(request.query_params.items())
    moves = query.get("moves", "")
    if len(moves) > MAX_LINE_LENGTH:
        raise RouteError(413, "large", TOO_LONG)
    wished = sorted(item for item in query.items() if item[0] != "width")
    key = picture_name("address", static_version(), name, wished, theme)
    if kept := services.pictures.find(key):
        return kept.decode()
    cost = DRAWING_COST + len(moves.split())
    svg = await run_charged(services, request, cost, draw_position, name, query, theme)
    services.pictures.keep(key, svg.encode())
    return svg


@get(
    "/api/matches/{match:str}/moving.gif",
    media_type=MEDIA_TYPES["gif"],
    responses=error_responses(503),
    tags=["reading"],
    operation_id="readMatchAsGif",
)
async def moving_gif(
    match: MatchId,
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
    turned: TurnedQuery = False,
    theme: ThemeQuery = "light",
) -> Response[bytes]:
    """The match as it is now, move by move, as an animated GIF."""
    return await moving_picture(services, request, match, "gif", theme, turned)


@get(
    "/api/matches/{match:str}/moving.webp",
    media_type=MEDIA_TYPES["webp"],
    responses=error_responses(503),
    tags=["reading"],
    operation_id="readMatchAsWebp",
)
async def moving_webp(
    match: MatchId,
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
    turned: TurnedQuery = False,
    theme: ThemeQuery = "light",
) -> Response[bytes]:
    """The match as it is now, move by move, as an animated WebP."""
    return await moving_picture(services, request, match, "webp", theme, turned)


async def moving_picture(
    services: Services,
    request: AnyRequest,
    match: str,
    kind: MovingKind,
    theme: Theme,
    turned: bool,
) -> Response[bytes]:
    """A match as a moving picture, made once for all who ask before it goes on."""
    say = negotiate_voice(request)
    async with services.live_matches.locked(match) as live:
        played = MatchData.of(live.state.match)
    tag = picture_name(kind, static_version(), played, theme, turned, say.language)
    if is_known(request, tag):
        return picture_response(b"", kind, tag, CHECK_AGAIN, 304)

    async def draw() -> bytes:
        drawn = await run_slow(len(played.moves), draw_frames, played, say, theme, turned)
        # One by one, so that the pictures of others come in between.
        frames = [await services.pictures.run(views.frame_job(svg, theme)) for svg in drawn]
        return await services.pictures.run(views.moving_job(kind, frames))

    cost = views.frame_count(len(played.moves))
    content = await find_or_make(services, request, tag, cost, draw)
    return picture_response(content, kind, tag, CHECK_AGAIN)


def draw_frames(played: MatchData, say: Voice, theme: Theme, turned: bool) -> list[str]:
    """The frames of a match, replayed here: its players do not wait."""
    return views.match_frames(played.match(), say, theme, turned)


# What both have in common.


async def find_or_make(
    services: Services,
    request: AnyRequest,
    name: str,
    cost: float,
    draw: Callable[[], Awaitable[bytes]],
) -> bytes:
    """A picture that is kept, or a new one, which counts against the address that wants it."""
    if found := services.pictures.find(name):
        return found
    charge(services, request, "pictures_per_minute", cost)
    return await services.pictures.make(name, draw)


def picture_response(
    content: bytes, kind: str, name: str, headers: dict[str, str], status: int = 200
) -> Response[bytes]:
    """A picture, under a name by which the asker can ask whether it has changed."""
    return Response(
        content,
        status_code=status,
        media_type=MEDIA_TYPES[kind],
        headers={**headers, "ETag": f'W/"{name}"'},
    )


ROUTES: Final = [position_picture, moving_gif, moving_webp]
