"""The documentation as a site: built without a warning, whole in itself, and found by searching."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from browser_users import BrowserPool
from doc_pages import DOCS, ROOT
from playwright.sync_api import expect
from waiting import until

import quinconce
import quinconce.client
import quinconce.engine

pytestmark = [pytest.mark.process, pytest.mark.slow]
TOP_PAGES = {"project/about", "project/contributing", "project/changes"}
REFERENCES = {
    "reference/library": quinconce,
    "reference/engine": quinconce.engine,
    "reference/client": quinconce.client,
}
LOADING = {"script", "img", "source", "iframe", "link", "video", "audio"}  # not <a>
ELSEWHERE = re.compile(r"^(?:https?:)?//")


class Links(HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.followed: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.anchors.add(value or "")
            elif name in ("href", "src", "srcset") and value:
                (self.loaded if tag in LOADING else self.followed).add(value)


def broken_links(site: Path) -> list[str]:
    """The links of a site that lead nowhere, each with its page."""
    pages = {path: Links(path) for path in site.rglob("*.html") if path.name != "404.html"}
    broken = []
    for page, links in pages.items():
        for link in links.followed | links.loaded:
            address, anchor = urldefrag(link)
            if re.match(r"[a-z]+:", address):
                continue
            target = (page.parent / unquote(address)).resolve() if address else page
            target = target / "index.html" if target.is_dir() else target
            known = pages[target].anchors if target in pages else {anchor}
            if not target.exists() or (anchor and unquote(anchor) not in known):
                broken.append(f"{page.relative_to(site)}: {link}")
    return sorted(broken)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built so that a warning is an error."""
    folder = tmp_path_factory.mktemp("site").resolve()
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_page_of_the_docs_is_on_the_site_and_no_other(site: Path) -> None:
    sources = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    expected = {re.sub(r"\bREADME$", "index", name) for name in sources}
    built = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    # So every example is one that a test runs: in a page, or in a docstring.
    assert built - {"404"} == expected | TOP_PAGES | REFERENCES.keys()


def test_no_link_leads_nowhere(site: Path) -> None:
    assert broken_links(site) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="top"><a href="b.html#part"><a href="#top"><a href="#end"><img src="c.png">'
    )
    (tmp_path / "b.html").write_text('<a href="a.html#top">')
    found = broken_links(tmp_path.resolve())
    assert found == ["a.html: #end", "a.html: b.html#part", "a.html: c.png"]


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        assert not [address for address in Links(path).loaded if ELSEWHERE.match(address)]
    for path in site.rglob("*.css"):
        found = re.findall(r"""url\(["']?([^"')]*)|@import ["']([^"']*)""", path.read_text("utf-8"))
        assert not [pair for pair in found if ELSEWHERE.match("".join(pair))], path.name


@pytest.mark.parametrize("page", REFERENCES)
def test_the_reference_has_every_public_name(site: Path, page: str) -> None:
    anchors = {anchor.rsplit(".")[-1] for anchor in Links(site / f"{page}.html").anchors}
    assert anchors >= set(REFERENCES[page].__all__)


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_reader_searches_and_only_this_site_is_asked(profiles: BrowserPool, address: str) -> None:
    page = profiles.browser.new_page()
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    page.get_by_role("link", name="Search").click()
    words = page.get_by_role("searchbox")
    words.fill("perft")
    found = page.locator("#mkdocs-search-results a[href*='reference/library']")

    def search() -> int:
        words.press("End")  # keys count once the index is read
        return found.count()

    until(search)
    found.first.click()
    expect(page.locator("h1")).to_contain_text("Reference of the library")
    page.close()
    assert asked
    assert not errors
    assert not [url for url in asked if not url.startswith((address, "data:", "blob:"))]
