"""The application: every route behind the security middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp, Receive, Scope, Send

from quinconce.core.worker_pools import process_pool
from quinconce.server.engines.jobs import MoveChooser, report_slice
from quinconce.server.observe import observe_answers, watch
from quinconce.server.off_loop import Asker, asked_by
from quinconce.server.reviews.reviews import ReportSlicer
from quinconce.server.routes import (
    analysis,
    embed,
    engine,
    explore,
    games,
    health,
    learn,
    matches,
    pages,
    pictures,
    play,
    proven,
    puzzle_pages,
    puzzles,
    records,
    reviews,
    site,
    streams,
    studies,
    tags,
)
from quinconce.server.routes.error_page import error_page
from quinconce.server.routes.matches import MatchController
from quinconce.server.routes.play import PlayController
from quinconce.server.routes.seats import SeatController
from quinconce.server.security.middleware import (
    JsonRequest,
    SecurityMiddleware,
    add_security_headers,
    answer_head,
)
from quinconce.server.security.rate_limits import people_at, rate_limit_key
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
    explore.edit_position,
    explore.write_variations,
    proven.proven_values,
    analysis.analyse,
    analysis.tell_lines,
    play.read_remark,
    *studies.ROUTES,
    *analysis.ROUTES,
    *reviews.ROUTES,
    *engine.ROUTES,
    *health.ROUTES,
    *puzzles.ROUTES,
    *learn.ROUTES,
    *puzzle_pages.ROUTES,
    *games.ROUTES,
    *pictures.ROUTES,
    *embed.ROUTES,
    *site.ROUTES,
    *pages.ROUTES,
]


def note_askers(app: ASGIApp) -> ASGIApp:
    """Let slow work know for whom it is done, and whether they still wait for it."""

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        address = rate_limit_key(client[0] if client else None)
        with asked_by(Asker(address, people_at(address), receive)):
            await app(scope, receive, send)

    return handle


def application(
    settings: Settings,
    chooser: MoveChooser | None = None,
    pool: Callable[[int], Executor] = process_pool,
    report_slicer: ReportSlicer = report_slice,
) -> Litestar:
    """A server to be run; a test hands it an engine and processes of its own."""
    app = empty_application(settings.limits.body_bytes)
    app.state.services = Services(settings, chooser, pool, report_slicer)
    return app


def empty_application(body_bytes: int) -> Litestar:
    """Every route, for the services that `state` is given before it is run."""
    app = Litestar(
        ALL_ROUTES,
        lifespan=[run_services],
        dependencies={"services": Provide(services_of, sync_to_thread=False)},
        middleware=[SecurityMiddleware],
        before_send=[add_security_headers],
        exception_handlers={HTTPException: error_page, Exception: error_page},
        request_class=JsonRequest,
        request_max_body_size=body_bytes,
        compression_config=CompressionConfig(
            backend="gzip",
            gzip_compress_level=1,
            minimum_size=1000,
            exclude=[*streams.STREAM_PATHS, pictures.COMPRESSED_PATHS, site.PACKED_FILES],
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
    app.asgi_handler = note_askers(answer_head(observe_answers(app.asgi_handler)))
    return app


@asynccontextmanager
async def run_services(app: Litestar) -> AsyncIterator[None]:
    """The services, for as long as the server runs."""
    services: Services = app.state.services
    await services.open()
    try:
        async with watch(services):
            yield
    finally:
        await services.close()


def services_of(state: State) -> Services:
    """What every route is handed."""
    services: Services = state.services
    return services
