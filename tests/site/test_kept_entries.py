"""What a browser keeps for the folder: garbage in it, and tabs that do not share a worker."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from site_users import VisitSite

pytestmark = [pytest.mark.slow, pytest.mark.process]
JS_WRITE_GARBAGE = """() => new Promise((resolve) => {
    const request = indexedDB.open("quinconce", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("entries");
    request.onsuccess = () => {
        const transaction = request.result.transaction("entries", "readwrite");
        transaction.objectStore("entries").put(new Uint8Array([255, 0]), ["match", "garbage"]);
        transaction.oncomplete = () => { request.result.close(); resolve(); };
    };
})"""
JS_WITHOUT_SHARED_WORKERS = "delete window.SharedWorker"


def test_garbage_among_what_is_kept_is_told_in_one_sentence_and_left_alone(
    visit_site: VisitSite,
) -> None:
    somebody = visit_site()
    page = somebody.page
    somebody.open("/known")
    page.evaluate(JS_WRITE_GARBAGE)
    somebody.start_match("diadema", 1)
    said = page.locator(".device-complaint")
    expect(said).to_contain_text("1 entry that is kept on this device cannot be read")
    said.locator("button").click()
    expect(said).to_have_count(0)
    somebody.expect_my_turn()
    page.reload()
    somebody.expect_my_turn()
    expect(said).to_have_count(0)  # once a visit


def test_tabs_with_a_worker_each_show_the_same_match(visit_site: VisitSite) -> None:
    somebody = visit_site()
    context: BrowserContext = somebody.context
    context.add_init_script(JS_WITHOUT_SHARED_WORKERS)
    somebody.start_match("diadema", 1)
    somebody.expect_my_turn()
    other: Page = context.new_page()
    other.goto(somebody.page.url)
    expect(other.locator("#seats li").first).to_be_visible()
    moves = len(somebody.moves)
    somebody.touch(somebody.first_legal_move())
    expect(other.locator("#moves [data-ply]").nth(moves + 1)).to_be_visible()
