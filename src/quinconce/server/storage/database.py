"""The database: opened, brought up to date after a copy of it was made, and backed up."""

from __future__ import annotations

import datetime
import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from platformdirs import user_data_path
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from quinconce.core.errors import error_line
from quinconce.core.files import name_file_in_errors
from quinconce.core.phrase import _
from quinconce.server.refusals import StorageError, UnreachableError
from quinconce.server.storage.connection import (
    BEGIN,
    TIME_LIMIT,
    Database,
    ServerDatabase,
    SqliteDatabase,
)
from quinconce.server.storage.store import driver_error_line

DRIVERS: Final = {"sqlite+aiosqlite": "sqlite", "postgresql": "postgresql+asyncpg"}
# A move that was acknowledged survives a power cut: FULL, and not what WAL has by default.
PRAGMAS: Final = (
    "PRAGMA busy_timeout = 10000",  # first: the next one may have to wait for another server
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)
MIGRATION_LOCK: Final = 0x7175696E  # the advisory lock of PostgreSQL under which one migrates
# What PostgreSQL ends by itself: a server that died in silence holds no lock for long.
SESSION_LIMITS: Final = (
    "statement_timeout",
    "idle_in_transaction_session_timeout",
    "tcp_user_timeout",
)


def data_folder() -> Path:
    """Where this user's matches are kept; ValueError if there is no such place."""
    folder = user_data_path("quinconce", appauthor=False)
    with name_file_in_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def database_url(database: str | None) -> URL:
    """The address of a database: any that SQLAlchemy knows, or the one in the user's folder."""
    if database is None:
        return make_url(f"sqlite:///{data_folder() / 'quinconce.sqlite'}")
    try:
        url = make_url(database)
    except ArgumentError:
        raise ValueError(
            _("{text} is not the address of a database, like sqlite:///FILE", text=repr(database))
        ) from None
    return url.set(drivername=DRIVERS.get(url.drivername, url.drivername))


def sqlite_path(url: URL) -> Path | None:
    """The file of an SQLite database; None for any other."""
    if not url.drivername.startswith("sqlite") or url.database in (None, "", ":memory:"):
        return None
    return Path(url.database or "")


def open_database(url: URL, time_limit: float = TIME_LIMIT) -> Database:
    """The database at an address; SQLite is told to lose nothing.

    A database server has `time_limit` seconds for a piece of work.
    """
    file = sqlite_path(url)
    if file is not None and not file.exists():
        with name_file_in_errors(file):
            # Names and hashes of secrets are nobody else's business.
            file.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    try:
        with explain_database_errors():
            if url.get_backend_name() != "sqlite":
                return open_server(url, time_limit)
            engine = create_engine(url)
    except ModuleNotFoundError as error:
        why = _(
            "this database needs {name}, which is not installed (PostgreSQL: pip install asyncpg)",
            name=error.name or str(error),
        )
        raise ValueError(why) from None
    event.listen(engine, "connect", set_pragmas)
    event.listen(engine, "begin", begin_transaction)
    return SqliteDatabase(engine)


@contextmanager
def explain_database_errors() -> Iterator[None]:
    """Say in one line what is wrong with a database: a full disk, a server that is away."""
    try:
        yield
    except (SQLAlchemyError, StorageError, UnreachableError) as error:
        why = driver_error_line(error.__cause__ or error)
        raise ValueError(_("this database cannot be used: {why}", why=why)) from None


def set_pragmas(connection: Any, _record: object) -> None:
    """Set up a new connection to SQLite."""
    connection.isolation_level = None  # the driver begins no transaction of its own
    for pragma in PRAGMAS:
        connection.execute(pragma)


def open_server(url: URL, time_limit: float) -> ServerDatabase:
    """A database server, which has some seconds for a piece of work."""
    engine = create_async_engine(
        url, pool_timeout=time_limit / 2, **server_options(url, time_limit)
    )
    if url.get_backend_name() == "postgresql":
        milliseconds = str(round(time_limit * 1000))
        limits = ", ".join(f"set_config('{n}', '{milliseconds}', false)" for n in SESSION_LIMITS)

        @event.listens_for(engine.sync_engine, "connect")
        def limit_session(connection: Any, _record: object) -> None:
            cursor = connection.cursor()
            cursor.execute(f"SELECT {limits}")
            cursor.close()
            connection.commit()

    return ServerDatabase(engine, time_limit)


def server_options(url: URL, time_limit: float) -> dict[str, Any]:
    """How a database server is connected to: PostgreSQL can tell our processes apart."""
    if url.get_backend_name() != "postgresql":
        return {}
    named = {"application_name": application_name()}
    return {"connect_args": {"server_settings": named, "timeout": time_limit}}


def application_name() -> str:
    """The name by which PostgreSQL knows the connections of this process."""
    return f"quinconce-{os.getpid()}"


def begin_transaction(connection: Connection) -> None:
    """Begin, so that a migration is done whole or not at all; who writes waits for their turn."""
    connection.exec_driver_sql(f"BEGIN {connection.get_execution_options().get(BEGIN, '')}")


async def migrate(database: Database) -> Path | None:
    """Migrate to the newest tables; the copy that was made before, if there was anything.

    Of several servers that start at once, one migrates and the others wait for it.
    """
    try:
        before = await database.read(current_revision)
    except (SQLAlchemyError, OSError) as error:
        why = error_line(error)
        raise ValueError(_("this database cannot be reached: {why}", why=why)) from None
    return await database.write_at_leisure(migrate_locked) if is_outdated(before) else None


def is_outdated(revision: str | None) -> bool:
    """Whether a database lacks migrations; ValueError if a newer version made it."""
    scripts = ScriptDirectory.from_config(alembic_config())
    if revision == scripts.get_current_head():
        return False
    if revision is not None and revision not in [
        step.revision for step in scripts.walk_revisions()
    ]:
        raise ValueError(_("this database was made by a newer version: update this one"))
    return True


def migrate_locked(connection: Connection) -> Path | None:
    """Copy an SQLite database and migrate it, unless another server has just done so.

    The transaction of a writer is a lock in SQLite; in PostgreSQL there is a lock for this.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
    before = current_revision(connection)
    if not is_outdated(before):
        return None
    copy = None
    file = sqlite_path(connection.engine.url)
    if before is not None and file is not None:
        newest = ScriptDirectory.from_config(alembic_config()).get_current_head()
        moment = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")
        copy = file.with_name(f"{file.stem}.before-{newest}-{moment}{file.suffix}")
        copy_database(file, copy)
    run_migrations(connection)
    return copy


async def prepare_database(database: str | None) -> None:
    """Bring a database up to date before anything else, so that what is wrong is told plainly."""
    opened = open_database(database_url(database))
    try:
        await check_undamaged(opened)
        await migrate(opened)
    finally:
        await opened.close()


async def check_undamaged(database: Database) -> None:
    """ValueError, saying what to do, if the file of an SQLite database is damaged."""
    file = sqlite_path(database.url)
    if file is None:
        return
    try:
        found = await database.read(quick_check)
    except SQLAlchemyError as error:
        found = [str(getattr(error, "orig", error))]
        if "malformed" not in found[0]:
            return  # what else is wrong `migrate` tells
    if found != ["ok"]:
        why = " ".join(str(found[0]).split())
        raise ValueError(
            _(
                "{file} is damaged ({why}): move it away and put back a backup, or save what can"
                " be read with «sqlite3 {file} .recover»",
                file=file,
                why=why,
            )
        )


def quick_check(connection: Connection) -> list[str]:
    """What SQLite finds wrong with its file, or that it is ok."""
    return [str(row) for row in connection.exec_driver_sql("PRAGMA quick_check(1)").scalars()]


def alembic_config(connection: Connection | None = None) -> Config:
    """Alembic's settings, which need no file."""
    config = Config()
    config.set_main_option("script_location", "quinconce.server.storage:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def current_revision(connection: Connection) -> str | None:
    """The step of the migrations at which a database is."""
    return MigrationContext.configure(connection).get_current_revision()


def run_migrations(connection: Connection, to: str = "head") -> None:
    """Run the migrations that are missing."""
    command.upgrade(alembic_config(connection), to)


def copy_database(source: Path, target: Path) -> None:
    """A copy of an SQLite database, whole even while a server writes to it; never over a file."""
    with name_file_in_errors(target):
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        with (
            closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=rw", uri=True)) as reader,
            closing(sqlite3.connect(target)) as writer,
        ):
            reader.backup(writer)
            writer.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
        with target.open("rb+") as file:
            os.fsync(file.fileno())
    except BaseException as error:
        target.unlink(missing_ok=True)
        if isinstance(error, sqlite3.Error):
            raise ValueError(_("{file}: {why}", file=source, why=str(error))) from None
        raise


def database_fingerprint(database: str | None) -> str:
    """Tells two databases apart, and nothing else about them."""
    url = database_url(database)
    if url.drivername == "sqlite":  # as servers have told it that may still run
        url = url.set(drivername="sqlite+aiosqlite")
    return hashlib.sha256(url.render_as_string().encode()).hexdigest()[:16]
