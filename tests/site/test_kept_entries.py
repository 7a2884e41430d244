"""What a browser keeps for the folder: garbage in it, no room, nothing at all, several tabs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from site_users import JS_WITHOUT_SHARED_WORKERS, VisitSite

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
# As browsers refuse it where a reader has forbidden sites to keep anything.
JS_KEEP_NOTHING = """{
    const refuse = () => { throw new DOMException("not here", "SecurityError"); };
    for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {get: refuse});
    IDBFactory.prototype.databases = refuse;
}"""
JS_WORKER_KEEPS_NOTHING = """
    IDBFactory.prototype.open = () => { throw new DOMException("not here", "SecurityError"); };
"""
# A worker with a disk that is full, or not, as pages say.
JS_WORKER_WITH_A_DISK = """{
    const {put} = IDBObjectStore.prototype;
    const full = function () { this.transaction.abort(); return {}; };
    new BroadcastChannel("disk").onmessage = ({data}) => {
        IDBObjectStore.prototype.put = data === "full" ? full : put;
    };
}"""
JS_TELL_DISK = "(state) => new BroadcastChannel('disk').postMessage(state)"
JS_WRITE_LATER_VERSION = """() => new Promise((resolve) => {
    const request = indexedDB.open("quinconce", 2);
    request.onupgradeneeded = () => request.result.createObjectStore("other");
    request.onsuccess = () => { request.result.close(); resolve(); };
})"""
JS_FIND_STORES = """() => new Promise((resolve) => {
    const request = indexedDB.open("quinconce");
    request.onsuccess = () => {
        resolve([...request.result.objectStoreNames]);
        request.result.close();
    };
})"""

# The last two events of a match cannot be read any more, and all workers are told to look.
JS_BREAK_EVENTS = """() => new Promise((resolve) => {
    const request = indexedDB.open("quinconce", 1);
    request.onsuccess = () => {
        const transaction = request.result.transaction("entries", "readwrite");
        const entries = transaction.objectStore("entries");
        entries.getAllKeys(IDBKeyRange.bound(["event"], ["event", []])).onsuccess = ({target}) => {
            const number = ([, key]) => Number(key.split("/")[1]);
            const keys = target.result.sort((a, b) => number(a) - number(b)).slice(-2);
            for (const key of keys) entries.put(new Uint8Array([255, 0]), key);
        };
        transaction.oncomplete = () => {
            request.result.close();
            new BroadcastChannel("quinconce").postMessage("written");
            resolve();
        };
    };
})"""
JS_FIND_ASIDE = """() => new Promise((resolve) => {
    const request = indexedDB.open("quinconce", 1);
    request.onsuccess = () => {
        const entries = request.result.transaction("entries").objectStore("entries");
        entries.getAll(IDBKeyRange.bound(["aside"], ["aside", []])).onsuccess = ({target}) => {
            resolve(target.result.map((value) => [...value]));
            request.result.close();
        };
    };
})"""
# What a store says and holds after each write, told by its module itself.
JS_TRY_STORES = """async () => {
    const [{src}] = document.querySelectorAll('script[src*="/static/"]');
    const {DeviceStore, WindowStore} = await import(new URL("device_store.js", src).href);
    const bytes = (text) => new TextEncoder().encode(text);
    const writes = [
        [[["study", "a", bytes("1")], ["study", "b", bytes("2")]], [["study", "a", null]]],
        [[["study", "a", bytes("3")], ["study", "c", bytes("4")]], [["study", "a", null]]],
        [[["study", "a", bytes("5")]], [["study", "a", bytes("1")], ["study", "b", bytes("x")]]],
        [[["study", "a", bytes("6")], ["study", "b", undefined]], [["study", "b", bytes("2")]]],
        [[["study", "b", null]], []],
        [[["study", "d", bytes("7")]], [["study", "b", undefined], ["study", "b", bytes("2")]]],
    ];
    const told = [];
    for (const make of [
        (onWritten) => new DeviceStore({onWritten, onCleared: () => {}}),
        (onWritten) => new WindowStore("", onWritten),
    ]) {
        let written = 0;
        const store = make(() => written++);
        const answers = [];
        for (const [entries, known] of writes) answers.push(await store.put(entries, known));
        const text = (value) => new TextDecoder().decode(value);
        const held = (await store.load()).map(([kind, key, value]) => [kind, key, text(value)]);
        told.push([answers, held, written]);
    }
    return told;
}"""


def test_both_stores_write_all_or_nothing_and_only_over_what_is_known(
    visit_site: VisitSite,
) -> None:
    somebody = visit_site()
    somebody.open("/known")  # a page that asks nothing of a worker
    answers = [True, False, False, True, True, False]
    assert somebody.page.evaluate(JS_TRY_STORES) == [
        [answers, [["study", "a", "6"]], 3],
        [answers, [["study", "a", "6"]], 3],
    ]


def test_events_that_cannot_be_read_are_put_aside_when_somebody_plays_on(
    visit_site: VisitSite,
) -> None:
    somebody = visit_site()
    page = somebody.page
    somebody.start_match("diadema", 1)
    somebody.expect_my_turn()
    played = somebody.moves
    somebody.touch(somebody.first_legal_move())
    expect(page.locator("#moves [data-ply]").nth(len(played) + 1)).to_be_visible()
    page.evaluate(JS_BREAK_EVENTS)
    page.reload()
    somebody.expect_my_turn()
    assert somebody.moves == played
    assert page.evaluate(JS_FIND_ASIDE) == []
    somebody.touch(somebody.first_legal_move())
    expect(page.locator("#moves [data-ply]").nth(len(played) + 1)).to_be_visible()
    assert page.evaluate(JS_FIND_ASIDE) == [[255, 0]] * 2


@pytest.mark.long
def test_a_page_says_so_beside_the_move_when_a_newer_version_is_open(
    visit_site: VisitSite,
) -> None:
    somebody = visit_site()
    page = somebody.page
    somebody.start_match("diadema", 1)
    somebody.expect_my_turn()
    played = somebody.moves
    page.evaluate(JS_WRITE_LATER_VERSION)
    somebody.touch(somebody.first_legal_move())
    expect(page.locator("#banner .why")).to_contain_text("newer Quinconce is open")
    assert somebody.moves == played
    # What could not be written was told to the console too.
    assert all("cannot be" in line for line in somebody.console_errors)
    somebody.console_errors.clear()


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


@pytest.mark.long
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


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_browser_that_keeps_nothing_remembers_games_for_a_window(
    language: str, visit_site: VisitSite
) -> None:
    somebody = visit_site(language=language)
    page = somebody.page
    somebody.context.add_init_script(JS_KEEP_NOTHING)
    somebody.change_worker(JS_WORKER_KEEPS_NOTHING)
    somebody.start_match("diadema", 1)
    said = page.locator(".device-complaint")
    expect(said).to_contain_text({"en": "keeps nothing", "fr": "ne garde rien"}[language])
    somebody.expect_my_turn()
    played = somebody.moves
    somebody.touch(somebody.first_legal_move())
    expect(page.locator("#moves [data-ply]").nth(len(played) + 1)).to_be_visible()
    played = somebody.moves
    page.reload()
    somebody.expect_my_turn()
    assert somebody.moves == played
    somebody.open("/")
    expect(page.locator(".own li")).to_have_count(1)
    with page.expect_download():
        page.click("#export")


@pytest.mark.long
def test_a_full_device_says_so_beside_the_move_and_takes_it_when_there_is_room(
    visit_site: VisitSite,
) -> None:
    somebody = visit_site()
    page = somebody.page
    somebody.change_worker(JS_WORKER_WITH_A_DISK)
    somebody.start_match("diadema", 1)
    somebody.expect_my_turn()
    played = somebody.moves
    page.evaluate(JS_TELL_DISK, "full")
    somebody.touch(move := somebody.first_legal_move())
    expect(page.locator("#banner .why")).to_contain_text("make room on it")
    assert somebody.moves == played
    page.evaluate(JS_TELL_DISK, "room")
    page.locator("#banner button").first.click()
    expect(page.locator("#moves [data-ply]").nth(len(played))).to_have_text(move)
    expect(page.locator("#banner")).to_be_hidden()
    # What could not be written was told to the console too.
    assert all("cannot be written" in line for line in somebody.console_errors)
    somebody.console_errors.clear()


@pytest.mark.long
def test_what_a_later_version_has_kept_stays_as_it_is(visit_site: VisitSite) -> None:
    somebody = visit_site()
    page = somebody.page
    somebody.open("/known")
    page.evaluate(JS_WRITE_LATER_VERSION)
    somebody.start_match("diadema", 1)
    expect(page.locator(".device-complaint")).to_contain_text("A newer Quinconce")
    somebody.expect_my_turn()
    assert page.evaluate(JS_FIND_STORES) == ["other"]


@pytest.mark.long
def test_what_is_taken_in_joins_what_is_there(visit_site: VisitSite, tmp_path: Path) -> None:
    somebody, other = visit_site(), visit_site()
    for visitor, lessons in ((somebody, ["place", "jump"]), (other, ["place", "win"])):
        visitor.open("/")
        kept = {"diadema": lessons}
        visitor.page.evaluate("kept => localStorage.setItem('lessons', kept)", json.dumps(kept))
        visitor.page.reload()
        expect(visitor.page.locator("#keep-here")).to_be_visible()
    with somebody.page.expect_download() as saved:
        somebody.page.click("#export")
    saved.value.save_as(tmp_path / "all.json")
    other.page.set_input_files("#import", tmp_path / "all.json")
    expect(other.page.locator("#device-said")).to_have_text("The file was taken in.")
    joined = json.loads(other.page.evaluate("localStorage.getItem('lessons')"))
    assert sorted(joined["diadema"]) == ["jump", "place", "win"]
    (tmp_path / "other.json").write_text("Dear all")
    other.page.set_input_files("#import", tmp_path / "other.json")
    expect(other.page.locator("#device-said")).to_have_text(
        "This is not a file that Quinconce has saved."
    )
