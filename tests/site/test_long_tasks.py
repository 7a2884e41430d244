"""The page never freezes while Python starts and the engine thinks: both are in a worker."""

from __future__ import annotations

import pytest
from browser_users import BrowserPool
from playwright.sync_api import expect
from site_users import VisitSite

from benchmarks.site_page import TRACED, Task, page_tasks

pytestmark = [pytest.mark.slow, pytest.mark.process]
LEVEL = 5
MOVES = 3
# Work that takes 50 ms on the machine of docs/lab/site.md. The processor time of the page's tasks
# is compared with it, so that it makes no difference how fast or how busy a machine is.
JS_WORK = """() => {
    let x = 1;
    for (let i = 0; i < 3e6; i += 1) x = (x * 1103515245 + 12345) % 2147483648;
    return x;
}"""
VISITS = 3  # at most
MEASURED = 3  # times, of which the middle one counts


def measure_work(profiles: BrowserPool) -> float:
    """The processor time that the work takes in a page, in milliseconds."""
    page = profiles.browser.new_page()
    found = []
    for _ in range(MEASURED):
        profiles.browser.start_tracing(page=page, categories=list(TRACED))
        page.evaluate(JS_WORK)
        found.append(page_tasks(profiles.browser.stop_tracing())[0].processor)
    page.close()
    return sorted(found)[MEASURED // 2]


def longest_task(visit_site: VisitSite, profiles: BrowserPool) -> Task:
    """The longest task of the pages of somebody who plays, reviews and analyses."""
    somebody = visit_site()
    page = somebody.page
    profiles.browser.start_tracing(page=page, categories=list(TRACED))
    somebody.start_match("seega", LEVEL)
    for _ in range(MOVES):
        somebody.expect_my_turn()
        n = len(somebody.moves)
        somebody.touch(somebody.first_legal_move())
        expect(page.locator("#moves [data-ply]").nth(n + 1)).to_be_visible()
    page.click("[data-act=resign]")
    page.click("#sure [value=yes]")
    page.click("[data-act=review]")
    expect(page.locator("#accuracy-line")).to_be_visible()
    somebody.open("/analysis")
    somebody.touch(somebody.first_legal_move())
    expect(page.locator("#moves [data-ply]").first).to_be_visible()
    tasks = page_tasks(profiles.browser.stop_tracing())
    assert len(tasks) > 100
    return tasks[0]


def test_no_task_of_a_page_is_long(visit_site: VisitSite, profiles: BrowserPool) -> None:
    most = measure_work(profiles)
    # What others do on the machine may make a task longer, and never shorter.
    found = (longest_task(visit_site, profiles) for _visit in range(VISITS))
    assert any(task.processor < most for task in found)
