"""What the tests of the folder share: a plain file server, and people who open what it serves."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from browser_users import WINDOW, BrowserPool, BrowserUser, violations
from playwright.sync_api import Request, Route, expect

from quinconce.site.pages import file_name

JS_WITHOUT_SHARED_WORKERS = "delete window.SharedWorker"
PHONE = {"width": 360, "height": 740}
MOST_MOVES = 400  # no game against the first legal move lasts so long
BELOW = "school/games"  # the path below which the folder is served


class QuietHandler(SimpleHTTPRequestHandler):
    """A file server as Python has it, which keeps quiet."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


class FileServer:
    """A plain file server, which can be closed and opened again at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # holds the folder of the pages at BELOW
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/{BELOW}/"

    def start(self) -> None:
        handler = partial(QuietHandler, directory=str(self.folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class SiteUser(BrowserUser):
    """Somebody with a browser of their own, in which nothing was kept before."""

    def __init__(self, profiles: BrowserPool, server: FileServer, **looks: Any) -> None:
        self.language = looks.pop("language", "en")
        usual = {"viewport": WINDOW, "reduced_motion": "reduce"}
        looks = usual | looks | {"locale": {"en": "en-GB", "fr": "fr-FR"}[self.language]}
        self.server = server
        self.asked: list[str] = []
        super().__init__(BrowserPool(profiles.browser), server, **looks)  # type: ignore[arg-type]
        self.context.on("request", self._note)

    def _note(self, request: Request) -> None:
        self.asked.append(request.url)

    def open(self, path: str) -> None:
        """Open the page that a server would have at this path, if it has a file of its own."""
        path, mark, fragment = path.partition("#")
        self.go(f"{self.language}/{file_name(path)}{mark}{fragment}")

    def keep(self) -> None:
        """Keep everything on this device."""
        self.page.click("#keep-here")
        expect(self.page.locator("#keep-said")).to_contain_text(
            {"en": "works without a network", "fr": "sans réseau"}[self.language]
        )

    def change_worker(self, script: str) -> None:
        """Add something to Python's worker; only one that no other page shares can be changed."""
        self.context.add_init_script(JS_WITHOUT_SHARED_WORKERS)

        def add(route: Route) -> None:
            answer = route.fetch()
            route.fulfill(response=answer, body=f"{answer.text()}\n{script}")

        self.context.route("**/device_worker.js", add)

    def start_match(self, game: str, level: int, edition: str = "") -> None:
        """A match against the engine, from the first page."""
        self.open("/")
        self.page.select_option("#level", str(level))
        if edition:
            self.page.locator(".editions label", has_text=edition).click()
        self.page.locator(f"a[data-game={game}]:visible").click()
        self.expect_match()

    def expect_match(self) -> None:
        expect(self.page.locator("#seats li").first).to_be_visible()

    def play_to_the_end(self) -> None:
        """The first legal move again and again, until the game is over."""
        moves, over = (
            self.page.locator("#moves [data-ply]"),
            self.page.locator("[data-act=rematch]"),
        )
        for _ in range(MOST_MOVES):
            expect(
                self.page.locator("#status.mine, [data-act=rematch]:visible").first
            ).to_be_visible()
            if over.is_visible():
                return
            n = moves.count()
            self.touch(self.first_legal_move())
            expect(moves.nth(n)).to_be_visible()
        raise AssertionError("the game does not end")

    def check_page(self) -> None:
        """Axe finds nothing, in light and in dark."""
        for scheme in ("dark", "light"):
            self.page.emulate_media(color_scheme=scheme)
            assert violations(self.page) == [], scheme

    def leave(self) -> None:
        """No request has left the folder's address."""
        self.context.close()
        foreign = [url for url in self.asked if not url.startswith((self.server.url, "blob:"))]
        assert foreign == []
        assert self.console_errors == []


VisitSite = Callable[..., SiteUser]
