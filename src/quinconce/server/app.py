"""The application: every route of the house behind its guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

from litestar import Litestar
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from quinconce.core.worker_pools import processes
from quinconce.server import pages, puzzles, reading, streams, tagging, truths
from quinconce.server.engines import Chooser
from quinconce.server.guard import Guard, armour
from quinconce.server.house import House
from quinconce.server.playing import Playing
from quinconce.server.settings import Settings

ROUTES: Final[Sequence[Any]] = [
    Playing,
    streams.follow,
    tagging.make,
    tagging.make_many,
    tagging.make_many_csv,
    tagging.export,
    reading.health,
    reading.games,
    reading.me,
    reading.record,
    reading.record_json,
    reading.explore,
    truths.truths,
    *puzzles.ROUTES,
    *pages.ROUTES,
]


def application(
    settings: Settings,
    chooser: Chooser | None = None,
    pool: Callable[[int], Executor] = processes,
    backend: ChannelsBackend | None = None,
) -> Litestar:
    """A server to be run; `chooser` and `pool` stand in for the engine and its processes.

    Several processes on one database share a `backend` that reaches all of them.
    """
    channels = ChannelsPlugin(
        backend or MemoryChannelsBackend(),
        arbitrary_channels_allowed=True,
        subscriber_max_backlog=64,
        subscriber_backlog_strategy="dropleft",  # a nudge that was missed is made up by the next
    )
    house = House(settings, channels, chooser, pool)

    @asynccontextmanager
    async def open_house(_app: Litestar) -> AsyncIterator[None]:
        async with channels:
            await house.open()
            try:
                yield
            finally:
                await house.close()

    app = Litestar(
        ROUTES,
        lifespan=[open_house],
        dependencies={"house": Provide(lambda: house, use_cache=True, sync_to_thread=False)},
        middleware=[DefineMiddleware(Guard, settings=settings, rations=house.rations)],
        before_send=[armour],
        exception_handlers={HTTPException: pages.shown, Exception: pages.shown},
        request_max_body_size=settings.limits.body,
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1000, exclude=[streams.PATHS]
        ),
        openapi_config=OpenAPIConfig(
            title="Quinconce",
            version=version("quinconce"),
            path="/api/schema",
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
        ),
        logging_config=None,
        debug=False,
    )
    app.state.house = house
    return app
