"""The language in which a request is answered: `?lang=`, the cookie, or what the browser says."""

from __future__ import annotations

from functools import cache
from typing import Final

from quinconce.server.request import IncomingRequest
from quinconce.words import LANGUAGES, Voice

LANGUAGE_COOKIE: Final = "lang"
MAX_LANGUAGES: Final = 20  # wishes of an Accept-Language that are looked at


@cache
def voice_for(language: str) -> Voice:
    """The voice of a language; there are as many as languages."""
    return Voice(language)


def negotiate_voice(request: IncomingRequest) -> Voice:
    """The voice that this request wishes for."""
    wishes = (
        request.query_params.get("lang"),
        request.cookies.get(LANGUAGE_COOKIE),
        *parse_accept_language(request.headers.get("accept-language", "")),
    )
    return voice_for(next((wish for wish in wishes if wish in LANGUAGES), LANGUAGES[0]))


def parse_accept_language(header: str) -> list[str]:
    """The languages of an Accept-Language, best first; those with weight 0 are not wished for."""
    wishes = []
    for wish in header.split(",")[:MAX_LANGUAGES]:
        name, *parameters = wish.strip().lower().split(";")
        try:
            weight = float(parameters[0].strip().removeprefix("q=")) if parameters else 1.0
        except ValueError:
            continue
        if weight > 0:
            wishes.append((-weight, name.strip()[:2]))
    return [name for _weight, name in sorted(wishes, key=lambda wish: wish[0])]
