"""The folder, built once, a file server for it, and visitors who leave when a test is over."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_users import BrowserPool
from command_line import QUINCONCE
from site_users import BELOW, FileServer, SiteUser, VisitSite


@pytest.fixture(scope="session")
def web_space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A web space with the folder below a path."""
    space = tmp_path_factory.mktemp("space")
    subprocess.run([*QUINCONCE, "site", str(space / BELOW)], check=True, capture_output=True)
    return space


@pytest.fixture
def file_server(web_space: Path) -> Iterator[FileServer]:
    server = FileServer(web_space)
    yield server
    if server.thread.is_alive():
        server.stop()


@pytest.fixture
def visit_site(profiles: BrowserPool, file_server: FileServer) -> Iterator[VisitSite]:
    """Open a browser in which nothing is kept yet, with a language and looks."""
    visitors: list[SiteUser] = []

    def open_browser(**looks: Any) -> SiteUser:
        visitors.append(SiteUser(profiles, file_server, **looks))
        return visitors[-1]

    yield open_browser
    for visitor in visitors:
        visitor.leave()
