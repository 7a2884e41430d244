"""The page of a study: kept from the analysis board, edited with its secret, read by everybody."""

from __future__ import annotations

import re
from typing import Any

from browser_users import BrowserUser, Visit, violations
from playwright.sync_api import Page, expect

from quinconce import Record

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
BOARDS = [
    {
        "game": "diadema",
        "title": "Au milieu",
        "note": "<b>Avant</b> le premier coup",
        "nodes": [
            {"after": -1, "move": "@A", "mark": "!"},
            {"after": -1, "move": "@B", "note": "ou bien"},
            {"after": 0, "move": "@D"},
        ],
    },
    {"game": "diam", "nodes": [{"after": -1, "move": "r@1"}]},
]


def make_study(somebody: BrowserUser, **content: Any) -> dict[str, Any]:
    answer = somebody.context.request.post("/api/studies", data={"boards": BOARDS, **content})
    made: dict[str, Any] = answer.json()
    return made


def open_study(somebody: BrowserUser, path: str) -> Page:
    page = somebody.go(path)
    expect(page.locator("#moves [data-ply]").first).to_be_visible()
    return page


def save(page: Page) -> None:
    page.click("#save")
    expect(page.locator("#save-state")).to_have_text("Saved.")
    expect(page.locator("#save")).to_be_disabled()


def test_an_analysis_is_kept_edited_shared_and_deleted(visit: Visit) -> None:
    somebody = visit()
    page = somebody.go("/analysis?game=diam&moves=r@1 m@5")
    expect(page.locator("#moves [data-ply]")).to_have_count(2)
    page.click("#keep-study")
    page.wait_for_url("**/study/*")
    expect(page.locator("#moves [data-ply]")).to_have_text(["r@1", "m@5"])
    expect(page.locator("#study-heading")).to_have_text("Study")
    expect(page.locator("#save")).to_be_disabled()

    page.click("[data-go=on]")
    somebody.click("n")
    somebody.click("4")
    expect(page.locator("#moves [aria-current]")).to_have_text("n@4")
    expect(page.locator("#save-state")).to_have_text("Changes are not saved yet.")
    expect(page.locator("#download")).to_be_hidden()
    page.fill("#note", "instead of m@5")
    expect(page.locator("#moves .note-text")).to_have_text("instead of m@5")
    page.get_by_text("Edit the study").click()
    page.fill("#study-title", "Two games")
    expect(page).to_have_title("Two games · Quinconce")
    page.select_option("#game-select", label="Seega")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#whisper")).to_have_text("Board 2 was added.")
    page.fill("#board-title", "Seega, to begin with")
    expect(page.locator("#board-select option")).to_have_text(
        ["1. Diam, the 2003 edition", "2. Seega, to begin with"]
    )
    save(page)

    reader = visit()
    told = open_study(reader, page.url.partition("?")[0])
    expect(told.locator("#study-heading")).to_have_text("Two games")
    expect(told.locator("#moves [data-ply]")).to_have_text(["r@1", "m@5", "n@4"])
    for hidden in ("#save", "#note", "#delete-study", "#copy-edit-link"):
        expect(told.locator(hidden)).to_be_hidden()

    page.click("#delete-board")
    expect(page.locator("#board-select option")).to_have_count(1)
    expect(page.locator("#delete-board")).to_be_disabled()
    save(page)
    page.click("#delete-study")
    page.get_by_role("button", name="No").click()
    page.click("#delete-study")
    page.get_by_role("button", name="Yes").click()
    page.wait_for_url("**/analysis*")
    told.reload()
    expect(told.get_by_role("heading", level=1)).to_be_visible()
    expect(told.locator("#board-select")).to_have_count(0)


JS_KEPT_SECRET = "localStorage.getItem(`study-${location.pathname.split('/')[2]}`)"


def test_the_secret_leaves_the_address_and_is_replaced_by_who_has_it(visit: Visit) -> None:
    owner, guest = visit(), visit()
    made = make_study(owner, title="Ours")
    link = f"/study/{made['id']}#{made['secret']}"
    pages = [open_study(owner, link), open_study(guest, link)]
    for page in pages:
        expect(page.locator("#save")).to_be_visible()
        expect(page).to_have_url(re.compile(f"/study/{made['id']}$"))
        page.reload()
        expect(page.locator("#save")).to_be_visible()
    mine, theirs = pages
    mine.get_by_text("Edit the study").click()
    mine.get_by_role("button", name="Replace the link to edit").click()
    mine.get_by_role("button", name="Yes").click()
    expect(mine.locator("#shared")).not_to_have_text("")
    secret = mine.evaluate(JS_KEPT_SECRET)
    assert secret != made["secret"]
    mine.fill("#study-title", "Mine")
    save(mine)
    theirs.reload()
    expect(theirs.locator("#study-heading")).to_have_text("Mine")
    expect(theirs.locator("#save")).to_be_hidden()
    assert theirs.evaluate(JS_KEPT_SECRET) is None
    open_study(guest, f"/study/{made['id']}#{secret}")
    expect(theirs.locator("#save")).to_be_visible()


def test_of_two_editors_none_undoes_what_the_other_wrote(visit: Visit) -> None:
    one, other = visit(), visit()
    made = make_study(one, title="Ours")
    link = f"/study/{made['id']}#{made['secret']}"
    first, second = open_study(one, link), open_study(other, link)
    for page, mark in ((first, "good move"), (second, "blunder")):
        page.locator("#moves").get_by_role("button", name="@D").click()
        page.get_by_role("button", name=mark, exact=True).click()
        expect(page.locator("#save")).to_be_enabled()
    save(first)
    second.click("#save")
    expect(second.locator("#wrong")).to_contain_text("has been changed elsewhere")
    expect(second.locator("#moves [aria-current]")).to_contain_text("??")
    second.click("#keep-copy")
    second.wait_for_url(lambda url: made["id"] not in url)
    expect(second.locator("#moves [data-ply]").last).to_have_text("@D??")
    expect(second.locator("#study-heading")).to_have_text("Ours")
    first.reload()
    expect(first.locator("#moves [data-ply]").last).to_have_text("@D!")


def test_a_study_is_read_on_a_phone_in_french_and_by_keyboard(visit: Visit) -> None:
    reader = visit(locale="fr-FR", **PHONE)
    made = make_study(reader, title="Étude")
    page = open_study(reader, f"/study/{made['id']}")
    expect(page.locator("#board-select option")).to_have_text(
        ["1. Au milieu", "2. Diam, l’édition 2003"]
    )
    expect(page.locator("#moves .note-text").first).to_have_text("<b>Avant</b> le premier coup")
    expect(page.locator("#note")).to_be_hidden()
    expect(page.get_by_text("Vous pouvez essayer des coups")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#moves [aria-current]")).to_have_text("@A!")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#moves [aria-current]")).to_have_text("@B")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == []

    page.locator("#board-select").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#moves [data-ply]")).to_have_text(["r@1"])
    expect(page).to_have_url(re.compile(r"\?board=2$"))
    page.reload()
    expect(page.locator("#moves [data-ply]")).to_have_text(["r@1"])
    with page.expect_download() as download:
        page.click("#download")
    record = Record.read(download.value.path().read_text(encoding="utf-8"))
    assert (record.game.name, record.moves, record.tags) == ("diam", ("r@1",), {"Event": "Étude"})

    page.goto(f"/study/{made['id']}#{'x' * 22}")
    expect(page.locator("#wrong")).to_contain_text("ne permet pas de modifier")
    expect(page.locator("#moves [data-ply]")).to_have_count(3)
    page.goto(f"/study/{made['id']}#{made['secret']}")
    expect(page.locator("#save")).to_be_visible()
    page.get_by_text("Modifier l’étude").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == []
