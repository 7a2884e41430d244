"""The middleware before every route: checks of host, origin, CSRF and rate; headers of answers."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any, Final, cast
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.exceptions import ClientException
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from quinconce.server.refusals import CsrfError, ForeignOriginError, UnknownHostError
from quinconce.server.security.auth import cookie_secret
from quinconce.server.security.rate_limits import RateLimits, rate_limit_key
from quinconce.server.security.secrets import csrf_token
from quinconce.server.settings import Settings

CSRF_HEADER: Final = "x-csrf-token"
SAFE_METHODS: Final = frozenset(("GET", "HEAD", "OPTIONS"))
STREAM_ENDS: Final = ("/events", "/api/analysis")  # how the path of a stream ends

CONTENT_POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",  # the engine is WebAssembly
    "worker-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "media-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


def policy_header(policy: Mapping[str, str]) -> str:
    """A content security policy as its header has it."""
    return "; ".join(f"{name} {value}" for name, value in policy.items())


SECURITY_HEADERS: Final = {
    "Content-Security-Policy": policy_header(CONTENT_POLICY),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
# What any other site may show in a frame. Such a page knows nobody: whoever is signed in by a
# cookie is a stranger there, so that a click that another site tricks out of them does nothing.
EMBED_PATH: Final = "/embed/"
EMBED_HEADERS: Final = {
    **{name: value for name, value in SECURITY_HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": policy_header(
        CONTENT_POLICY | {"script-src": "'self'", "form-action": "'none'", "frame-ancestors": "*"}
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
IDENTITY_HEADERS: Final = (b"cookie", b"authorization")


async def add_security_headers(message: Message, scope: Scope) -> None:
    """Every answer carries the headers, those of errors and files too."""
    if message["type"] == "http.response.start":
        headers, path = MutableScopeHeaders.from_message(message), str(scope.get("path", ""))
        wanted = EMBED_HEADERS if path.startswith(EMBED_PATH) else SECURITY_HEADERS
        for name, value in wanted.items():
            headers.setdefault(name, value)
        if path.startswith("/api/"):
            headers.setdefault("Cache-Control", "no-store")


def answer_head(app: ASGIApp) -> ASGIApp:
    """Let every address that answers GET answer HEAD too: with the same headers and no body."""

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            return await app(scope, receive, send)

        async def send_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        async def disconnect() -> Any:  # a stream ends before it says anything
            return {"type": "http.disconnect"}

        await app(cast(Scope, {**scope, "method": "GET"}), disconnect, send_headers)

    return handle


class SecurityMiddleware:
    """Stands before every route."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] == ScopeType.HTTP:
            if scope["path"].startswith(EMBED_PATH):
                forget_identity(scope)
            request: Request[Any, Any, Any] = Request(scope)
            services = request.app.state.services
            rate_limits: RateLimits = services.rate_limits
            check_host(request, services.settings)
            rate_limits.check_request(client_address(request))
            changes = request.method not in SAFE_METHODS
            if changes or request.scope["path"].endswith(STREAM_ENDS):
                check_origin(request)
            if changes:
                rate_limits.check_write(client_address(request))
                check_csrf(request)
        await self.app(scope, receive, send)


def forget_identity(scope: Scope) -> None:
    """Let a request come from a stranger."""
    scope["headers"] = [pair for pair in scope["headers"] if pair[0] not in IDENTITY_HEADERS]


def client_address(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Where a request comes from."""
    return rate_limit_key(request.client.host if request.client else None)


def check_host(request: Request[Any, Any, Any], settings: Settings) -> None:
    """A page of others can make its own name point here; it cannot make us know that name."""
    try:
        called = urlsplit(f"//{request.headers.get('host', '')}")
        name = called.hostname if called.port is None or called.port else None
    except ValueError:  # also for a port that is no number, or too great
        name = None
    if (name or "").rstrip(".") not in settings.allowed_hosts:
        raise UnknownHostError


def check_origin(request: Request[Any, Any, Any]) -> None:
    """What a page of others sends is refused; programs send neither of these headers."""
    site = request.headers.get("sec-fetch-site", "none")
    origin = request.headers.get("origin")
    ours = f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    if site not in ("same-origin", "none") or (origin is not None and origin != ours):
        raise ForeignOriginError


def check_csrf(request: Request[Any, Any, Any]) -> None:
    """Browsers send cookies by themselves, so a request that changes something needs the token."""
    if "authorization" in request.headers:
        return
    if secret := cookie_secret(request):
        token = request.headers.get(CSRF_HEADER, "")
        if not hmac.compare_digest(token.encode(), csrf_token(secret).encode()):
            raise CsrfError


class JsonRequest(Request[Any, Any, Any]):
    """A request whose body strangers wrote."""

    async def json(self) -> Any:
        """The body; ClientException if it is not UTF-8, or nested deeper than can be read."""
        try:
            return await super().json()
        except UnicodeDecodeError:
            raise ClientException("the body is not UTF-8") from None
        except RecursionError:
            raise ClientException("the body is nested too deep") from None
