"""Pictures of any position, by its address."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec

from quinconce.core.match import Match
from quinconce.core.option import parse_number
from quinconce.core.phrase import _
from quinconce.core.registry import game_class
from quinconce.server.answers.explore import ExploreRequest, match_from_request
from quinconce.server.errors import RouteError
from quinconce.server.language import voice_for
from quinconce.server.request import IncomingRequest
from quinconce.server.views import pictures as views
from quinconce.words import LANGUAGES

MEDIA_TYPES: Final = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
    "webp": "image/webp",
}
DEFAULT_WIDTH, MIN_WIDTH, MAX_WIDTH = 640, 64, 1200  # pixels of a PNG
MAX_LINE_LENGTH: Final = 50_000  # characters of the moves in an address
TOO_LONG: Final = _("this position or its moves are too long")


def read_width(text: str | None) -> int:
    """The width of a PNG that was asked for."""
    width = DEFAULT_WIDTH if text is None else parse_number(text)
    if width is None or not MIN_WIDTH <= width <= MAX_WIDTH:
        first, last = str(MIN_WIDTH), str(MAX_WIDTH)
        why = _("a picture is {first} to {last} pixels wide", first=first, last=last)
        raise RouteError(422, "width", why)
    return width


def draw_position(name: str, query: dict[str, str], theme: str | None) -> str:
    """The SVG of the position that the query of an address describes."""
    match = match_from_query(name, query)
    language = query.get("lang", "")
    say = voice_for(language if language in LANGUAGES else LANGUAGES[0])
    return views.position_svg(match, say, theme, query.get("turned") == "1")


def match_from_query(name: str, query: dict[str, str]) -> Match[Any]:
    """The game with its options, `position` and `moves` after it; errors as of /api/explore."""
    wished = {
        "game": name,
        "options": {k: query[k] for k in game_class(name).options if k in query},
        "position": query.get("position"),
        "moves": query.get("moves", "").split(),
    }
    try:
        return match_from_request(msgspec.convert(wished, ExploreRequest))[0]
    except msgspec.ValidationError:
        raise RouteError(413, "large", TOO_LONG) from None


def picture_name(*parts: object) -> str:
    """A name for a picture: another one, if anything of it is."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def is_known(request: IncomingRequest, name: str) -> bool:
    """Whether the asker has this picture already."""
    return f'"{name}"' in request.headers.get("if-none-match", "")
