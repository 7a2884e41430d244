"""The engine in a real page: its speed beside Python's homes, its first line, what pages cost.

`python -m benchmarks.page_engine speed` searches five positions to a depth natively, by wasmtime
and in Chromium, and prints nodes a second; `first-line` steps through matches on the analysis board
and times the first line of each position; `crowd` records what pages send while they analyse, sends
it as often as there are readers, and prints the server's part of a core.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from benchmarks.own_server import served_host, server_process
from quinconce import Match, game
from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.limits import Limits
from quinconce.engine.page_search import page_search
from quinconce.engine.preparation import prepare

TABLE_MEGABYTES: Final = 32  # of the worker's table
KEPT_SECONDS: Final = 2.0  # that a connection is kept while nothing is sent
ALL_NODES: Final = 10**12  # so that a search ends by its depth alone
# How deep each kind of state is searched from the start of its game.
DEPTHS: Final = {
    ("diadema", ""): 12,
    ("buts", ""): 8,
    ("diam", ""): 10,
    ("seega", "9"): 5,
    ("seega", "5"): 6,
}
GAMES: Final[Sequence[tuple[str, dict[str, str]]]] = (
    ("buts", {}),
    ("diadema", {}),
    ("diam", {}),
    ("diam", {"edition": "1997"}),
    ("seega", {"size": "5"}),
    ("seega", {"size": "9"}),
)
SERVER_SCRIPT: Final = """
import sys
from quinconce.server.serve import run_server
from quinconce.server.settings import ServerLimits, Settings
limits = ServerLimits(writes_per_minute=10**6, moves_per_minute=10**9)
settings = Settings(database=sys.argv[1], limits=limits)
run_server(settings, 0, lambda url, shared: print(url, flush=True))
"""
SEARCH: Final = """async ([files, search, limits]) => {
  const { DeviceSearch } = await import(`${files}/device_search.js`);
  return new Promise((onReport, onFailure) => {
    new DeviceSearch({ onReport, onFailure, onReturn: () => {} }).start(search, 1, limits);
  });
}"""
HAS_LINE: Final = (
    "() => document.querySelector('#engine-lines li:not([hidden]) .score')?.textContent"
)
# The times from a new position, which empties the list of lines, to the first line of it.
WATCH: Final = """() => {
  window.firstLines = [];
  let shown = 0;
  const list = document.querySelector("#engine-lines");
  const hasLine = () => list.querySelector("li:not([hidden]) .score")?.textContent;
  new MutationObserver(() => {
    if (!hasLine()) shown ||= performance.now();
    else if (shown) firstLines.push(performance.now() - shown);
    if (hasLine()) shown = 0;
  }).observe(list, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


class Speed(NamedTuple):
    """A search to a depth: its nodes, the score, and the best of some times."""

    nodes: int
    score: int
    seconds: float


@contextmanager
def browser_page(host: str) -> Iterator[Any]:
    """A page in Chromium, at a server."""
    from playwright.sync_api import sync_playwright

    names = ("chromium-headless-shell", "chromium", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser.new_page(base_url=f"http://{host}", locale="en-GB")
        browser.close()


def matches_to_search() -> Iterator[tuple[str, Match[Any], int]]:
    """The five positions: what they are called, and how deep they are searched."""
    for (name, size), depth in DEPTHS.items():
        rules = game(name, size=size) if size else game(name)
        yield f"{name} {size}".strip(), Match(rules), depth


# Nodes a second.


def search_here(runs: int) -> dict[str, Speed]:
    """The five searches in the home of this process."""
    found: dict[str, Speed] = {}
    for name, match, depth in matches_to_search():
        prepare(match.game)
        for run in range(runs):
            limits = Limits(depth=depth, memory=TABLE_MEGABYTES)
            search = AlphaBetaSearch(match, limits)
            started = time.perf_counter()
            search.deepen_until_done(1)
            seconds = time.perf_counter() - started
            best = min(seconds, found[name].seconds) if run else seconds
            found[name] = Speed(search.nodes, search.root_moves[0].score, best)
    return found


def search_in_home(home: str, runs: int) -> dict[str, Speed]:
    """The five searches in a process with this home."""
    command = [sys.executable, "-m", "benchmarks.page_engine", "here", "--runs", str(runs)]
    done = subprocess.run(  # noqa: S603 (ourselves)
        command, env=os.environ | {"QUINCONCE_HOME": home}, stdout=subprocess.PIPE, check=True
    )
    return {name: Speed(*values) for name, values in json.loads(done.stdout).items()}


def search_in_page(page: Any, runs: int) -> dict[str, Speed]:
    """The five searches in a browser."""
    page.goto("/analysis")
    script = page.locator("script[src*='analysis.js']").get_attribute("src")
    files = script.rpartition("/")[0]
    found: dict[str, Speed] = {}
    for name, match, depth in matches_to_search():
        given = page_search(match)
        assert given
        limits = {"depth": depth, "nodes": ALL_NODES}
        for run in range(runs):
            told = page.evaluate(SEARCH, [files, asdict(given), limits])
            seconds = told["milliseconds"] / 1000
            best = min(seconds, found[name].seconds) if run else seconds
            found[name] = Speed(told["nodes"], told["lines"][0]["score"], best)
    return found


def tell_speeds(runs: int) -> None:
    """Print the three homes side by side; AssertionError if nodes or scores differ."""
    with server_process(SERVER_SCRIPT) as process, browser_page(served_host(process)) as page:
        homes = [search_in_home("native", runs), search_in_home("wasm", runs)]
        homes.append(search_in_page(page, runs))
    sys.stdout.write("position, depth | nodes | native nodes/s | wasmtime | Chromium\n")
    for name, _match, depth in matches_to_search():
        native, *others = (home[name] for home in homes)
        assert all(other[:2] == native[:2] for other in others), (name, native, others)
        shares = " | ".join(f"{native.seconds / other.seconds:.0%}" for other in others)
        speed = native.nodes / native.seconds / 1e6
        sys.stdout.write(f"{name}, {depth} | {native.nodes} | {speed:.2f} M | {shares}\n")


# First lines.


def analysis_address(name: str, options: dict[str, str], plies: int) -> tuple[str, Match[Any]]:
    """The analysis board with some moves of chance, and the match that they make."""
    rules = game(name, **options)
    for seed in range(1000):
        match, chance = Match(rules), random.Random(seed)
        while len(match.moves) < plies and not match.outcome():
            match.play(chance.choice(sorted(match.legal())))
        if not match.outcome():
            moves = " ".join(match.moves)
            return "/analysis?" + urlencode({"game": name, **options, "moves": moves}), match
    raise ValueError(f"no game of {plies} plies")


def tell_first_lines(plies: int) -> None:
    """Print how soon the first line of a position is there, game by game."""
    with server_process(SERVER_SCRIPT) as process, browser_page(served_host(process)) as page:
        for name, options in GAMES:
            address, _match = analysis_address(name, options, plies)
            page.goto(address)
            page.get_by_role("button", name="Engine", exact=True).click()
            page.wait_for_function(HAS_LINE)
            page.evaluate(WATCH)
            for step in range(plies):
                page.keyboard.press("ArrowLeft")
                page.wait_for_function("(n) => firstLines.length > n", arg=step)
            times = sorted(page.evaluate("firstLines"))
            told = f"half within {median(times):.0f} ms, the slowest {times[-1]:.0f} ms"
            sys.stdout.write(f"{name} {options or ''}: {told} (of {len(times)})\n")


# A crowd.


class Sent(NamedTuple):
    """A request of a page: when, and what."""

    seconds: float
    path: str
    body: str


def record_page(
    page: Any, name: str, options: dict[str, str], steps: int, rest: float
) -> list[Sent]:
    """What a page sends whose reader looks at a position for `rest` seconds, then at the next."""
    address, match = analysis_address(name, options, steps)
    page.goto(address.partition("&moves=")[0])
    page.get_by_role("button", name="Engine", exact=True).click()
    page.wait_for_function(HAS_LINE)
    sent: list[Sent] = []
    started = time.perf_counter()

    def note(request: Any) -> None:
        if request.method == "POST":
            path = urlsplit(request.url).path
            sent.append(Sent(time.perf_counter() - started, path, request.post_data or ""))

    page.on("request", note)
    for move in match.moves[:steps]:
        page.fill("#typed-move", move)
        page.press("#typed-move", "Enter")
        page.wait_for_timeout(1000 * rest)
    page.remove_listener("request", note)
    return sent


def send_again(host: str, sent: Sequence[Sent], delay: float) -> None:
    """Send what a page has sent, at the same intervals."""
    connection = HTTPConnection(host)
    started = time.perf_counter() + delay
    for each in sent:
        wait = started + each.seconds - time.perf_counter()
        if wait > KEPT_SECONDS:
            connection.close()
        time.sleep(max(0.0, wait))
        connection.request("POST", each.path, each.body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status == 200, text


def processor_seconds(pid: int) -> float:
    """What a process and all that it has started have used; Linux alone tells."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(path.parent.name) == pid or int(fields[1]) == pid:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def tell_crowd(readers: int, steps: int, rest: float) -> None:
    """Print which part of a core a server needs for readers who analyse in their pages."""
    with server_process(SERVER_SCRIPT) as process:
        host = served_host(process)
        with browser_page(host) as page:
            recorded = [record_page(page, *form, steps, rest) for form in GAMES]
        whole, chance = steps * rest, random.Random(0)
        threads = [
            threading.Thread(
                target=send_again, args=(host, recorded[n % len(recorded)], chance.random() * rest)
            )
            for n in range(readers)
        ]
        before, started = processor_seconds(process.pid), time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        used, spent = processor_seconds(process.pid) - before, time.perf_counter() - started
    count = sum(len(recorded[n % len(recorded)]) for n in range(readers))
    sys.stdout.write(
        f"{readers} readers, {whole:.0f} s each: {count} requests, {used:.2f} s of a processor"
        f" in {spent:.0f} s, {used / spent:.1%} of a core\n"
    )


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("speed", "first-line", "crowd", "here"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--plies", type=int, default=20)
    parser.add_argument("--readers", type=int, default=30)
    parser.add_argument("--steps", type=int, default=6, help="positions that a reader looks at")
    parser.add_argument("--rest", type=float, default=10.0, help="seconds at each")
    options = parser.parse_args()
    if options.what == "here":
        sys.stdout.write(json.dumps(search_here(options.runs)))
    elif options.what == "speed":
        tell_speeds(options.runs)
    elif options.what == "first-line":
        tell_first_lines(options.plies)
    else:
        tell_crowd(options.readers, options.steps, options.rest)


if __name__ == "__main__":
    main()
