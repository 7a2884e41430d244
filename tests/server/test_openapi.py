"""The API is what its description says, whatever is sent to it."""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import movers
import pytest
import schemathesis
from houses import FRIENDS, HOST, settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from litestar.testing import TestClient

from quinconce.server.app import application

GENEROUS = {"posts": 10**6, "matches": 10**6}
FOLDER = tempfile.TemporaryDirectory()
APP = application(
    settings(Path(FOLDER.name), limits=dict(GENEROUS)), movers.first, ThreadPoolExecutor
)
DESCRIPTION: dict[str, Any] = APP.openapi_schema.to_schema()
schema = schemathesis.openapi.from_dict(DESCRIPTION)
schema.app = APP
# A stream never ends by itself; tests of its own listen to it.
described = schema.exclude(path_regex="/events$")


@pytest.fixture(scope="module")
def client() -> Any:
    with TestClient(APP, base_url=f"http://{HOST}") as client:
        made = client.post("/api/matches", json={"game": "diam", "seats": FRIENDS}).json()
        client.cookies.clear()
        yield client, made["id"]
    FOLDER.cleanup()


@described.parametrize()
@hypothesis_settings(
    max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
def test_every_route_answers_as_described(case: Any, client: Any) -> None:
    caller, match = client
    if "match" in (case.path_parameters or {}) and len(case.path_parameters["match"]) == 12:
        case.path_parameters["match"] = match  # one that is there
    case.headers = {**(case.headers or {}), "Host": HOST}
    response = case.call(session=caller, base_url=f"http://{HOST}")
    case.validate_response(response)
    assert response.status_code < 500 or response.status_code == 503


def test_the_description_is_published_and_names_every_route() -> None:
    with TestClient(APP, base_url=f"http://{HOST}") as client:
        published = client.get("/api/schema/openapi.json").json()
    assert published["paths"].keys() == DESCRIPTION["paths"].keys()
    assert len(published["paths"]) == 18
    assert all(path.startswith("/api/") for path in published["paths"])
    operations = [one for path in published["paths"].values() for one in path.values()]
    assert all(one.get("description") for one in operations)
