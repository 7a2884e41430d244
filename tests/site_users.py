"""What the tests of the folder share: a plain file server, and people who open what it serves."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from browser_users import WINDOW, BrowserPool, BrowserUser, violations
from playwright.sync_api import Route, expect

from quinconce.site.pages import file_name

JS_WITHOUT_SHARED_WORKERS = "delete window.SharedWorker"
PHONE = {"width": 360, "height": 740}
MOST_MOVES = 400  # no game against the first legal move lasts so long
BELOW = "school/games"  # the path below which the folder is served
POLL = 0.02  # seconds after which a server sees that it is to stop


Handler = SimpleHTTPRequestHandler


class Elsewhere(Handler):
    """Every other address, where nothing is."""

    def send_head(self) -> None:
        self.send_error(HTTPStatus.FORBIDDEN)


class FileServer:
    """A plain file server, which can be closed and opened again at the same address."""

    def __init__(self, folder: Path, handler: type[Handler] = Handler) -> None:
        self.folder = folder  # holds the folder of the pages at BELOW
        self.handler = handler
        self.asked: list[str] = []  # the first lines of requests, those of workers too
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/{BELOW}/"

    def start(self) -> None:
        asked = self.asked

        class Noting(self.handler):  # type: ignore[name-defined, misc]
            def log_request(self, *_answer: object) -> None:
                asked.append(self.requestline)

            def log_message(self, *_message: object) -> None:
                pass

        handler = partial(Noting, directory=str(self.folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, args=(POLL,))
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
        # Playwright does not see what a shared worker asks elsewhere; this does.
        self.elsewhere = FileServer(server.folder, Elsewhere)
        proxy = f"http://127.0.0.1:{self.elsewhere.port}"
        looks |= {"proxy": {"server": proxy, "bypass": f"localhost:{server.port}"}}
        super().__init__(BrowserPool(profiles.browser), server, **looks)  # type: ignore[arg-type]

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

        (worker,) = (self.server.folder / BELOW).glob("static/*/device_worker.js")
        changed = f"{worker.read_text()}\n{script}"

        def answer(route: Route) -> None:
            route.fulfill(body=changed, content_type="text/javascript")

        self.context.route("**/device_worker.js", answer)

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
        self.elsewhere.stop()
        assert self.elsewhere.asked == [], self.elsewhere.asked
        beside = [line for line in self.server.asked if f" /{BELOW}/" not in line]
        assert beside == [], beside
        assert self.console_errors == []


VisitSite = Callable[..., SiteUser]
