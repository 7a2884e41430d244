"""The routes of the pages that people see; the API stands beside them under /api."""

from __future__ import annotations

from typing import Any, Final

from litestar import MediaType, Request, Response, get

from quinconce.core.phrase import Phrase as _
from quinconce.server.tongues import voice_of

PAGE: Final = (
    '<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Quinconce</title><p>{text}</p>'
)


@get("/", include_in_schema=False)
async def home(request: Request[Any, Any, Any]) -> Response[str]:
    """What a browser shows until there are boards."""
    say = voice_of(request)
    text = say(_("The house is open; programs read /api/schema/openapi.json."))
    return Response(PAGE.format(lang=say.language, text=text), media_type=MediaType.HTML)


ROUTES: Final = [home]
