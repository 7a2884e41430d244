"""The API is what its description says, whatever is sent to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import schemathesis
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    negative_data_rejection,
    positive_data_acceptance,
)
from server_process import ServerProcess, run_server
from waiting import PATIENCE

from quinconce.server.app import application
from quinconce.server.matches.events import AnyAct
from quinconce.server.settings import Settings

pytestmark = pytest.mark.process

DESCRIPTION: dict[str, Any] = application(Settings(database="sqlite://")).openapi_schema.to_schema()
# What has the right shape may be against the rules of a game; a number is taken as text, and the
# other way round; and the framework's own answer to OPTIONS names half of the methods.
FORGIVEN = [positive_data_acceptance, negative_data_rejection, allow_header_conformance]
# A stream never ends by itself; tests of its own listen to it.
described = schemathesis.openapi.from_dict(DESCRIPTION).exclude(path_regex="/events$")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with run_server(tmp_path_factory.mktemp("described")) as process:
        yield process


@pytest.fixture(scope="module")
def match(server: ServerProcess) -> dict[str, Any]:
    return server.create_match()


@described.parametrize()
@hypothesis_settings(
    max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
def test_every_route_answers_as_described(
    case: Any, server: ServerProcess, match: dict[str, Any]
) -> None:
    if len(str((case.path_parameters or {}).get("match"))) == 12:
        case.path_parameters["match"] = match["id"]  # one that is there
        case.headers["Authorization"] = f"Bearer {match['tokens'][0]}"
    response = case.call(base_url=server.url, timeout=PATIENCE)
    case.validate_response(response, excluded_checks=FORGIVEN)
    assert response.status_code < 500


def test_the_page_of_the_server_names_every_route_and_event() -> None:
    page = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
    for path, operations in DESCRIPTION["paths"].items():
        for method in operations:
            assert f"`{method.upper()} {path}`" in page
    for act in get_args(AnyAct):
        assert f"`{act.__struct_config__.tag}`" in page


def test_the_description_is_published_and_names_every_route(server: ServerProcess) -> None:
    published = server.client.get("/api/schema/openapi.json").json()
    assert published["paths"].keys() == DESCRIPTION["paths"].keys()
    assert len(published["paths"]) == 50
    assert all(path.startswith("/api/") for path in published["paths"])
    operations = [one for path in published["paths"].values() for one in path.values()]
    assert all(one.get("description") for one in operations)
