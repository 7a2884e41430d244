"""A version of the folder is kept whole or not at all, and another takes its place when wanted."""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from browser_users import BrowserPool
from playwright.sync_api import Error, expect
from site_users import BELOW, FileServer, SiteUser
from waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.process, pytest.mark.long]
TEXTS = {".html", ".js", ".json", ".webmanifest"}
NEWER = "0123456789ab"  # the name of its folder of static files
JS_VERSION = "() => document.querySelector('script[type=module]').src.split('/').at(-2)"
LOOK = 20_000  # milliseconds on a page; the next one lets the browser look again
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


def change_to_newer_version(folder: Path) -> None:
    """What another build of the folder changes: names of files, pages, the service worker."""
    (static,) = folder.glob("static/*")
    old = static.name
    static.rename(static.with_name(NEWER))

    def newer(text: str) -> str:
        return text.replace(old, NEWER).replace("Choose a board", "Choose your board")

    for path in folder.rglob("*"):
        if path.suffix in TEXTS and path.parts[-3] != "python":
            path.write_text(newer(path.read_text(encoding="utf-8")), encoding="utf-8")
    packed = folder / "static" / NEWER / "pages.json.gz"
    packed.write_bytes(gzip.compress(newer(gzip.decompress(packed.read_bytes()).decode()).encode()))
    worker = folder / "service_worker.js"
    worker.write_text(re.sub(r'"version": "\w+"', f'"version": "{NEWER}"', worker.read_text()))


def is_offered(somebody: SiteUser) -> bool:
    """Whether a page offers a new version, which the browser looks for at every page."""
    somebody.open("/")
    with suppress(Error):
        somebody.page.wait_for_selector("#new-version", timeout=LOOK)
        return True
    return False


def test_a_new_version_waits_whole_until_it_is_wanted(
    somebody: SiteUser, own_server: FileServer
) -> None:
    page = somebody.page
    somebody.open("/")
    somebody.keep()
    somebody.start_match("diadema", 1)
    somebody.expect_my_turn()
    old = page.evaluate(JS_VERSION)
    # While a page of the old version is open the browser itself puts no other in its place.
    other = page.context.new_page()
    other.goto(page.url)
    change_to_newer_version(own_server.folder / BELOW)
    own_server.asked.clear()
    until(lambda: is_offered(somebody))
    # What is large has not changed, and is not loaded again.
    assert not [line for line in own_server.asked if "/python/" in line]
    somebody.open("/learn")
    assert page.evaluate(JS_VERSION) == other.evaluate(JS_VERSION) == old
    page.locator("#new-version button").click()
    for each in (page, other):
        each.wait_for_function(f"() => ({JS_VERSION})() === '{NEWER}'")
    other.close()
    own_server.stop()
    somebody.open("/")
    expect(page.locator("h1")).to_have_text("Choose your board")
    expect(page.locator(".own li")).to_have_count(1)
    assert [name.endswith(NEWER) for name in page.evaluate(JS_CACHES)] == [True]


def test_what_cannot_be_kept_whole_is_not_kept(somebody: SiteUser, own_server: FileServer) -> None:
    page = somebody.page
    folder = own_server.folder / BELOW
    next(folder.glob("static/*/libraries.zip.gz")).unlink()
    somebody.open("/")
    page.click("#keep-here")
    expect(page.locator("#keep-said")).to_contain_text("could not be kept")
    assert page.evaluate(JS_CACHES) == []
    somebody.console_errors.clear()  # of the worker, which ends with what it misses
