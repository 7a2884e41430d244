"""Connections to PostgreSQL that die in silence, or are all in use: people are told so."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from app_client import AppClient, FakeClock, end_background, open_app
from postgresql_server import postgresql_database, shared_server
from server_process import SCRIPT, TESTS
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection
from tcp_proxy import TcpProxy, run_proxy
from waiting import PATIENCE, until, until_true

from quinconce.server.peers.leases import Peers
from quinconce.server.storage import connection as module
from quinconce.server.storage.connection import ServerDatabase
from quinconce.server.storage.database import database_url, open_database

pytestmark = [
    pytest.mark.process,
    pytest.mark.sqlite("this is about PostgreSQL, whichever is asked for"),
]
anyio = pytest.mark.anyio
SHORT = 0.5  # seconds for a piece of work that nobody will ever answer


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[TcpProxy]:
    """A proxy before the server of databases."""
    postgresql_database(tmp_path)
    with run_proxy(shared_server().port) as found:
        yield found


def address_through(proxy: TcpProxy, folder: Path) -> str:
    """The database of a test, behind a proxy."""
    url = make_url(postgresql_database(folder)).set(port=proxy.port)
    return url.render_as_string(hide_password=False)


def one(connection: Connection) -> int:
    return int(connection.execute(text("SELECT 1")).scalar_one())


@anyio
async def test_a_connection_that_died_in_silence_is_cut_and_another_made(
    proxy: TcpProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", PATIENCE)
    database = open_database(database_url(address_through(proxy, tmp_path)), SHORT)
    assert await database.read(one) == 1
    proxy.silence_all(new=False)
    assert await database.read(one) == 1
    await database.close()


@anyio
async def test_a_database_that_is_silent_is_told_and_closed(
    proxy: TcpProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    monkeypatch.setattr(module, "CLOSE_SECONDS", SHORT)
    database = open_database(database_url(address_through(proxy, tmp_path)), PATIENCE)
    assert isinstance(database, ServerDatabase)
    await asyncio.gather(*(database.write(one) for _connection in range(3)))
    proxy.silence_all(new=True)
    database.time_limit = SHORT
    for attempt in (database.read(one), database.write(one)):
        with pytest.raises(OperationalError):
            await attempt
    waiting = asyncio.ensure_future(database.write(one))
    await asyncio.sleep(0)
    await database.close()  # with somebody who still waits
    with pytest.raises(OperationalError):
        await waiting


@anyio
async def test_postgresql_ends_what_a_silent_server_has_begun(tmp_path: Path) -> None:
    database = open_database(database_url(postgresql_database(tmp_path)), 60.0)

    def limits(connection: Connection) -> list[str]:
        names = ("statement_timeout", "idle_in_transaction_session_timeout", "tcp_user_timeout")
        return [str(connection.execute(text(f"SHOW {name}")).scalar_one()) for name in names]

    assert await database.read(limits) == ["1min", "1min", "60000"]
    await database.close()


def test_a_server_whose_database_is_silent_is_not_ready_and_ends_when_told_to(
    proxy: TcpProxy, tmp_path: Path
) -> None:
    path = os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])
    environ = os.environ | {"PYTHONPATH": path, "XDG_DATA_HOME": str(tmp_path)}
    command = [sys.executable, "-c", SCRIPT, address_through(proxy, tmp_path), "first_move", "0"]
    with (tmp_path / "server.log").open("w") as log:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, env=environ, encoding="utf-8"
        )
    try:
        assert process.stdout
        url = process.stdout.readline().strip()
        with httpx.Client(base_url=url, timeout=PATIENCE) as client:
            until(lambda: client.get("/api/ready").status_code == 200)
            proxy.silence_all(new=True)
            until(lambda: client.get("/api/ready").status_code == 503)
            asyncio.run(another_leads(tmp_path))
            assert client.get("/api/health").status_code == 200
        process.terminate()
        process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate()
    assert "Traceback" not in (tmp_path / "server.log").read_text()


async def another_leads(folder: Path) -> None:
    """A server whose way to the database is open takes over."""
    async with open_app(folder, database=postgresql_database(folder)) as app:
        peers = app.services.peers
        assert isinstance(peers, Peers)
        await until_true(lambda: peers.leads)


async def take_all_connections(app: AppClient) -> list[AsyncConnection]:
    """Hold every connection that a server may have."""
    database = app.services.database
    assert isinstance(database, ServerDatabase)
    held = []
    with suppress(PoolTimeoutError):
        while True:
            held.append(await database.engine.connect())
    return held


@anyio
async def test_who_gets_no_connection_is_told_to_come_again(tmp_path: Path) -> None:
    clock = FakeClock()
    address = postgresql_database(tmp_path)
    async with open_app(tmp_path, now=clock, database=address) as app:
        match = await app.create_match()
        app.call_in_app(end_background, app)
        app.services.database.sync_engine.pool._timeout = 0.0  # type: ignore[attr-defined]
        held = app.call_in_app(take_all_connections, app)
        friends = {"game": "diam", "seats": [{"kind": "friend"}] * 2}
        for answer in (
            await app.visitor.get(match.path),
            await app.visitor.post("/api/matches", friends),
        ):
            assert (answer.status_code, answer.json()["code"]) == (503, "busy"), answer.text
            assert int(answer.headers["retry-after"]) > 0

        async def let_go() -> None:
            for connection in held:
                await connection.close()

        app.call_in_app(let_go)
        await match.view()
