"""Takes the screenshots of the README: a match on a real page, light and dark, and on a phone.

    python tools/screenshots.py docs/pictures

It starts a server on a temporary database and plays the moves below through the API; Chromium
then opens the page of one of the two players. For the phone it writes a folder for a web space,
and plays some moves against the engine without any server.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import APIRequestContext, Browser, ViewportSize, sync_playwright

sys.path.append(str(Path(__file__).parents[1]))
from benchmarks.site_page import served

GAME = "diam"
MOVES = "r@1 m@1 o@3 n@3 r@3 m@5 o@6 n@6 r@6 m@7 r@7 n@2 3.1-4 n@8"
NAMES = ("Ada", "Noor")
WINDOW = ViewportSize(width=1120, height=760)
PHONE = ViewportSize(width=360, height=740)
PHONE_GAME, PHONE_MOVES = "diadema", 2  # moves of a person, and as many of the engine
PATIENCE = 120_000  # milliseconds
PLAY_A_MOVE = """() => {
    const board = document.querySelector("game-board");
    const move = board?.partialMove?.legal.at(-1)?.move;
    if (move) board.dispatchEvent(new CustomEvent("play", { detail: move }));
    return Boolean(move);
}"""
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@contextmanager
def run_server(folder: Path) -> Iterator[str]:
    """A server of its own, gone afterwards; the address where it listens."""
    environ = os.environ | {"QUINCONCE_LANG": "en", "XDG_DATA_HOME": str(folder)}
    command = [sys.executable, "-m", "quinconce", "serve", "--port", "0"]
    database = f"sqlite:///{folder / 'matches.sqlite'}"
    with subprocess.Popen(  # noqa: S603 (our own program)
        [*command, "--database", database],
        stdout=subprocess.PIPE,
        env=environ,
        encoding="utf-8",
    ) as process:
        try:
            assert process.stdout
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, "the server did not start"
            yield found[0]
        finally:
            process.terminate()


def play_match(server: APIRequestContext) -> str:
    """Make a match and play the moves; the link of the seat to move."""
    seats = [{"kind": "friend", "name": name} for name in NAMES]
    setup = {"game": GAME, "seats": seats, "order": "given"}
    made = server.post("/api/matches", data=setup).json()
    links = [str(seat["link"]) for seat in made["seats"]]
    moves = MOVES.split()
    for number, move in enumerate(moves):
        secret = links[number % 2].partition("#")[2]
        answer = server.post(
            f"/api/matches/{made['id']}/moves",
            data={"seq": number, "move": move},
            headers={"Authorization": f"Bearer {secret}"},
        )
        assert answer.ok, answer.text()
    return links[len(moves) % 2]


def take_screenshot(browser: Browser, link: str, scheme: Scheme, file: Path) -> None:
    """Open the page of a match as one player sees it, and save what the window shows."""
    context = browser.new_context(
        viewport=WINDOW, color_scheme=scheme, locale="en-GB", reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(link)
    page.locator("#status.mine").wait_for()
    page.screenshot(path=file)
    context.close()


def write_site(folder: Path) -> Path:
    """The folder for a web space."""
    command = [sys.executable, "-m", "quinconce", "site", str(folder / "site")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 (our own program)
    return folder / "site"


def take_phone_screenshot(browser: Browser, url: str, scheme: Scheme, path: Path) -> None:
    """Play some moves in the folder as on a phone; save what is seen."""
    context = browser.new_context(
        viewport=PHONE,
        device_scale_factor=1.5,
        color_scheme=scheme,
        locale="en-GB",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{url}en/index.html")
    page.select_option("#level", "1")
    page.locator(f"a[data-game={PHONE_GAME}]:visible").click()
    moves = page.locator("#moves [data-ply]")
    for _ in range(PHONE_MOVES):
        page.locator("#status.mine").wait_for()
        n = moves.count()
        page.wait_for_function(PLAY_A_MOVE)
        moves.nth(n + 1).wait_for(state="attached")
    page.locator("#status.mine").wait_for()
    page.screenshot(path=path)
    context.close()


def find_chromium() -> str | None:
    """The browser of the machine; None lets Playwright take its own."""
    names = ("chromium", "google-chrome", "chromium-headless-shell")
    return next(filter(None, map(shutil.which, names)), None)


def main() -> None:
    """Write the pictures into a folder: match and phone, each light and dark."""
    target = Path(sys.argv[1])
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(Path(folder)) as url,
        sync_playwright() as playwright,
    ):
        link = play_match(playwright.request.new_context(base_url=url))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for scheme in SCHEMES:
            take_screenshot(browser, link, scheme, target / f"match-{scheme}.png")
        with served(write_site(Path(folder))) as site:
            for scheme in SCHEMES:
                take_phone_screenshot(browser, site, scheme, target / f"phone-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main()
