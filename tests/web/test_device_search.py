"""The engine in the page: it searches on this device, and the server only finds the words."""

from __future__ import annotations

import random
import re
from dataclasses import asdict
from itertools import count
from typing import Any

import pytest
from browser_users import Visit
from corpus import random_match
from playwright.sync_api import Page, Request, expect
from waiting import until

import quinconce
from quinconce import Game, Match
from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.limits import Limits
from quinconce.engine.page_search import page_search

ON_THIS_DEVICE = "on this device"
TABLE_MEGABYTES = 32  # of the worker's table
GAMES = [
    ("buts", {}),
    ("diadema", {}),
    ("diam", {"edition": "2003", "players": "2"}),
    ("seega", {"size": "5"}),
    ("seega", {"size": "9"}),
]
SEARCH = """async ([files, search, lines, limits]) => {
  const { DeviceSearch } = await import(`${files}/device_search.js`);
  return new Promise((onReport, onFailure) => {
    new DeviceSearch({ onReport, onFailure, onReturn: () => {} }).start(search, lines, limits);
  });
}"""


def unfinished_match(game: Game[Any], plies: int) -> Match[Any]:
    chances = (random.Random(f"device {seed}") for seed in count())
    matches = (random_match(game, chance, plies) for chance in chances)
    return next(match for match in matches if not match.outcome())


def switch_on(page: Page) -> None:
    page.get_by_role("button", name="Engine", exact=True).click()


def state(page: Page) -> Any:
    return page.locator("#engine-state")


def first_rest(page: Page) -> Any:
    """The moves after the first of the best line."""
    return page.locator("#engine-lines li:visible .rest").first


def static_folder(page: Page) -> str:
    script = page.locator("script[src*='analysis.js']").get_attribute("src")
    assert script
    return script.rpartition("/")[0]


def worker_count(page: Page) -> int:
    page.evaluate("0")  # hears what has happened in the browser meanwhile
    return len(page.workers)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_nodes_scores_and_lines_are_those_of_python(
    visit: Visit, name: str, options: dict[str, str]
) -> None:
    page = visit().go("/analysis")
    game = quinconce.game(name, **options)
    for plies, nodes in ((0, 20_000), (9, 5_000), (24, 5_000)):
        match = unfinished_match(game, plies)
        search = AlphaBetaSearch(match, Limits(memory=TABLE_MEGABYTES))
        search.resume(nodes)
        search.deepen_until_done(3)
        given = page_search(match)
        assert given
        wish = [static_folder(page), asdict(given), 3, {"nodes": nodes}]
        found = page.evaluate(SEARCH, wish)
        told = [(line["move"], line["score"]) for line in found["lines"]]
        assert (found["nodes"], found["depth"]) == (search.nodes, search.depth_reached)
        assert told == [(root.text, root.score) for root in search.root_moves[: len(told)]]


def test_the_server_is_asked_for_positions_and_words_alone(visit: Visit) -> None:
    page = visit().page
    asked: list[str] = []
    page.goto("/analysis?game=buts")
    expect(page.locator("game-board svg")).to_be_visible()
    page.on("request", lambda request: asked.append(api_path(request)))
    switch_on(page)
    expect(state(page)).to_contain_text(ON_THIS_DEVICE)
    expect(first_rest(page)).not_to_be_empty()  # the words have come
    page.locator("#engine-lines li").first.get_by_role("button").click()
    expect(page.locator("#moves [data-ply]")).to_have_count(1)
    expect(first_rest(page)).not_to_be_empty()
    assert {path for path in asked if path} == {"/api/analysis/words", "/api/explore"}


def api_path(request: Request) -> str:
    path = "/" + request.url.split("/", 3)[3]
    return path if path.startswith("/api/") else ""


def test_words_of_the_first_lines_are_those_of_the_rules(visit: Visit) -> None:
    page = visit().go("/analysis?game=diadema&moves=@A")
    switch_on(page)
    expect(first_rest(page)).not_to_be_empty()
    row = page.locator("#engine-lines li:visible").first
    expect(row.locator(".score")).to_have_text(re.compile(r"\d+%|[+−=]\d*"))
    moves = f"{row.get_by_role('button').inner_text()} {first_rest(page).inner_text()}".split()
    match = Match(quinconce.game("diadema"))
    for text in ["@A", *moves]:
        match.play(text)
    expect(page.locator("game-board .over-board")).to_have_count(3)
    expect(page.get_by_role("meter", name="Expected score")).to_be_visible()


REPORTS = """() => {
  window.reports = [];
  const { prototype } = Worker, listen = prototype.addEventListener;
  prototype.addEventListener = function (name, heard) {
    listen.call(this, name, (event) => {
      if (event.data?.lines) window.reports.push(event.data);
      heard(event);
    });
  };
}"""


# The last report is of the search that began last, and tells of no other.
ONE_SEARCH_IS_LEFT = """() => {
    const { number, searches } = reports.at(-1);
    return searches === 1 && number === Math.max(...reports.map(({ number }) => number));
}"""


def test_fifty_positions_leave_one_search_and_no_memory(visit: Visit) -> None:
    page = visit().page
    page.add_init_script(f"({REPORTS})()")
    match = random_match(quinconce.game("buts"), random.Random(50), 50)
    assert len(match.moves) == 50
    page.goto(f"/analysis?game=buts&moves={'+'.join(match.moves)}".replace("^", "%5E"))
    expect(page.locator("#moves [data-ply]")).to_have_count(50)
    switch_on(page)
    expect(state(page)).to_contain_text(ON_THIS_DEVICE)
    bytes_used = page.evaluate("reports.at(-1).bytes")
    for _ply in range(50):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#moves [aria-current]")).to_have_count(0)
    expect(state(page)).to_contain_text(ON_THIS_DEVICE)  # of the position on show
    until(lambda: page.evaluate(ONE_SEARCH_IS_LEFT))
    assert page.evaluate("reports.at(-1).bytes") == bytes_used
    assert worker_count(page) == 1
    page.get_by_role("button", name="Engine", exact=True).click()
    until(lambda: worker_count(page) == 0)


def test_it_goes_on_when_the_connection_is_gone_and_words_come_later(visit: Visit) -> None:
    somebody = visit()
    page = somebody.page
    page.add_init_script(f"({REPORTS})()")
    page.goto("/analysis?game=buts")
    switch_on(page)
    expect(first_rest(page)).not_to_be_empty()
    page.route("**/api/analysis/words", lambda route: route.abort())
    depth = page.evaluate("reports.at(-1).depth")
    page.wait_for_function("depth => reports.at(-1).depth > depth", arg=depth)
    expect(page.locator("#engine-lines li:visible")).to_have_count(3)
    expect(state(page)).to_contain_text(ON_THIS_DEVICE)
    page.unroute("**/api/analysis/words")
    with page.expect_response("**/api/analysis/words") as answer:
        pass
    assert answer.value.ok
    somebody.console_errors.clear()  # of the connection that was gone


def test_a_browser_that_cannot_asks_the_server(visit: Visit) -> None:
    page = visit().page
    page.add_init_script("delete globalThis.WebAssembly")
    page.goto("/analysis?game=buts")
    with page.expect_request("**/api/analysis"):
        switch_on(page)
    assert worker_count(page) == 0


def test_a_page_that_is_hidden_for_long_gives_its_memory_back(visit: Visit) -> None:
    page = visit().page
    page.clock.install()
    page.goto("/analysis?game=buts")
    switch_on(page)
    expect(state(page)).to_contain_text(ON_THIS_DEVICE)
    page.evaluate(HIDE, True)
    page.clock.fast_forward(61_000)
    until(lambda: worker_count(page) == 0)
    page.evaluate(HIDE, False)
    until(lambda: worker_count(page) == 1)
    expect(state(page)).to_contain_text(ON_THIS_DEVICE)


def test_a_page_that_is_come_back_to_as_it_was_left_thinks_on(visit: Visit) -> None:
    page = visit().page
    page.goto("/analysis?game=buts")
    switch_on(page)
    expect(state(page)).to_contain_text(ON_THIS_DEVICE)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    until(lambda: worker_count(page) == 0)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    until(lambda: worker_count(page) == 1)
    expect(state(page)).to_contain_text(ON_THIS_DEVICE)
    expect(first_rest(page)).not_to_be_empty()


HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
