"""Several servers that start at once on one database: one migrates, and all come up."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from command_line import run_refused
from postgresql_server import postgresql_database
from sqlalchemy import text
from waiting import PATIENCE

from quinconce.server.storage.database import (
    current_revision,
    database_url,
    open_database,
    run_migrations,
)

pytestmark = [
    pytest.mark.process,
    pytest.mark.sqlite("this tries both databases, whichever is asked for"),
]
SERVERS = 4
SOURCE = str(Path(__file__).parents[3] / "src")
# All servers are about to start when the last of them has loaded.
SCRIPT = """
import sys
from quinconce.server.serve import run_server
from quinconce.server.settings import Settings
print("loaded", flush=True)
sys.stdin.readline()
run_server(Settings(database=sys.argv[1]), 0, lambda url, shared: print(url, flush=True))
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "postgresql":
        return postgresql_database(tmp_path, migrated=False)
    return f"sqlite:///{tmp_path / 'matches.sqlite'}"


def in_database(address: str, *works: Any) -> list[Any]:
    """What some works find or do in a database, one after the other."""

    async def do() -> list[Any]:
        database = open_database(database_url(address))
        try:
            return [await database.write(work) for work in works]
        finally:
            await database.close()

    return asyncio.run(do())


def start_together(address: str, folder: Path) -> list[subprocess.Popen[str]]:
    """Servers that begin to serve at the same moment, each with a folder of its own."""
    processes = []
    for number in range(SERVERS):
        environ = {"PYTHONPATH": SOURCE, "XDG_DATA_HOME": str(folder / str(number))}
        processes.append(
            subprocess.Popen(
                [sys.executable, "-c", SCRIPT, address],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=os.environ | environ,
                encoding="utf-8",
            )
        )
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "loaded\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    return processes


def stop(processes: Sequence[subprocess.Popen[str]]) -> list[str]:
    """What servers said while they ran."""
    for process in processes:
        process.terminate()
    return [process.communicate(timeout=PATIENCE)[1] for process in processes]


@pytest.mark.parametrize("old", [None, "0001"])
def test_servers_that_start_at_once_all_come_up(
    database: str, old: str | None, tmp_path: Path
) -> None:
    if old:
        in_database(database, lambda connection: run_migrations(connection, old))
    processes = start_together(database, tmp_path)
    urls = [process.stdout.readline().strip() for process in processes if process.stdout]
    healthy = 0
    for url in urls:
        if url:
            with urlopen(f"{url}/api/health") as answer:
                healthy += json.load(answer)["name"] == "quinconce"
    errors = stop(processes)
    assert healthy == SERVERS, errors
    assert not any("Traceback" in said for said in errors), errors
    copies = list(tmp_path.glob("matches.before-*"))
    assert len(copies) == (1 if old and database.startswith("sqlite") else 0)
    for copy in copies:  # it is of the tables as they were
        assert in_database(f"sqlite:///{copy}", current_revision) == [old]


@pytest.mark.usefixtures("in_english")
def test_a_database_of_a_newer_version_ends_serve_with_one_line(
    database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(Path.cwd()))
    newer = text("UPDATE alembic_version SET version_num = '9999'")
    in_database(database, run_migrations, lambda connection: connection.execute(newer))
    said = run_refused(capsys, "serve", "--port", "0", "--database", database)
    assert "newer version" in said
    assert in_database(database, current_revision) == ["9999"]
