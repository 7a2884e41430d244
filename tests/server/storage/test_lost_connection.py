"""A database server that is away for a moment, or longer: what was begun, and what is told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgresql_server import postgresql_database, shared_server
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection
from waiting import PATIENCE

from quinconce.server.storage import connection as module
from quinconce.server.storage.connection import Database
from quinconce.server.storage.database import application_name, database_url, open_database

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.process,
    pytest.mark.sqlite("this is about PostgreSQL, whichever is asked for"),
]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A database with an empty table; its server runs again afterwards."""
    found = postgresql_database(tmp_path)
    shared_server().run("CREATE TABLE notes (note text)", found.rpartition("/")[2])
    yield found
    if shared_server().process.poll() is not None:
        shared_server().start()


def note(word: str) -> module.Work[None]:
    """Write a word."""
    return lambda connection: (
        connection.execute(text("INSERT INTO notes VALUES (:word)"), {"word": word}),
        None,
    )[1]


def read_notes(connection: Connection) -> list[str]:
    return list(connection.execute(text("SELECT note FROM notes")).scalars())


async def test_work_goes_on_when_all_connections_were_cut(address: str) -> None:
    database = open_database(database_url(address))
    await asyncio.gather(*(database.write(note("before")) for _writer in range(4)))
    assert await asyncio.to_thread(shared_server().cut_connections, application_name()) >= 4
    await asyncio.gather(*(database.write(note("after")) for _writer in range(4)))
    assert sorted(await database.read(read_notes)) == ["after"] * 4 + ["before"] * 4
    assert await asyncio.to_thread(shared_server().cut_connections, application_name()) >= 1
    assert len(await database.read(read_notes)) == 8
    await database.close()


async def test_a_server_that_restarts_is_waited_for(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", PATIENCE)
    database = open_database(database_url(address))
    await database.write(note("before"))
    await asyncio.to_thread(shared_server().stop, immediate=True)
    waiting = [asyncio.ensure_future(database.write(note("meanwhile"))) for _writer in range(4)]
    reading = asyncio.ensure_future(database.read(read_notes))
    await asyncio.to_thread(shared_server().start)
    await asyncio.gather(*waiting)
    assert "before" in await reading
    assert sorted(await database.read(read_notes)) == ["before"] + ["meanwhile"] * 4
    await database.close()


async def test_a_server_that_stays_away_is_told_as_one_kind_of_error(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.2)
    database = open_database(database_url(address))
    await asyncio.to_thread(shared_server().stop, immediate=True)
    for attempt in (database.read(read_notes), database.write(note("never"))):
        with pytest.raises(OperationalError):
            await attempt
    await asyncio.to_thread(shared_server().start)
    assert await database.read(read_notes) == []
    await database.close()


async def test_a_commit_of_which_nothing_is_heard_is_not_done_again(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = AsyncConnection.commit

    async def commit_unheard(self: AsyncConnection) -> None:
        await commit(self)
        raise ConnectionResetError

    database: Database = open_database(database_url(address))
    monkeypatch.setattr(AsyncConnection, "commit", commit_unheard)
    with pytest.raises(OperationalError):
        await database.write(note("once"))
    monkeypatch.undo()
    assert await database.read(read_notes) == ["once"]
    await database.close()
