"""A browser, a server, and visitors who leave when a test is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_users import BrowserPool, BrowserUser, LiveServer, find_chromium
from playwright.sync_api import expect, sync_playwright

Visit = Callable[..., BrowserUser]
expect.set_options(timeout=15_000)  # milliseconds, for machines that do much else


@pytest.fixture(scope="session")
def profiles() -> Iterator[BrowserPool]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        yield BrowserPool(found)
        found.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    opened = LiveServer(tmp_path_factory.mktemp("server"))
    yield opened
    opened.stop()


@pytest.fixture
def visit(profiles: BrowserPool, server: LiveServer) -> Iterator[Visit]:
    """Let somebody come, with a browser as he likes it."""
    visitors: list[BrowserUser] = []

    def come(to: LiveServer = server, **looks: Any) -> BrowserUser:
        visitors.append(BrowserUser(profiles, to, **looks))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.leave()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[LiveServer]:
    """A server for one test alone, which may close it."""
    opened = LiveServer(tmp_path)
    yield opened
    opened.stop()
