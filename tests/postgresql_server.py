"""A PostgreSQL server that the tests of one process share, and a database of it for each test.

With TEST_DATABASE=postgresql the tests of the server run on it instead of on SQLite.
"""

from __future__ import annotations

import asyncio
import atexit
import hashlib
import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from benchmarks.own_postgresql import PostgresqlServer, run_postgresql, why_missing
from quinconce.server.storage.database import prepare_database

ON_POSTGRESQL = os.environ.get("TEST_DATABASE", "sqlite") == "postgresql"
CREATED: set[str] = set()  # the names of databases that are there


@cache
def shared_server() -> PostgresqlServer:
    """The server of this process, started the first time; skips the test if there is none."""
    if why := why_missing():
        pytest.skip(why)
    pytest.importorskip("asyncpg")
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(run_postgresql())


def postgresql_database(folder: Path, *, migrated: bool = True) -> str:
    """The address of the database that belongs to a folder, without a match the first time."""
    server = shared_server()
    name = f"test_{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}"
    if name not in CREATED:
        server.create_database(name, migrated_template() if migrated else "template1")
        CREATED.add(name)
    return server.address(name)


@cache
def migrated_template() -> str:
    """The name of a database with all tables, migrated once for the tests of this process."""
    migrate_now(shared_server().create_database("migrated"))
    return "migrated"


@cache
def migrated_file() -> Path:
    """An SQLite database with all tables, migrated once for the tests of this process."""
    file = Path(tempfile.mkdtemp(prefix="quinconce-migrated-")) / "matches.sqlite"
    migrate_now(f"sqlite:///{file}")
    return file


def migrate_now(address: str) -> None:
    """Migrate a database in a thread, since a test that waits for it has a loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(prepare_database(address))).result()


def drop_databases(but: set[str]) -> None:
    """Drop all databases but these: one takes 8 MB."""
    for name in CREATED - but:
        shared_server().drop_database(name)
        CREATED.discard(name)


def database_for(folder: Path) -> str:
    """The address of the database of a test: a file of the folder, unless PostgreSQL is asked."""
    if ON_POSTGRESQL:
        return postgresql_database(folder)
    file = folder / "matches.sqlite"
    if not file.exists():
        shutil.copyfile(migrated_file(), file)
        file.chmod(0o600)
    return f"sqlite:///{file}"
