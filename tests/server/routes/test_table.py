"""The table of routes: every route has a row, every row a route, and what it names is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_client import make_settings, open_app
from msgspec.structs import fields

from quinconce.server.app import application
from quinconce.server.routes import table
from quinconce.server.routes.table import ROUTE_TABLE, RouteRow
from quinconce.server.settings import ServerLimits

pytestmark = pytest.mark.sqlite("it never comes to the database")


def all_routes(folder: Path) -> set[str]:
    """Every route that answers, those too that the OpenAPI document leaves out."""
    app = application(make_settings(folder))
    return {
        f"{method} {route.path_format}"
        for route in app.routes
        for method in getattr(route, "methods", ())
        if method != "OPTIONS"  # which the framework answers by itself
    }


def test_every_route_has_a_row_and_every_row_a_route(tmp_path: Path) -> None:
    found = all_routes(tmp_path)
    assert found - set(ROUTE_TABLE) == set(), "say in routes/table.py what it costs, and for whom"
    assert set(ROUTE_TABLE) - found == set(), "these routes are gone"


def test_every_limit_of_a_row_is_a_setting() -> None:
    known = {field.name for field in fields(ServerLimits)}
    named = {limit for row in ROUTE_TABLE.values() for limit in row.limits}
    assert named <= known
    assert {"moves_per_minute", "pictures_per_minute", "streams_per_address"} <= named


def test_whoever_asks_an_engine_tells_knowledge() -> None:
    engines = {"engine_queue", "total_analyses", "reviews_waiting", "hints_per_match"}
    for route, row in ROUTE_TABLE.items():
        assert row.knowledge or not engines & set(row.limits), route


@pytest.mark.anyio
async def test_nothing_is_charged_that_the_table_does_not_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        monkeypatch.setitem(ROUTE_TABLE, "POST /api/explore", RouteRow())
        answer: Any = await app.visitor.post("/api/explore", {"game": "diam"})
        assert answer.status_code == 500
        monkeypatch.setitem(ROUTE_TABLE, "POST /api/explore", table.MOVES)
        answer = await app.visitor.post("/api/explore", {"game": "diam"})
        assert answer.status_code == 200
