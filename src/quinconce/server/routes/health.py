"""The routes for those who look after a server: whether it lives, whether it is ready, metrics."""

from __future__ import annotations

import asyncio
import hmac
from importlib.metadata import version
from ipaddress import ip_address
from typing import Final

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct
from prometheus_client import CONTENT_TYPE_LATEST

from quinconce.core.phrase import Phrase, _
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.metrics import render_metrics
from quinconce.server.routes.common import AnyRequest, LanguageQuery, ServicesDep, error_responses
from quinconce.server.services import Services
from quinconce.server.storage.database import database_fingerprint

READY_SECONDS: Final = 2.0  # in which a database answers that is of any use
RETRY_SECONDS: Final = 5  # after which somebody who looks after a server should look again
# What comes with a request that somebody has handed on.
PROXY_HEADERS: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-proto", "x-real-ip")


class Health(Struct, frozen=True):
    """A sign that this is Quinconce, and which database it serves."""

    name: str
    version: str
    database: str
    engine: bool
    shared: str | None


class Readiness(Struct, frozen=True):
    """Whether a server should be asked, and if not, why."""

    ready: bool
    why: str | None = None


@get("/api/health", responses=error_responses(), tags=["reading"], operation_id="health")
async def health(services: ServicesDep) -> Health:
    """Whether this is Quinconce."""
    settings = services.settings
    return Health(
        "quinconce",
        version("quinconce"),
        database_fingerprint(settings.database),
        True,
        settings.shared_url,
    )


@get(
    "/api/ready",
    responses={
        **error_responses(),
        503: ResponseSpec(Readiness, description="Not now, and why.", generate_examples=False),
    },
    tags=["reading"],
    operation_id="ready",
)
async def ready(
    request: AnyRequest, services: ServicesDep, language: LanguageQuery
) -> Response[Readiness]:
    """Whether this server should be asked: 503 if not, also when it is about to stop."""
    why = await reason_not_ready(services)
    if why is None:
        return Response(Readiness(True))
    answer = Readiness(False, negotiate_voice(request)(why))
    return Response(answer, status_code=503, headers={"Retry-After": str(RETRY_SECONDS)})


async def reason_not_ready(services: Services) -> Phrase | None:
    """Why a server should not be asked; None if it should."""
    if services.rate_limits.draining:
        return _("the server is stopping")
    try:
        await asyncio.wait_for(services.store.last_heartbeat(), READY_SECONDS)
    except Exception:  # whatever keeps it from answering
        return _("the database does not answer")
    if not services.peers.is_in_touch:  # though perhaps it has just answered on a new connection
        return _("the database does not answer")
    if not services.peers.hears_others:
        return _("news of other servers does not come")
    return None


@get("/metrics", include_in_schema=False)
async def metrics(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """What was counted and measured, for Prometheus; for others there is nothing here."""
    if not may_read_metrics(request, services.settings.metrics_token):
        raise RouteError(404, "missing")
    body = await asyncio.to_thread(render_metrics)
    return Response(body, headers={"Content-Type": CONTENT_TYPE_LATEST})


def may_read_metrics(request: AnyRequest, token: str | None) -> bool:
    """Whether somebody comes from this machine and was not handed on, or has the token."""
    given = request.headers.get("authorization", "")
    if token and hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        return True
    if any(name in request.headers for name in PROXY_HEADERS):
        return False
    try:
        return ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        return False


ROUTES: Final = (health, ready, metrics)
