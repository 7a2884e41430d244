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
from quinconce.server.matches.engine_pool import Chooser
from quinconce.server.routes import games, pages, proven, puzzles, streams, tags
from quinconce.server.routes.play import Playing
from quinconce.server.security.middleware import Guard, armour
from quinconce.server.services import House
from quinconce.server.settings import Settings

ROUTES: Final[Sequence[Any]] = [
    Playing,
    streams.follow,
    tags.make,
    tags.make_many,
    tags.make_many_csv,
    tags.export,
    games.health,
    games.games,
    games.me,
    games.record,
    games.record_json,
    games.explore,
    proven.truths,
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
