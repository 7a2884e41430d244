"""A browser, a server, and visitors who leave when a test is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_users import BrowserPool, BrowserUser, LiveServer, StartServer, Visit


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    opened = LiveServer(tmp_path_factory.mktemp("server"))
    yield opened
    opened.stop()


@pytest.fixture
def visit(profiles: BrowserPool, server: LiveServer) -> Iterator[Visit]:
    """Open a browser for somebody, with the looks and the language that they like."""
    visitors: list[BrowserUser] = []

    def open_browser(on: LiveServer = server, **looks: Any) -> BrowserUser:
        visitors.append(BrowserUser(profiles, on, **looks))
        return visitors[-1]

    yield open_browser
    for visitor in visitors:
        visitor.leave()


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Start a server for one test alone, with settings as it likes them."""
    servers: list[LiveServer] = []

    def start(**changes: Any) -> LiveServer:
        servers.append(LiveServer(tmp_path, **changes))
        return servers[-1]

    yield start
    for each in servers:
        each.stop()


@pytest.fixture
def own_server(start_server: StartServer) -> LiveServer:
    """A server for one test alone, which may close it."""
    return start_server()
