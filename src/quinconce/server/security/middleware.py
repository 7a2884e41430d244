"""The guard: who is not let in, and what every answer tells a browser not to do."""

from __future__ import annotations

import hmac
from typing import Any, Final
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from quinconce.core.phrase import Phrase as _
from quinconce.server.errors import RefusalError
from quinconce.server.matches.seats import SECRET, csrf
from quinconce.server.security.rate_limits import Rations, address_of
from quinconce.server.settings import Settings

COOKIE: Final = "quinconce"  # the name of the cookie that a browser's seats belong to
CSRF_HEADER: Final = "x-csrf-token"
SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS"))
STREAMS: Final = "/events"  # how the path of a stream ends

HEADERS: Final = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "media-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


async def armour(message: Message, scope: Scope) -> None:
    """Every answer carries the headers, those of errors and files too."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        if str(scope.get("path", "")).startswith("/api/"):
            headers.setdefault("Cache-Control", "no-store")


class Guard:
    """Stands before every route."""

    def __init__(self, app: ASGIApp, settings: Settings, rations: Rations) -> None:
        self.app = app
        self.settings = settings
        self.rations = rations

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] == ScopeType.HTTP:
            request: Request[Any, Any, Any] = Request(scope)
            known_host(request, self.settings)
            self.rations.ask(address(request))
            changes = request.method not in SAFE
            if changes or request.url.path.endswith(STREAMS):
                from_our_own_page(request)
            if changes:
                self.rations.post(address(request))
                meant(request)
        await self.app(scope, receive, send)


def address(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Where a request comes from."""
    return address_of(request.client.host if request.client else None)


def known_host(request: Request[Any, Any, Any], settings: Settings) -> None:
    """A page of others can make its own name point here; it cannot make us know that name."""
    try:
        name = urlsplit(f"//{request.headers.get('host', '')}").hostname
    except ValueError:
        name = None
    if (name or "").rstrip(".") not in settings.names:
        raise RefusalError(421, "host", _("this house does not go by that name"))


def from_our_own_page(request: Request[Any, Any, Any]) -> None:
    """What a page of others sends is refused; programs send neither of these headers."""
    site = request.headers.get("sec-fetch-site", "none")
    origin = request.headers.get("origin")
    ours = f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    if site not in ("same-origin", "none") or (origin is not None and origin != ours):
        raise RefusalError(403, "origin", _("this came from another site"))


def meant(request: Request[Any, Any, Any]) -> None:
    """A cookie comes along by itself, so that something else has to show that it is meant."""
    if "authorization" in request.headers:
        return
    if secret := secret_of(request):
        token = request.headers.get(CSRF_HEADER, "")
        if not hmac.compare_digest(token.encode(), csrf(secret).encode()):
            raise RefusalError(403, "csrf", _("the page is too old: load it again"))


def secret_of(request: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The secret in the cookie of a browser."""
    secret = request.cookies.get(COOKIE, "")
    return secret if SECRET.fullmatch(secret) else None
