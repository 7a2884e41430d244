"""A folder for a web space in a real page: Python's start, the engine's answers, the longest tasks.

`python -m benchmarks.site_page FOLDER` serves what `quinconce site` wrote, keeps it in a browser as
a visitor would, and prints wall time beside processor time of the browser, which a busy machine
changes less. `page_tasks` serves a test, too.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

STARTS: Final = 5
MOVES: Final = 5  # of each game
LEVEL: Final = 5
PATIENCE: Final = 120_000  # milliseconds
GAMES: Final[Sequence[str]] = ("diam", "diadema", "seega", "buts")
WITHOUT_SHARED_WORKERS: Final = "delete window.SharedWorker"  # each page starts Python anew
START: Final = """async () => {
  const { static: files } = JSON.parse(document.getElementById("site").textContent);
  const { askDevice } = await import(new URL(`../${files}/device.js`, location.href).href);
  const begin = performance.now();
  await (await askDevice("/api/games")).json();
  return performance.now() - begin;
}"""
# When each move came into the list.
WATCH: Final = """() => {
  window.came = [];
  const list = document.querySelector("#moves");
  const count = () => list.querySelectorAll("[data-ply]").length;
  window.came.length = count();
  new MutationObserver(() => {
    while (came.length < count()) came.push(performance.now());
  }).observe(list, { childList: true, subtree: true });
}"""
# The first legal move of the player whose turn it is; a sign when the game is over.
OVER: Final = "over"
FIRST_MOVE: Final = """() => document.querySelector("[data-act=rematch]")?.checkVisibility()
    ? "over"
    : document.querySelector("#status.mine")
    && document.querySelector("game-board")?.partialMove?.legal[0]?.move"""
# Both moves are there, or the game is over.
ANSWERED: Final = """n => came.length >= n
    || document.querySelector("[data-act=rematch]")?.checkVisibility()"""
TRACED: Final = ("toplevel", "blink.user_timing")
TASK: Final = "ThreadControllerImpl::RunTask"


class QuietHandler(SimpleHTTPRequestHandler):
    """A file server that keeps quiet."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder while it is served by Python's file server."""
    handler = partial(QuietHandler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()


class Task(NamedTuple):
    """What a thread of a page did at one go."""

    processor: float  # milliseconds
    wall: float
    at: float  # when it began


def page_tasks(trace: bytes) -> list[Task]:
    """The tasks of the main threads of all pages in a trace, the longest first."""
    events = json.loads(trace)["traceEvents"]
    pages = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    found = [
        Task(event.get("tdur", 0) / 1000, event["dur"] / 1000, event["ts"] / 1000)
        for event in events
        if event.get("name") in (TASK, "RunTask")
        and event.get("ph") == "X"
        and (event["pid"], event["tid"]) in pages
    ]
    return sorted(found, reverse=True)


def tell(line: str) -> None:
    """Write a line of what was measured."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def browser_seconds() -> float:
    """The processor time of this process' children so far, and of theirs."""
    import psutil

    own = psutil.Process(os.getpid()).children(recursive=True)
    times = [each.cpu_times() for each in own if each.is_running()]
    return sum(each.user + each.system for each in times)


def measure_starts(context: Any, url: str) -> None:
    """Python's start in a page, from what is kept on the device."""
    wall, processor = [], []
    for _ in range(STARTS):
        page = context.new_page()
        page.goto(f"{url}en/analysis.html", wait_until="networkidle")
        before = browser_seconds()
        wall.append(page.evaluate(START) / 1000)
        processor.append(browser_seconds() - before)
        page.close()
    tell(f"Python is ready: {median(wall):.2f} s, processor {median(processor):.2f} s")


def measure_moves(page: Any, url: str, game: str) -> None:
    """From a person's move to the engine's."""
    page.goto(f"{url}en/index.html")
    page.select_option("#level", str(LEVEL))
    page.locator(f"a[data-game={game}]:visible").click()
    page.locator("#seats li").first.wait_for()
    page.wait_for_function(FIRST_MOVE)
    page.evaluate(WATCH)
    waits, before = [], browser_seconds()
    for _ in range(MOVES):
        known = page.evaluate("came.length")
        if (move := page.wait_for_function(FIRST_MOVE).json_value()) == OVER:
            break
        page.fill("#typed-move", move)
        page.press("#typed-move", "Enter")
        page.wait_for_function(ANSWERED, arg=known + 2)
        came = page.evaluate("n => came.slice(n)", known)
        if len(came) < 2:
            break
        waits.append(came[1] - came[0])
    used = (browser_seconds() - before) / len(waits)
    tell(
        f"{game}: the engine moves after {median(waits):.0f} ms, at most {max(waits):.0f} ms;"
        f" processor {1000 * used:.0f} ms for both moves with all that is drawn"
    )


def main() -> None:
    """Measure and print."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    browser_path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with served(folder) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        context = browser.new_context(locale="en-GB")
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(f"{url}en/index.html", wait_until="networkidle")
        begin = time.perf_counter()
        page.click("#keep-here")
        page.locator("#keep-said", has_text="without a network").wait_for()
        tell(f"kept on the device in {time.perf_counter() - begin:.1f} s")
        for game in GAMES:
            browser.start_tracing(page=page, categories=list(TRACED))
            measure_moves(page, url, game)
            longest = page_tasks(browser.stop_tracing())[0]
            tell(f"  the longest task of the page: processor {longest.processor:.0f} ms")
        page.close()
        context.add_init_script(WITHOUT_SHARED_WORKERS)
        measure_starts(context, url)
        browser.close()
    tell(f"load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
