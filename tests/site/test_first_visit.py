"""The first visit: little is loaded, boards are there before Python is, languages, odd browsers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser_users import BrowserPool
from playwright.sync_api import Route, expect
from site_users import BELOW, FileServer, SiteUser, VisitSite
from waiting import until

from quinconce.core.registry import game
from quinconce.puzzles.puzzle import puzzles_for

pytestmark = [pytest.mark.slow, pytest.mark.process]
MOST_BYTES = 300_000
JS_LOADED_BYTES = """() => [...performance.getEntriesByType("resource"),
    ...performance.getEntriesByType("navigation")]
    .reduce((sum, entry) => sum + entry.transferSize, 0)"""


def python_is_loaded(somebody: SiteUser) -> bool:
    return any("/python/" in line for line in somebody.server.asked)


def test_boards_can_be_touched_before_python_is_there(visit_site: VisitSite) -> None:
    somebody = visit_site()
    page = somebody.page
    somebody.open("/")
    expect(page.locator("#keep-here")).to_contain_text("MB")
    page.wait_for_load_state("networkidle")
    assert 50_000 < page.evaluate(JS_LOADED_BYTES) < MOST_BYTES
    somebody.open("/analysis")
    assert somebody.first_legal_move()
    somebody.open("/puzzles/diadema")
    assert somebody.touches(puzzles_for(game("diadema"))[0].line[0])
    somebody.open("/learn/seega/slide")
    assert somebody.first_legal_move()
    held: list[Route] = []
    # As on a slow line: the page is there, its modules are not.
    page.route("**/page.js", lambda route: held.append(route))
    page.click("#pages [lang=fr]")
    expect(page).to_have_url(re.compile(r"/fr/learn/seega/slide\.html$"))
    assert not python_is_loaded(somebody)
    page.locator("game-board").click()
    until(lambda: python_is_loaded(somebody))
    held[0].continue_()
    expect(page.locator(".device-progress")).to_have_count(0)


def test_what_a_shared_worker_asks_elsewhere_is_noticed(
    profiles: BrowserPool, tmp_path: Path
) -> None:
    folder = tmp_path / BELOW
    folder.mkdir(parents=True)
    (folder / "page.html").write_text("<script>new SharedWorker('worker.js')</script>")
    (folder / "worker.js").write_text("fetch('http://elsewhere.invalid/').catch(() => {})")
    server = FileServer(tmp_path)
    somebody = SiteUser(profiles, server)
    somebody.go("page.html")
    until(lambda: somebody.elsewhere.asked)
    with pytest.raises(AssertionError, match=r"elsewhere\.invalid"):
        somebody.leave()
    server.stop()


def test_the_front_page_leads_to_the_language_of_the_browser(
    visit_site: VisitSite, file_server: FileServer
) -> None:
    somebody = visit_site(language="fr")
    somebody.go("")
    expect(somebody.page).to_have_url(f"{file_server.url}fr/index.html")
    expect(somebody.page.locator("h1")).to_have_text("Choisissez un plateau")


def test_a_page_that_nobody_knows_says_so(visit_site: VisitSite) -> None:
    somebody = visit_site()
    somebody.go("en/page.html?at=/match/nothing")
    expect(somebody.page.locator("h1")).to_have_text("Nothing here")
    somebody.go("en/page.html?at=%00https://elsewhere.invalid/")
    expect(somebody.page.locator("h1")).to_have_text("Choose a board")  # only the path counts
