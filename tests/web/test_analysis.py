"""The analysis board: lines that branch, notes and marks, and an address that holds it all."""

from __future__ import annotations

import re

from browser_users import FRIEND, ME, BrowserUser, Visit, violations
from playwright.sync_api import Page, expect

ENGINE = {"kind": "engine", "level": 1}
LINE = "/analysis?game=diam&moves=r@1 m@5 o@3"


def open_line(somebody: BrowserUser, address: str = LINE) -> Page:
    page = somebody.go(address)
    expect(page.locator("#moves [aria-current]")).to_be_visible()
    return page


def type_move(page: Page, move: str) -> None:
    page.fill("#typed-move", move)
    page.press("#typed-move", "Enter")
    expect(page.locator("#moves [aria-current]")).to_contain_text(move)


JS_QUERY_IS = """(wanted) => {
    const query = new URLSearchParams(location.search);
    return query.size === wanted.length && wanted.every(([key, value]) => query.get(key) === value);
}"""


def expect_query(page: Page, **wanted: str) -> None:
    """The address follows when the position is on show."""
    page.wait_for_function(JS_QUERY_IS, arg=list(wanted.items()))


# What the tree in the address says, once it has caught up with the page.
JS_TREE_IN_ADDRESS = """async (wanted) => {
    const style = document.querySelector('link[href$="style.css"]').href;
    const {unpackTree} = await import(style.replace("style.css", "tree_link.js"));
    const tree = await unpackTree(location.hash.slice(1));
    return tree !== null && wanted.every((text) => JSON.stringify(tree).includes(text));
}"""


def expect_tree_in_address(page: Page, *texts: str) -> None:
    page.wait_for_function(JS_TREE_IN_ADDRESS, arg=texts)


def test_lines_branch_are_noted_promoted_deleted_and_come_back_by_the_link(visit: Visit) -> None:
    somebody = visit()
    page = open_line(somebody)
    page.click("[data-go=back]")
    expect(page.locator("#moves [aria-current]")).to_have_text("m@5")
    somebody.click("o")
    somebody.click("4")  # another move where o@3 stands: a variation
    expect(page.locator("#moves .variation [aria-current]")).to_have_text("o@4")
    type_move(page, "n@8")
    expect(page.locator("#moves [data-ply]")).to_have_text(["r@1", "m@5", "o@3", "o@4", "n@8"])
    expect(page.locator("#moves .variations")).to_have_attribute("aria-label", "Instead of o@3")
    expect_query(page, game="diam", edition="2003", players="2", moves="r@1 m@5 o@4 n@8")

    page.get_by_role("button", name="dubious move").click()
    page.fill("#note", "Too slow.\nSee the main line.")
    expect(page.locator("#moves .variation .note-text")).to_contain_text("Too slow.")
    expect(page.locator("#moves [aria-current]")).to_have_attribute(
        "aria-label", "Move 2: n@8, dubious move"
    )
    page.click("[data-go=first]")
    page.fill("#note", "<b>From the start</b>")
    expect(page.locator("#moves .note-text").first).to_have_text("<b>From the start</b>")
    assert page.locator("#moves b").count() == 0
    page.locator("#moves").get_by_role("button", name="n@8").click()
    expect_tree_in_address(page, "n@8", "Too slow", "From the start")

    other = visit(locale="fr-FR")
    copy = open_line(other, page.evaluate("location.href"))
    expect(copy.locator("#moves [data-ply]")).to_have_text(["r@1", "m@5", "o@3", "o@4", "n@8?!"])
    expect(copy.locator("#moves [aria-current]")).to_have_text("n@8?!")
    expect(copy.locator("#note")).to_have_value("Too slow.\nSee the main line.")
    expect(copy.locator("#note-label")).to_have_text("Note sur n@8")
    assert violations(copy) == []

    copy.locator("#promote").click()
    expect(copy.locator("#moves [data-ply]")).to_have_text(["r@1", "m@5", "o@4", "o@3", "n@8?!"])
    expect(copy.locator("#moves .variation [data-ply]")).to_have_text("o@3")
    expect(copy.locator("#promote")).to_be_disabled()
    copy.locator("#remove").click()
    expect(copy.locator("#moves [data-ply]")).to_have_text(["r@1", "m@5", "o@4", "o@3"])
    expect(copy.locator("#moves [aria-current]")).to_have_text("o@4")


def test_keys_lead_through_the_tree(visit: Visit) -> None:
    somebody = visit()
    page = open_line(somebody)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#moves [aria-current]")).to_have_text("m@5")
    type_move(page, "o@4")
    type_move(page, "n@8")
    page.locator("#typed-move").blur()
    current = page.locator("#moves [aria-current]")
    for key, move in [
        ("ArrowUp", "o@3"),
        ("ArrowUp", "o@3"),
        ("ArrowDown", "o@4"),
        ("ArrowRight", "n@8"),
        ("ArrowLeft", "o@4"),
        ("ArrowLeft", "m@5"),
        ("End", "o@3"),
        ("ArrowLeft", "m@5"),
    ]:
        page.keyboard.press(key)
        expect(current).to_have_text(move)
        expect(page.locator("#whisper")).to_contain_text(move)
    page.keyboard.press("Home")
    expect(current).to_have_count(0)
    # By Tab one comes to one move of the list, by arrow keys to the others.
    assert page.locator("#moves [tabindex='0']").count() == 1
    page.locator("#moves [tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#moves").get_by_role("button", name="m@5")).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#rules-panel")).to_be_visible()
    expect(page.locator("#rules-panel .rules-content section").first).to_be_visible()


def test_the_address_follows_when_it_is_opened_from_a_match(visit: Visit) -> None:
    somebody = visit()
    somebody.make("diam", [ME, ENGINE])
    somebody.play("r@1")
    somebody.expect_my_turn()
    moves = somebody.moves
    match = somebody.page.url.rpartition("/")[2]
    somebody.open_menu()
    page = somebody.page
    page.click("#analysis")
    expect(page.locator("#moves [data-ply]")).to_have_text(moves)
    expect_query(page, match=match, ply="2")
    page.click("[data-go=back]")
    expect(page.locator("#moves [aria-current]")).to_have_text("r@1")
    expect_query(page, match=match, ply="1")
    reply = next(move for move in ("n@2", "m@2") if move != moves[1])
    type_move(page, reply)
    expect_query(page, match=match, ply="1", moves=reply)
    expect_tree_in_address(page, reply)
    page.reload()
    expect(page.locator("#moves [data-ply]")).to_have_text([*moves, reply])
    expect(page.locator("#moves [aria-current]")).to_have_text(reply)
    expect(page.locator("#banner")).to_be_hidden()  # alone against the engine, help is fair
    page.click("#return")
    expect(page.locator("#moves [data-ply]")).to_have_text(moves)


def test_while_people_play_each_other_the_page_says_why_there_is_no_help(visit: Visit) -> None:
    one, other = visit(), visit()
    other.open_match(one.make("diadema", [ME, FRIEND])[1] or "")
    one.expect_my_turn()
    one.play("@A")
    page = one.page
    one.go(f"/analysis?match={page.url.rpartition('/')[2]}")
    expect(page.locator("#banner")).to_contain_text("between people is still going on")
    expect(page.get_by_role("button", name="Proven results")).to_be_hidden()
    expect(page.get_by_role("button", name="Engine", exact=True)).to_be_hidden()
    page.select_option("#game-select", label="Seega")
    expect(page.locator("#title")).to_have_text("Seega")
    expect(page.locator("#banner")).to_be_hidden()
    expect(page).not_to_have_url(re.compile("match="))


def test_options_are_chosen_and_a_link_that_was_cut_is_explained(visit: Visit) -> None:
    somebody = visit()
    page = somebody.go("/explore?game=seega&size=7#tree=cut")
    expect(page.locator("#wrong")).to_contain_text("cannot be read")
    expect(page).to_have_url(re.compile(r"/analysis\?"))
    expect(page.locator("game-board [data-place=g7]")).to_be_visible()
    page.click("#options summary")
    page.select_option("#option-size", "5")
    expect(page.locator("game-board [data-place=g7]")).to_have_count(0)
    expect(page).to_have_url(re.compile("[?&]size=5(&|$)"))
    page.select_option("#game-select", label="Diam, 1997 rules")
    expect(page.locator("#title")).to_have_text("Diam")
    page.select_option("#option-players", "3")  # which no sheet has
    expect(page.locator("#wrong")).to_contain_text("no rules")
    expect(page.locator("#option-players")).to_have_value("2")
