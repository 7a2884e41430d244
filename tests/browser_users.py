"""What the tests of the pages share: a server that listens, and people with browsers in it."""

from __future__ import annotations

import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fake_engines
import fake_reviewers
import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)
from waiting import PATIENCE

from quinconce.core.match import MatchData
from quinconce.server.app import application
from quinconce.server.engines.jobs import MoveChooser
from quinconce.server.settings import ServerLimits, Settings

expect.set_options(timeout=PATIENCE * 1000)
ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "artefacts"  # what the pages looked like, for people; no part of the project
# Seats of a match that is made: of this browser, of another player at its screen, of a friend.
ME: dict[str, Any] = {"kind": "me"}
HERE: dict[str, Any] = {"kind": "here"}
FRIEND: dict[str, Any] = {"kind": "friend"}
WINDOW = {"width": 1280, "height": 800}
# Looks that can be given to a page, so that browsers which differ by them alone share their cache.
OF_A_PAGE = ("viewport", "color_scheme", "reduced_motion")
NO_LIMITS = ServerLimits(
    writes_per_minute=1_000_000, matches_per_hour=1_000_000, streams_per_address=1000
)
JS_PLACE_MIDDLE = """(name) => {
    const board = document.querySelector("game-board");
    const place = board.querySelector(`[data-place="${CSS.escape(name)}"]`);
    const mark = place.querySelector(":scope > .dot") ?? place.querySelector(":scope > .hit");
    const {x, y, width, height} = mark.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""
# The arrow keys that lead from the place in focus to another, found by trying all ways.
JS_ARROW_PATH = """async (name) => {
    const arrowKeys = await import(document.querySelector('link[href$="board.css"]').href
        .replace("board.css", "arrow_keys.js"));
    const {centre} = await import(document.querySelector('link[href$="board.css"]').href
        .replace("board.css", "places.js"));
    const board = document.querySelector("game-board");
    const places = board.places();
    const points = places.map(centre);
    const names = places.map((place) => place.dataset.place);
    const ways = new Map([[names.indexOf(board.focused), []]]);
    for (const [here, way] of ways) {
        if (names[here] === name) return way;
        for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
            const others = points.map((p, i) => (i === here ? {x: NaN, y: NaN} : p));
            const next = arrowKeys.nearest(key, points[here], others);
            if (next >= 0 && !ways.has(next)) ways.set(next, [...way, key]);
        }
    }
    return null;
}"""
# The board may be that of the next player when a test looks whether the move has been played.
JS_WATCH_FOR_PLAY = """() => {
    window.hasPlayed = false;
    const board = document.querySelector("game-board");
    board.addEventListener("play", () => (window.hasPlayed = true), {once: true});
}"""
# A browser whose clock was ever taken in hand keeps it for all of its pages.
JS_HAS_FAKE_CLOCK = "!setTimeout.toString().includes('[native code]')"
# `page.clock` has no hand in it: slow answers would be given up while the page's time stands still.
JS_HOLD_PATIENCE = """AbortSignal.timeout = (milliseconds) => {
    const over = new AbortController();
    setTimeout(() => over.abort(new DOMException("too late", "TimeoutError")), milliseconds);
    return over.signal;
}"""
AXE = Axe()
EXPECTED_MESSAGE = re.compile(r"Failed to load resource: .* status of (401|403|404|409|422)")


def long(cases: Iterable[Any]) -> list[Any]:
    """Parameters of a test that shows the same once more: they run in `./test all` alone."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for case in cases
    ]


def violations(page: Page) -> list[str]:
    """What is wrong with a page for people who cannot see it, or not well, by the rules of axe."""
    found = AXE.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


def find_chromium() -> str:
    """The browser of the machine; without windows it takes half the processor time."""
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise RuntimeError("the tests of the pages need a browser: sudo apt-get install chromium")


class LiveServer:
    """A server in a thread of this process, which can be closed and opened again."""

    def __init__(
        self,
        folder: Path,
        chooser: MoveChooser = fake_engines.random_move,
        reviewer: Callable[[MatchData], str] = fake_reviewers.report_first_move_best,
        **changes: Any,
    ) -> None:
        self.folder = folder
        self.chooser = chooser
        self.reviewer = reviewer
        self.changes = changes
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        door = socket.create_server(("127.0.0.1", self.port))
        self.port = door.getsockname()[1]
        settings = Settings(
            database=f"sqlite:///{self.folder / 'matches.sqlite'}", limits=NO_LIMITS, **self.changes
        )
        config = uvicorn.Config(
            application(
                settings,
                self.chooser,
                ThreadPoolExecutor,
                fake_reviewers.in_one_slice(self.reviewer),
            ),
            log_config=None,
            timeout_graceful_shutdown=1,
            lifespan="on",
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, args=([door],))
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the server did not open"
            self.thread.join(0.02)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()


class BrowserPool:
    """Browsers to lend, each to one visitor at a time: those who want the same find it cached."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: dict[str, list[BrowserContext]] = {}

    def acquire(self, looks: dict[str, Any]) -> BrowserContext:
        if free := self.free.get(repr(looks)):
            return free.pop()
        context = self.browser.new_context(**looks)
        context.set_default_timeout(PATIENCE * 1000)
        return context

    def release(self, looks: dict[str, Any], context: BrowserContext) -> None:
        """As new, but for the files it has seen; one with a clock of a test is closed."""
        if any(page.evaluate(JS_HAS_FAKE_CLOCK) for page in context.pages):
            context.close()
            return
        for page in context.pages:
            if page.url.startswith("http"):
                page.evaluate("localStorage.clear()")
            page.close()
        context.clear_cookies()
        self.free.setdefault(repr(looks), []).append(context)


@contextmanager
def open_browsers() -> Iterator[BrowserPool]:
    """Browsers to lend, for as long as a session of tests lasts."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        yield BrowserPool(found)
        found.close()


class BrowserUser:
    """Somebody with a browser of his own."""

    def __init__(self, profiles: BrowserPool, server: LiveServer, **looks: Any) -> None:
        usual = {"viewport": WINDOW, "locale": "en-GB", "reduced_motion": "reduce"}
        own = {name: looks.pop(name) for name in OF_A_PAGE if name in looks}
        self.profiles = profiles
        self.looks = {"base_url": server.url} | usual | looks
        self.context: BrowserContext = profiles.acquire(self.looks)
        self.page: Page = self.context.new_page()
        if viewport := own.pop("viewport", None):
            self.page.set_viewport_size(viewport)
        if own:
            self.page.emulate_media(**own)
        self.console_errors: list[str] = []
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self.console_errors.append(str(error)))

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not EXPECTED_MESSAGE.match(message.text):
            self.console_errors.append(message.text)

    def go(self, path: str) -> Page:
        self.page.goto(path)
        return self.page

    def hold_time(self, at: float = 1) -> None:
        """The page's time stands still, but for `page.clock`; before the first page is opened."""
        self.page.clock.install(time=0)
        self.page.clock.pause_at(at)
        self.page.add_init_script(JS_HOLD_PATIENCE)

    def leave(self) -> None:
        self.profiles.release(self.looks, self.context)
        assert self.console_errors == []

    # Matches.

    def make(self, game: str, seats: Iterable[dict[str, Any]], **setup: Any) -> list[str | None]:
        """A match made by this browser, in the order given; the links of its seats."""
        request = self.context.request  # with the cookies of this browser
        token = request.get("/api/me").json()["csrf"]
        made = request.post(
            "/api/matches",
            data={"game": game, "seats": list(seats), "order": "given", **setup},
            headers={"X-CSRF-Token": token} if token else {},
        ).json()
        self.open_match(f"/match/{made['id']}")
        return [seat["link"] for seat in made["seats"]]

    def open_match(self, link: str) -> None:
        """Open the page of a match."""
        self.go(link)
        expect(self.page.locator("#seats li").first).to_be_visible()

    def open_menu(self) -> None:
        """Open what stands folded beside the board, so that everything can be pressed."""
        for menu in ("#more", "#keep"):
            self.page.click(f"{menu} > summary")

    @property
    def moves(self) -> list[str]:
        return self.page.locator("#moves [data-ply]").all_inner_texts()

    def touches(self, move: str) -> list[str]:
        """The places of a legal move, in the order in which they are touched."""
        # The board may still be that of the move before, or not yet there at all.
        found = self.page.wait_for_function(
            "text => document.querySelector('game-board')?.partialMove?.legal"
            ".find((move) => move.move === text)?.touches.flat()",
            arg=move,
        )
        places: list[str] = found.json_value()
        return places

    def first_legal_move(self) -> str:
        """The first of the legal moves that the board offers."""
        found = self.page.wait_for_function(
            "() => document.querySelector('game-board')?.partialMove?.legal[0]?.move"
        )
        move: str = found.json_value()
        return move

    def expect_my_turn(self) -> None:
        expect(self.page.locator("#status.mine")).to_be_visible()

    def middle(self, place: str) -> tuple[float, float]:
        """Where a place is on the screen."""
        x, y = self.page.evaluate(JS_PLACE_MIDDLE, place)
        return x, y

    def click(self, place: str) -> None:
        self.page.mouse.click(*self.middle(place))

    def drag(self, place: str, to: str) -> None:
        """Drag what stands on a place to another."""
        self.page.mouse.move(*self.middle(place))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(to), steps=5)
        self.page.mouse.up()

    def press_to(self, place: str) -> None:
        """Go to a place with the arrow keys and touch it."""
        way = self.page.evaluate(JS_ARROW_PATH, place)
        assert way is not None, f"no way to {place}"
        for key in way:
            self.page.keyboard.press(key)
        focused = self.page.evaluate("document.activeElement?.dataset?.place")
        assert focused == place
        self.page.keyboard.press("Enter")

    def touch(self, move: str, *, keys: bool = False) -> None:
        """Touch the places of a move until it is played, or press what passes."""
        page = self.page
        if move == "pass":
            passing = page.locator("[data-act=pass]")
            return passing.press("Enter") if keys else passing.click()
        if keys:
            page.locator("game-board [tabindex='0']").focus()
        places = self.touches(move)
        page.evaluate(JS_WATCH_FOR_PLAY)
        for place in places:
            (self.press_to if keys else self.click)(place)
            if page.evaluate("window.hasPlayed"):
                return None
        # A move that is whole, though a longer one begins like it, wants one touch more.
        if page.evaluate("document.querySelector('game-board').partialMove.touched.length"):
            page.evaluate("document.querySelector('game-board').finishMove()")
        return None

    def play(self, move: str, *, keys: bool = False) -> None:
        """Play a move by touching its places; the page passes by itself."""
        if move != "pass":
            self.touches(move)  # what others have played before is on the page by then
        n = len(self.moves)
        self.touch(move, keys=keys)
        expect(self.page.locator("#moves [data-ply]").nth(n)).to_have_text(move)

    def screenshot(self, name: str) -> None:
        PICTURES.mkdir(exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png")


Visit = Callable[..., BrowserUser]
StartServer = Callable[..., LiveServer]
