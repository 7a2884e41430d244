"""What routes share: their descriptions, parameters, refusals, pages, and views of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from inspect import isawaitable
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from litestar import MediaType, Request, Response
from litestar.background_tasks import BackgroundTask
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import PathParameter, QueryParameter
from msgspec import UNSET, Struct, UnsetType

from quinconce.server.answers.common import Page
from quinconce.server.answers.pages import page_html
from quinconce.server.clubs.tags import check_tag_key, insert_tagged
from quinconce.server.language import LANGUAGE_COOKIE, negotiate_voice
from quinconce.server.matches.protocols import Glance, NewMatch
from quinconce.server.refusals import TagKeyError, TokenError, WrongLinkError
from quinconce.server.security.auth import (
    Access,
    authenticate,
    bearer_token,
    cookie_name,
    is_https,
)
from quinconce.server.security.middleware import client_address
from quinconce.server.security.secrets import MATCH_ID_LENGTH
from quinconce.server.services import Services
from quinconce.server.settings import DAY, LOCAL_HOSTS, Settings
from quinconce.server.views.templates import render_template
from quinconce.words import LANGUAGES

AnyRequest = Request[Any, Any, Any]
CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
PathText = Annotated[str, PathParameter()]
MatchId = Annotated[
    str,
    PathParameter(
        description="The name of the match, as in its links.",
        pattern=f"^[A-Za-z0-9]{{{MATCH_ID_LENGTH}}}$",
    ),
]
ServicesDep = NamedDependency[Services]
LanguageQuery = Annotated[
    str | None,
    QueryParameter(name="lang", required=False, description="The language to answer in: en or fr."),
]


POST_ERRORS: Final = (401, 403, 413, 415, 422, 507)  # the refusals of every POST


class ErrorBody(Struct, frozen=True):
    """Why something was refused: a sentence for people, a code for programs."""

    error: str
    code: str
    detail: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    version: int | UnsetType = UNSET
    position: str | UnsetType = UNSET


def error_responses(*more: int) -> dict[int, ResponseSpec]:
    """The refusals of a route, as OpenAPI describes them."""
    meanings = {
        400: "The request cannot be understood.",
        401: "The token is wrong.",
        403: "Not yours, or not from a page of this server.",
        404: "There is nothing of this name.",
        409: "Stale: the match has gone on. Or it is not your turn.",
        413: "Too large, or too long.",
        415: "Not JSON.",
        421: "This server does not go by that name.",
        422: "The rules, or the state of the match, do not allow it.",
        429: "Too many: wait as long as Retry-After says.",
        503: "The engine does not answer, or the server is about to stop.",
        507: "The server cannot save now: nothing has changed.",
    }
    statuses = (400, 404, 421, 429, *more)
    return {
        status: ResponseSpec(ErrorBody, description=meanings[status], generate_examples=False)
        for status in statuses
    }


def after_response(do: Callable[..., object], *arguments: object) -> BackgroundTask:
    """What is done once the answer has been sent: here, and not in a thread."""

    async def later() -> None:
        result = do(*arguments)
        if isawaitable(result):
            await result

    return BackgroundTask(later)


def link_base(request: AnyRequest, settings: Settings) -> str:
    """How links begin: as the server was called, or its address in the network if shared."""
    base = str(request.base_url).rstrip("/")
    if settings.shared_url and urlsplit(base).hostname in LOCAL_HOSTS:
        return settings.shared_url
    return base


def secret_cookie(request: AnyRequest, secret: str) -> Cookie:
    """The cookie in which a browser keeps its secret; no script can read it."""
    return Cookie(
        cookie_name(request),
        value=secret,
        path="/",
        max_age=int(400 * DAY),
        httponly=True,
        samesite="lax",
        secure=is_https(request),
    )


def page_response(request: AnyRequest, page: Page, status: int = 200) -> Response[str]:
    """A page in the language and the colours that its reader wants."""
    text = page_html(request, page)
    cookies = []
    if request.query_params.get("lang") in LANGUAGES:
        cookies.append(
            Cookie(
                LANGUAGE_COOKIE,
                value=negotiate_voice(request).language,
                path="/",
                max_age=int(400 * DAY),
                samesite="lax",
            )
        )
    return Response(
        text,
        status_code=status,
        media_type=MediaType.HTML,
        cookies=cookies,
        headers={"Cache-Control": "no-store", "Vary": "Accept-Language, Cookie"},
    )


def embed_response(
    request: AnyRequest, template: str, status: int = 200, **values: Any
) -> Response[str]:
    """A page to be shown inside another site: it sets no cookie, and its address has its looks."""
    theme = request.query_params.get("theme", "")
    text = render_template(template, negotiate_voice(request), theme=theme, **values)
    return Response(
        text,
        status_code=status,
        media_type=MediaType.HTML,
        headers={"Cache-Control": "no-store", "Vary": "Accept-Language"},
    )


@contextmanager
def secret_expected(services: Services, request: AnyRequest, about: str) -> Iterator[None]:
    """The secret of a match, tag or study is looked at; a wrong one counts for its sender."""
    try:
        yield
    except (TokenError, TagKeyError, WrongLinkError):
        services.rate_limits.count_wrong_secret(client_address(request), about)
        raise


async def insert_matches(
    services: Services, request: AnyRequest, matches: Sequence[NewMatch], tag: str | None
) -> str | None:
    """Store new matches, and return the key of their tag if it is new.

    TagKeyError if the tag is somebody's, and the bearer token is not its key.
    """
    if tag is None:
        await services.store.insert_matches(matches, services.now())
        return None
    with secret_expected(services, request, tag):
        key = bearer_token(request) or ""
        return await insert_tagged(services.store, tag, key, matches, services.now())


async def check_sent_tag_key(services: Services, tag: str, request: AnyRequest) -> None:
    """TagKeyError if the bearer token is not the key of a tag."""
    with secret_expected(services, request, tag):
        await check_tag_key(services.store, tag, bearer_token(request) or "")


async def look_at(services: Services, request: AnyRequest, match: str) -> tuple[Glance, Access]:
    """A match at a glance, and who asks about it."""
    known = await services.live_matches.glance(match)
    if "authorization" not in request.headers:
        return known, authenticate(request, known.keys)
    with secret_expected(services, request, match):
        return known, authenticate(request, known.keys)
