"""The application: every route behind the security middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from quinconce.core.match import MatchData
from quinconce.core.worker_pools import process_pool
from quinconce.server import metrics
from quinconce.server.matches.engine_pool import MoveChooser
from quinconce.server.observe import observe_answers, watch
from quinconce.server.routes import (
    analysis,
    analysis_page,
    editor,
    engine,
    explore,
    games,
    health,
    learn,
    matches,
    pages,
    pictures,
    proven,
    puzzle_pages,
    puzzles,
    records,
    remarks,
    reviews,
    rules,
    streams,
    studies,
    tags,
    variations,
)
from quinconce.server.routes.error_page import error_page
from quinconce.server.routes.matches import MatchController
from quinconce.server.routes.play import PlayController
from quinconce.server.routes.seats import SeatController
from quinconce.server.security.json_body import JsonRequest
from quinconce.server.security.middleware import (
    SecurityMiddleware,
    add_security_headers,
    answer_head,
)
from quinconce.server.services import Services
from quinconce.server.settings import Settings

ALL_ROUTES: Final[Sequence[Any]] = [
    MatchController,
    PlayController,
    SeatController,
    streams.follow_match,
    matches.make_match,
    tags.make_matches,
    tags.make_matches_csv,
    tags.export_records,
    games.games,
    games.me,
    records.record,
    records.record_json,
    explore.explore,
    editor.edit_position,
    variations.write_variations,
    proven.proven_values,
    analysis.analyse,
    remarks.read_remark,
    *studies.ROUTES,
    *analysis_page.ROUTES,
    *reviews.ROUTES,
    *engine.ROUTES,
    *health.ROUTES,
    *puzzles.ROUTES,
    *learn.ROUTES,
    *puzzle_pages.ROUTES,
    *rules.ROUTES,
    *pictures.ROUTES,
    *pages.ROUTES,
]


def application(
    settings: Settings,
    chooser: MoveChooser | None = None,
    pool: Callable[[int], Executor] = process_pool,
    reviewer: Callable[[MatchData], str] | None = None,
) -> Litestar:
    """A server to be run; `chooser`, `reviewer` and `pool` stand in for engine and processes."""
    services = Services(settings, chooser, pool, reviewer)
    if services.peer_news:
        services.peer_news.observe_lag = metrics.observe_news_lag

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        await services.open()
        try:
            async with watch(services):
                yield
        finally:
            await services.close()

    app = Litestar(
        ALL_ROUTES,
        lifespan=[lifespan],
        dependencies={"services": Provide(lambda: services, use_cache=True, sync_to_thread=False)},
        middleware=[
            DefineMiddleware(
                SecurityMiddleware, settings=settings, rate_limits=services.rate_limits
            )
        ],
        before_send=[add_security_headers],
        exception_handlers={HTTPException: error_page, Exception: error_page},
        request_class=JsonRequest,
        request_max_body_size=settings.limits.body_bytes,
        compression_config=CompressionConfig(
            backend="gzip",
            gzip_compress_level=1,
            minimum_size=1000,
            exclude=[*streams.STREAM_PATHS, pictures.COMPRESSED_PATHS],
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
    app.asgi_handler = answer_head(observe_answers(app.asgi_handler))
    app.state.services = services
    return app
