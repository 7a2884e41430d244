"""The database: migrated after a copy was made, backed up while it is used."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from app_client import open_app
from sqlalchemy import Connection

from quinconce.cli import main
from quinconce.server.storage.database import (
    current_revision,
    database_url,
    migrate,
    open_database,
    run_migrations,
)
from quinconce.server.storage.schema import METADATA

pytestmark = pytest.mark.sqlite


def make_older_database(file: Path, step: str) -> None:
    """A database as an older server left it, with a match in it."""

    async def make() -> None:
        database = open_database(database_url(f"sqlite:///{file}"))
        await database.write(lambda connection: run_migrations(connection, step))
        await database.close()

    asyncio.run(make())
    setup = '{"game":"diam","seats":[{"kind":"friend"},{"kind":"friend"}],"order":"given"}'
    with closing(sqlite3.connect(file)) as database, database:
        row = ("A" * 12, None, 1.0, setup, 1, "people", 0, 2.0)
        database.execute(
            "INSERT INTO matches (id, tag, made, setup, moves, waits, clocked, touched)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            row,
        )
        database.execute(
            "INSERT INTO events VALUES (?, 1, 2.0, 0, ?)",
            ("A" * 12, '{"kind":"move","move":"r@1"}'),
        )


def table_names(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as database:
        return {
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
        }


def test_an_older_database_is_copied_and_brought_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    make_older_database(file, "0001")
    before = table_names(file)
    assert "tags" not in before

    async def visit() -> None:
        async with open_app(tmp_path) as app:
            view = (await app.visitor.get(f"/api/matches/{'A' * 12}")).json()
            assert view["moves"] == ["r@1"]

    asyncio.run(visit())
    (copy,) = tmp_path.glob("matches.before-*.sqlite")
    assert table_names(copy) == before
    assert table_names(file) > before
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT count(*) FROM events").fetchone() == (1,)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    asyncio.run(visit())  # up to date: nothing is copied again
    assert list(tmp_path.glob("matches.before-*")) == [copy]


def test_studies_of_an_older_database_have_a_size_and_no_address(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    make_older_database(file, "0006")
    with closing(sqlite3.connect(file)) as database, database:
        row = ("B" * 12, "0" * 64, 1, '{"title":"é"}', 1.0, 1.0, 1.0)
        database.execute("INSERT INTO studies VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    async def look() -> None:
        database = open_database(database_url(f"sqlite:///{file}"))
        await migrate(database)
        await database.close()

    asyncio.run(look())
    with closing(sqlite3.connect(file)) as database:
        kept = database.execute("SELECT origin, bytes FROM studies").fetchall()
    assert kept == [(None, 14)]


def test_the_migrations_make_exactly_the_tables(tmp_path: Path) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    def synchronous(connection: Connection) -> object:
        return connection.exec_driver_sql("PRAGMA synchronous").scalar()

    async def look() -> None:
        database = open_database(database_url(f"sqlite:///{tmp_path / 'matches.sqlite'}"))
        assert await migrate(database) is None  # there was nothing to copy
        assert await database.read(differences) == []
        assert await database.read(current_revision) == "0009"
        assert await database.write(synchronous) == 2  # FULL
        await database.close()

    asyncio.run(look())


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "matches.sqlite"
    make_older_database(file, "0001")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("CREATE TABLE pulse (x)")  # in the way of the second table to be made
    before = table_names(file)

    async def fail() -> None:
        database = open_database(database_url(f"sqlite:///{file}"))
        try:
            with pytest.raises(Exception, match="pulse"):
                await migrate(database)
        finally:
            await database.close()

    asyncio.run(fail())
    assert table_names(file) == before


def test_a_database_of_a_newer_server_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    make_older_database(file, "head")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")

    async def fail() -> None:
        database = open_database(database_url(f"sqlite:///{file}"))
        try:
            with pytest.raises(ValueError, match="newer version"):
                await migrate(database)
        finally:
            await database.close()

    asyncio.run(fail())


@pytest.fixture
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_here")
def test_a_backup_is_whole_while_the_server_is_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = f"sqlite:///{tmp_path / 'matches.sqlite'}"

    async def visit() -> str:
        async with open_app(tmp_path) as app:
            match = await app.create_match()
            await match.play("r@1 m@1")
            await asyncio.to_thread(main, ["backup", "copy.sqlite", "--database", database])
            return match.id

    match = asyncio.run(visit())
    assert capsys.readouterr().out == "Saved in copy.sqlite.\n"
    with closing(sqlite3.connect("copy.sqlite")) as copy:
        kept = copy.execute("SELECT id, moves FROM matches").fetchall()
        assert kept == [(match, 2)]
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert Path("copy.sqlite").stat().st_mode & 0o077 == 0
    assert not Path("copy.sqlite-wal").exists()


@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["backup", "x"], "there is no such file"),
        (["backup", "x", "--database", "postgresql://localhost/matches"], "only an SQLite file"),
        (["backup", "x", "--database", "nonsense"], "is not the address of a database"),
        (["backup", "taken", "--database", "sqlite:///taken"], "there is a file already"),
        (["backup", "nowhere/x", "--database", "sqlite:///taken"], "no such file or folder"),
        (["backup", "x", "--database", "sqlite:///taken"], "not a database"),
        (["matches", "list", "--database", "sqlite:///nowhere/\0"], "nowhere"),
        (["serve", "--database", "sqlite:///taken"], "cannot be reached"),
        (["serve", "--database", "mysql+asyncmy://localhost/matches"], "needs asyncmy"),
        (["serve", "--port", "99999"], "99999"),
        (["serve", "--host", "192.0.2.1"], "cannot listen at 192.0.2.1"),
    ],
)
def test_what_cannot_be_done_is_told_on_one_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("taken").write_text("this is no database, but long enough to be looked at " * 20)
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    assert exit_.value.code == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1
