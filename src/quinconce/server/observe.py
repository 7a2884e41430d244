"""A look at a server from outside: every answer counted and logged, how busy it is, how late."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from quinconce.server import metrics
from quinconce.server.log_format import FIELDS
from quinconce.server.security.middleware import STREAM_ENDS
from quinconce.server.services import Services

ACCESS_LOG: Final = logging.getLogger("quinconce.access")
LOOK_SECONDS: Final = 0.5  # between two looks at how busy the server is


def observe_answers(app: ASGIApp) -> ASGIApp:
    """Count and log every answer: when it is complete, or when a stream is opened."""

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            return await app(scope, receive, send)
        began = time.perf_counter()
        path = scope["path"]  # routing may change it
        is_stream = path.endswith(STREAM_ENDS)
        status = 0

        async def send_observed(message: Message) -> None:
            nonlocal status
            await send(message)
            if message["type"] == "http.response.start":
                status = message["status"]
                complete = is_stream and status < 300
            else:
                complete = not message.get("more_body") and not (is_stream and status < 300)
            if complete:
                note_answer(scope, path, status, time.perf_counter() - began, is_stream)

        await app(scope, receive, send_observed)

    return handle


def note_answer(scope: HTTPScope, path: str, status: int, seconds: float, is_stream: bool) -> None:
    """Count and log one answer."""
    route, method = scope.get("path_template") or metrics.OTHER, scope["method"]
    metrics.count_request(route, method, status, None if is_stream else seconds)
    if ACCESS_LOG.isEnabledFor(logging.INFO):
        milliseconds = round(seconds * 1000, 1)
        fields = {"method": method, "path": route, "status": status, "milliseconds": milliseconds}
        ACCESS_LOG.info(
            "%s %r %s %s ms", method, path, status, milliseconds, extra={FIELDS: fields}
        )


@asynccontextmanager
async def watch(services: Services) -> AsyncIterator[None]:
    """Look again and again how busy a server is, and how late its event loop."""
    task = asyncio.create_task(look_again_and_again(services))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def look_again_and_again(services: Services) -> None:
    """Look now and then; how late the next look comes is how late everything is."""
    clock = asyncio.get_running_loop().time
    while True:
        look(services)
        due = clock() + LOOK_SECONDS
        await asyncio.sleep(LOOK_SECONDS)
        metrics.observe_loop_lag(clock() - due)


def look(services: Services) -> None:
    """Set what Prometheus is told to what is there now."""
    loads = services.engines.loads
    metrics.ENGINES_WAITING.set(sum(load.waiting for load in loads))
    metrics.ENGINES_THINKING.set(sum(load.thinking for load in loads))
    metrics.THOUGHTS.set(sum(load.sessions for load in loads))
    metrics.OPEN_STREAMS.set(services.rate_limits.open_streams.total())
    metrics.LIVE_MATCHES.set(len(services.live_matches.loaded))
