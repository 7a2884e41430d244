"""What holds for the tests of the server: asyncio, and which database they run on."""

from collections.abc import Iterator

import pytest
from postgresql_server import CREATED, ON_POSTGRESQL, drop_databases

from quinconce.server.peers import leases
from quinconce.server.settings import HOUR


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _patient_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server is taken for dead because the machine is busy: that is counted in real seconds."""
    monkeypatch.setattr(leases, "LIFE_SECONDS", HOUR)


@pytest.fixture(autouse=True)
def _databases(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests of SQLite's own are skipped on PostgreSQL; the databases of a test go after it."""
    if ON_POSTGRESQL and (marker := request.node.get_closest_marker("sqlite")):
        pytest.skip(*(marker.args or ("this is about the file of an SQLite database",)))
    shared = set(CREATED)  # with other tests of a module
    yield
    drop_databases(but=shared)
