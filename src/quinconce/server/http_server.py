"""One server process: answers on a listening socket until it is told to stop, then drains."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, Final

import uvicorn
from litestar import Litestar
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from quinconce.core.phrase import _
from quinconce.server.app import application
from quinconce.server.engines.jobs import MoveChooser
from quinconce.server.services import Services
from quinconce.server.settings import LOCAL_HOSTS, Settings

GRACEFUL_SECONDS: Final = 3  # in which open requests are finished once nothing new is taken
DRAIN_POLL: Final = 0.1  # seconds between two looks whether somebody is out of patience


class RequestTimeLimit(asyncio.Protocol):
    """What is added to a protocol of Uvicorn: a request has come whole after some seconds.

    Uvicorn itself waits for ever for the end of headers or of a body. It gives the time for a
    whole request, and not for each piece, so that nobody can send one byte after the other.
    """

    seconds: float
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    flow: Any
    cycle: Any  # of the request whose headers came last
    time_limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._start_time_limit()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._end_time_limit()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a request, if there is one."""
        super().data_received(data)
        if not self._is_waiting():
            self._end_time_limit()
        elif self.time_limit is None:
            self._start_time_limit()

    def _is_waiting(self) -> bool:
        """Whether it is for the other side to send something."""
        return self.cycle is None or self.cycle.more_body or self.cycle.response_complete

    def _start_time_limit(self) -> None:
        self.time_limit = self.loop.call_later(self.seconds, self._close_unfinished)

    def _end_time_limit(self) -> None:
        if self.time_limit is not None:
            self.time_limit.cancel()
            self.time_limit = None

    def _close_unfinished(self) -> None:
        if self.flow.read_paused:  # it is for us to read what has come
            self._start_time_limit()
        else:
            self.time_limit = None
            self.transport.close()


def limit_request_time(protocol: type[asyncio.Protocol], seconds: float) -> type[asyncio.Protocol]:
    """A protocol of Uvicorn that closes connections on which no whole request comes in time."""
    return type("TimedProtocol", (RequestTimeLimit, protocol), {"seconds": seconds})


class HttpServer(uvicorn.Server):
    """Uvicorn, which tells when it is ready and when it is done, and drains before it closes.

    The first signal drains, the second ends at once.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        services: Services,
        ready: Callable[[], None],
        done: Callable[[], None],
        ignore_interrupt: bool,
    ) -> None:
        super().__init__(config)
        self.services = services
        self.on_ready = ready
        self.after_shutdown = done
        self.ignore_interrupt = ignore_interrupt

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        if self.started:
            # What is there from the start stays: to search it for waste again and again would
            # hold up every thread, the event loop among them.
            gc.collect()
            gc.freeze()
            self.on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, because of a signal."""
        if self.ignore_interrupt and sig == signal.SIGINT:
            return  # Ctrl-C reaches every process; the one that started us hands it on
        self.force_exit = self.should_exit
        super().handle_exit(sig, frame)

    async def main_loop(self) -> None:
        """Answer until a signal comes; then, for a while, everything but what begins anew.

        A proxy before several servers sees meanwhile that this one is not ready.
        """
        await super().main_loop()
        self.services.rate_limits.draining = True
        clock = asyncio.get_running_loop().time
        end = clock() + self.services.settings.drain
        while clock() < end and not self.force_exit:
            await asyncio.sleep(DRAIN_POLL)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close; whatever signal asked for it ends the process right after."""
        self.services.end_streams()
        await super().shutdown(sockets)
        self.after_shutdown()
        if self.force_exit:
            await asyncio.to_thread(self.services.kill_workers)
            os._exit(128 + signal.SIGTERM)  # whatever threads are at


def uvicorn_config(app: Litestar, settings: Settings) -> uvicorn.Config:
    """How Uvicorn answers for an application."""
    return uvicorn.Config(
        app,
        http=limit_request_time(AutoHTTPProtocol, settings.request_seconds),
        log_config=None,
        access_log=False,  # ours tells how long it took, and no query
        server_header=False,
        proxy_headers=settings.trust_proxy,
        forwarded_allow_ips=[*LOCAL_HOSTS[1:], *settings.proxies],
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
        lifespan="on",
    )


def serve_socket(
    settings: Settings,
    door: socket.socket,
    ready: Callable[[], None],
    done: Callable[[], None] = lambda: None,
    chooser: MoveChooser | None = None,
    ignore_interrupt: bool = False,
) -> None:
    """Answer who comes to a listening socket; ValueError if that cannot even begin."""
    app = application(settings, chooser)
    config = uvicorn_config(app, settings)
    server = HttpServer(config, app.state.services, ready, done, ignore_interrupt)
    with suppress(KeyboardInterrupt):
        server.run([door])
    if not server.started:
        raise ValueError(_("the server could not start: the reason stands above"))
