"""Makes contact sheets of the pages, to look at all of them at once before a release.

    python tools/contact_sheets.py FOLDER [PAGE …]

One sheet a language and theme: a row a page, at 360, 768 and 1440 pixels. A server of its own is
started and a few matches are played in it, as `screenshots.py` does.
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

from PIL import Image, ImageDraw
from playwright.sync_api import APIRequestContext, Browser, ViewportSize, sync_playwright
from screenshots import SCHEMES, Scheme, find_chromium, play_match, run_server

WINDOWS: Final = ((360, 740), (768, 1024), (1440, 900))
LANGUAGES: Final = ("en", "fr")
HEIGHT: Final = 560  # of every window on a sheet
GAP: Final = 12
REVIEW_PATIENCE: Final = 300  # seconds
SEEGA: Final = "@a1+c4 @b2+e1 @c2+e3 @a3+d1 @a4+d3 @d2+e5 @b3+e4 @a2+d5 @c1+d4 @b1+b4 @c5+e2 @a5+b5"


def match_request(link: str) -> tuple[str, dict[str, str]]:
    """The path of a match in the API and what opens a seat of it, by the link of the seat."""
    address, _hash, secret = link.partition("#")
    return f"/api/matches/{address.rpartition('/')[2]}", {"Authorization": f"Bearer {secret}"}


def resign(server: APIRequestContext, link: str) -> None:
    """End a match."""
    path, headers = match_request(link)
    seq = server.get(path, headers=headers).json()["seq"]
    answer = server.post(f"{path}/resignations", data={"seq": seq}, headers=headers)
    assert answer.ok, answer.text()


def review_match(server: APIRequestContext, link: str) -> None:
    """Have a match reviewed that is over, and wait until it is."""
    path, headers = match_request(link)
    assert server.post(f"{path}/review", data={}, headers=headers).ok
    end = time.monotonic() + REVIEW_PATIENCE
    while server.get(f"{path}/review", headers=headers).json()["state"] == "open":
        assert time.monotonic() < end, "the review takes too long"
        time.sleep(1)


def make_study(server: APIRequestContext) -> str:
    """A study with one board; its address."""
    nodes = [{"after": -1, "move": "r@1"}, {"after": 0, "move": "m@1"}, {"after": 0, "move": "m@5"}]
    board = {"game": "diam", "title": "Two answers", "nodes": nodes}
    made = server.post("/api/studies", data={"title": "Openings", "boards": [board]})
    assert made.ok, made.text()
    return f"/study/{made.json()['id']}"


def page_addresses(visit: Callable[[], APIRequestContext]) -> dict[str, str]:
    """The pages of a sheet, each with the address that shows it; every match has its maker."""
    end, reviewed = play_match(visit()), play_match(visit())
    resign(visit(), end)
    resign(visit(), reviewed)
    review_match(visit(), reviewed)
    return {
        "home": "/",
        "game": "/game/diam?with=friends",
        "match": play_match(visit()),
        "end": end,
        "review": reviewed,
        "lesson": "/learn/seega/capture",
        "puzzle": "/puzzles/diadema",
        "analysis": f"/analysis?game=seega&moves={SEEGA.replace('+', '%2B').replace(' ', '+')}",
        "study": make_study(visit()),
        "rules": "/game/diadema#rules",
    }


def take_row(browser: Browser, address: str, language: str, scheme: Scheme) -> list[Image.Image]:
    """What a page looks like in every window, at one height."""
    found = []
    for width, height in WINDOWS:
        looks: dict[str, Any] = {"color_scheme": scheme, "reduced_motion": "reduce"}
        window = ViewportSize(width=width, height=height)
        context = browser.new_context(viewport=window, locale=language, **looks)
        page = context.new_page()
        page.goto(address)
        page.wait_for_load_state("load")
        page.wait_for_timeout(700)  # a picture for people: nothing is compared with it
        shot = Image.open(io.BytesIO(page.screenshot()))
        found.append(shot.resize((width * HEIGHT // height, HEIGHT)))
        context.close()
    return found


def join_rows(rows: dict[str, list[Image.Image]], dark: bool) -> Image.Image:
    """A sheet of all rows, each with its name."""
    paper, ink = ("#000", "#fff") if dark else ("#888", "#000")
    width = max(sum(shot.width + GAP for shot in row) for row in rows.values()) + GAP
    sheet = Image.new("RGB", (width, len(rows) * (HEIGHT + 2 * GAP) + GAP), paper)
    pen, y = ImageDraw.Draw(sheet), GAP
    for name, row in rows.items():
        pen.text((GAP, y - GAP), name, fill=ink)
        x = GAP
        for shot in row:
            sheet.paste(shot, (x, y))
            x += shot.width + GAP
        y += HEIGHT + 2 * GAP
    return sheet


def main() -> None:
    """Write a sheet for each language and theme into a folder."""
    target, wished = Path(sys.argv[1]), sys.argv[2:]
    target.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(Path(folder)) as url,
        sync_playwright() as playwright,
    ):
        pages = page_addresses(partial(playwright.request.new_context, base_url=url))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for language in LANGUAGES:
            for scheme in SCHEMES:
                rows = {
                    name: take_row(browser, urljoin(url, address), language, scheme)
                    for name, address in pages.items()
                    if name in (wished or pages)
                }
                join_rows(rows, scheme == "dark").save(target / f"pages-{language}-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main()
