"""A version of the folder is kept whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_users import BrowserPool
from playwright.sync_api import expect
from site_users import BELOW, FileServer, SiteUser

pytestmark = [pytest.mark.slow, pytest.mark.process, pytest.mark.long]
JS_CACHES = "() => caches.keys()"


@pytest.fixture
def own_server(web_space: Path, tmp_path: Path) -> Iterator[FileServer]:
    """A web space of its own, to change."""
    shutil.copytree(web_space, tmp_path / "space")
    server = FileServer(tmp_path / "space")
    yield server
    if server.thread.is_alive():
        server.stop()


@pytest.fixture
def somebody(profiles: BrowserPool, own_server: FileServer) -> Iterator[SiteUser]:
    visitor = SiteUser(profiles, own_server)
    yield visitor
    visitor.leave()


def test_what_cannot_be_kept_whole_is_not_kept(somebody: SiteUser, own_server: FileServer) -> None:
    page = somebody.page
    folder = own_server.folder / BELOW
    next(folder.glob("python/*/libraries.zip.gz")).unlink()
    somebody.open("/")
    page.click("#keep-here")
    expect(page.locator("#keep-said")).to_contain_text("could not be kept")
    assert page.evaluate(JS_CACHES) == []
    somebody.console_errors.clear()  # of the worker, which ends with what it misses
