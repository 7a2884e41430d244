"""A PostgreSQL server that the tests of one process share, and a database of it for each test.

With TEST_DATABASE=postgresql the tests of the server run on it instead of on SQLite.
"""

from __future__ import annotations

import atexit
import hashlib
import os
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from benchmarks.own_postgresql import PostgresqlServer, run_postgresql, why_missing

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


def postgresql_database(folder: Path) -> str:
    """The address of the database that belongs to a folder, empty the first time in a test."""
    server = shared_server()
    name = f"test_{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}"
    if name not in CREATED:
        server.create_database(name)
        CREATED.add(name)
    return server.address(name)


def drop_databases(but: set[str]) -> None:
    """Drop all databases but these: one takes 8 MB."""
    for name in CREATED - but:
        shared_server().drop_database(name)
        CREATED.discard(name)


def database_for(folder: Path) -> str:
    """The address of the database of a test: a file of the folder, unless PostgreSQL is asked."""
    if ON_POSTGRESQL:
        return postgresql_database(folder)
    return f"sqlite:///{folder / 'matches.sqlite'}"
