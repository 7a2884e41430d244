"""Hosting on PostgreSQL as docs/hosting.md tells it: several processes, readiness, backups."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import psutil
import pytest
from command_line import QUINCONCE
from postgresql_server import postgresql_database, shared_server
from waiting import PATIENCE, until

from benchmarks.own_postgresql import PostgresqlServer, run_postgresql, why_missing

pytestmark = pytest.mark.process
TESTS = Path(__file__).parent
FRIENDS = {"game": "diam", "seats": [{"kind": "friend"}, {"kind": "friend"}], "order": "given"}


@contextmanager
def serve(folder: Path, database: str, *options: str) -> Iterator[tuple[psutil.Process, str]]:
    """`quinconce serve` on a database, and its address."""
    environment = {
        "PYTHONPATH": str(TESTS.parent / "src"),
        "XDG_DATA_HOME": str(folder),
        "QUINCONCE_LANG": "en",
        "QUINCONCE_DATABASE": database,
    }
    with (folder / "server.log").open("a") as log:
        process = subprocess.Popen(
            [*QUINCONCE, "serve", "--port", "0", "--no-warmup", *options],
            stdout=subprocess.PIPE,
            stderr=log,
            env=os.environ | environment,
            encoding="utf-8",
        )
    try:
        assert process.stdout
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, (folder / "server.log").read_text()
        yield psutil.Process(process.pid), found[0]
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def is_ready(url: str) -> bool:
    return httpx.get(f"{url}/api/ready", timeout=PATIENCE).status_code == 200


def run_tool(server: PostgresqlServer, name: str, *arguments: str) -> None:
    """Run a program that comes with PostgreSQL."""
    program = server.binaries / name
    if not program.exists():
        pytest.skip(f"{name} is not installed: backing up was NOT tried")
    subprocess.run([program, *arguments], check=True, env={"PGPASSWORD": server.password})


def test_several_processes_and_a_second_server_share_a_database(tmp_path: Path) -> None:
    database = postgresql_database(tmp_path)
    with ExitStack() as stack:
        first, url = stack.enter_context(serve(tmp_path, database, "--processes", "2"))
        _second, other = stack.enter_context(serve(tmp_path, database))
        assert url != other
        servers = [each for each in first.children() if "spawn_main" in " ".join(each.cmdline())]
        assert len(servers) == 2
        until(lambda: is_ready(url) and is_ready(other))
        made = httpx.post(f"{url}/api/matches", json=FRIENDS, timeout=PATIENCE).json()
        assert httpx.get(f"{other}/api/matches/{made['id']}", timeout=PATIENCE).json()["seq"] == 0
        first.send_signal(signal.SIGTERM)
        gone, alive = psutil.wait_procs([first, *servers], timeout=PATIENCE)
        assert (len(gone), alive) == (3, [])
        until(lambda: is_ready(other))
    assert "Traceback" not in (tmp_path / "server.log").read_text()
    assert not list(tmp_path.glob("quinconce/*.json"))


def test_a_server_is_not_ready_while_its_database_is_away(tmp_path: Path) -> None:
    if why := why_missing():
        pytest.skip(why)
    with run_postgresql() as database:
        database.create_database("games")
        with serve(tmp_path, database.address("games")) as (_process, url):
            until(lambda: is_ready(url))
            database.stop()
            assert not is_ready(url)
            assert httpx.get(f"{url}/api/health", timeout=PATIENCE).status_code == 200
            database.start()
            until(lambda: is_ready(url))


def test_a_backup_is_restored_into_another_database(tmp_path: Path) -> None:
    database = postgresql_database(tmp_path)
    server = shared_server()
    saved = tmp_path / "saved.dump"
    with serve(tmp_path, database) as (_process, url):
        made = httpx.post(f"{url}/api/matches", json=FRIENDS, timeout=PATIENCE).json()
        path = f"/api/matches/{made['id']}"
        headers = {"Authorization": f"Bearer {made['seats'][0]['link'].split('#')[1]}"}
        body = {"seq": 0, "move": "r@1"}
        done = httpx.post(f"{url}{path}/moves", json=body, headers=headers, timeout=PATIENCE)
        assert done.status_code == 200
        address = [f"--host=127.0.0.1 --port={server.port}".split(), ["--username=quinconce"]]
        where = [word for words in address for word in words]
        name = database.rpartition("/")[2]
        run_tool(server, "pg_dump", "--format=custom", f"--file={saved}", *where, name)
    new = f"{name}_restored"
    run_tool(server, "createdb", *where, new)
    exact = ["--exit-on-error", "--single-transaction", "--no-owner"]
    run_tool(server, "pg_restore", *exact, *where, f"--dbname={new}", str(saved))
    with serve(tmp_path, server.address(new)) as (_process, url):
        assert httpx.get(f"{url}{path}", timeout=PATIENCE).json()["moves"] == ["r@1"]
    server.drop_database(new)
