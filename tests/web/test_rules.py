"""The rules on pages: in short at a glance, examples to step through, beside a board, on paper."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from browser_users import HERE, ME, BrowserUser, LiveServer, Visit, long, violations
from playwright.sync_api import Locator, Response, expect

import quinconce
from quinconce.core.registry import game_class

EDITIONS = [
    f"{name}?{urlencode(edition.options)}"
    for name in quinconce.names()
    for edition in game_class(name).editions
]
LANGUAGES = ["fr-FR", *long(["en-GB"])]  # French needs more room
JS_SHORT_HEIGHT = """() => {
    const top = document.querySelector("#rules").getBoundingClientRect().top;
    return document.querySelector("#details > summary").getBoundingClientRect().bottom - top;
}"""


def open_details(visitor: BrowserUser, path: str) -> None:
    visitor.go(f"{path}#details")
    expect(visitor.page.locator("#details")).to_have_attribute("open", "")


def example(visitor: BrowserUser, text: str) -> Locator:
    """The example of the details in which a move stands."""
    return visitor.page.locator("#details .example", has_text=text).first


def place(box: Locator, name: str) -> Locator:
    return box.locator(f'[data-place="{name}"] > .hit')


@pytest.mark.parametrize("locale", LANGUAGES)
def test_the_short_rules_fit_a_window_and_three_screens_of_a_phone(
    locale: str, visit: Visit
) -> None:
    visitor = visit(locale=locale)
    for edition in EDITIONS:
        page = visitor.go(f"/game/{edition}")
        expect(page.locator(".short-rules game-board svg")).to_have_count(3)
        page.set_viewport_size({"width": 1440, "height": 900})
        assert page.evaluate(JS_SHORT_HEIGHT) <= 900, edition
        page.set_viewport_size({"width": 360, "height": 640})
        assert page.evaluate(JS_SHORT_HEIGHT) <= 3 * 640, edition


def test_an_example_is_stepped_through_and_played_on(visit: Visit) -> None:
    visitor = visit()
    open_details(visitor, "/game/seega")
    box = example(visitor, "b5xb4")  # Black captures what has walked in between
    on, back = box.locator("[data-step=on]"), box.locator("[data-step=back]")
    box.locator("[data-step=try]").click()
    expect(box.locator("[role=status]")).to_contain_text("White")
    expect(back).to_be_disabled()
    for told in ("to c4", "to b5", "to b1"):
        on.click()
        expect(box.locator("[role=status]")).to_contain_text(told)
    expect(on).to_be_disabled()
    expect(box.locator("figcaption .now")).to_have_count(3)  # what was played, and what holds now
    back.click()
    expect(on).to_be_enabled()
    on.click()
    expect(on).to_be_disabled()
    for name in ("b5", "b4"):
        place(box, name).click()
    expect(box.locator("[role=status]")).to_contain_text("captured")
    expect(on).to_be_disabled()  # the example does not go on from there
    back.click()
    expect(box.locator("figcaption .now")).to_have_count(3)
    ids = visitor.page.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert len(ids) == len(set(ids))


def test_a_move_of_an_example_is_tried_and_the_rules_say_why_not(visit: Visit) -> None:
    visitor = visit(locale="fr-FR", viewport={"width": 360, "height": 640})
    open_details(visitor, "/game/diam")
    box = example(visitor, "2.1-1")
    box.get_by_role("button", name="2.1-1").click()
    status = box.locator("[role=status]")
    expect(status).to_have_class(re.compile("wrong"))
    expect(status).to_contain_text("pile")
    expect(box.locator('[data-place="2.1"] .piece')).to_have_count(1)
    box.get_by_role("button", name="2.1-3").click()
    expect(status).not_to_have_class(re.compile("wrong"))
    expect(box.locator('[data-place="3.2"] .piece')).to_have_count(1)


@pytest.mark.parametrize("game", ["diadema", *long(["buts", "diam", "seega"])])
def test_every_example_can_be_tried(game: str, visit: Visit) -> None:
    visitor = visit(color_scheme="dark" if game == "buts" else "light")
    open_details(visitor, f"/game/{game}")
    boxes = visitor.page.locator(".example")
    n = boxes.count()
    assert n >= 8
    visitor.page.evaluate("document.querySelectorAll('[data-step=try]').forEach((b) => b.click())")
    expect(visitor.page.locator(".example [role=status]:not(:empty)")).to_have_count(n)
    expect(visitor.page.locator(".example [role=status].wrong")).to_have_count(0)
    expect(visitor.page.locator(".example game-board svg[role=group]")).to_have_count(n)
    if game in ("buts", "diadema"):  # one in the dark and one in the light are enough
        assert violations(visitor.page) == []


def test_the_board_of_an_example_is_played_by_keys(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/game/diadema")
    box = page.locator(".short-rules .example").first
    box.locator("[data-step=first]").focus()
    page.keyboard.press("Enter")
    expect(box.locator("[role=status]")).to_contain_text("Place a ball")
    box.locator("[data-step=try]").focus()
    page.keyboard.press("Enter")
    expect(box.locator("game-board [data-place]:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(box.locator("[role=status]")).to_contain_text("placed")


# Beside a board.


def open_panel(visitor: BrowserUser) -> Locator:
    expect(visitor.page.locator("#rules-button")).to_be_visible()
    visitor.page.keyboard.press("?")
    panel = visitor.page.get_by_role("dialog")
    expect(panel.locator("h3")).to_have_count(4)
    return panel


@pytest.mark.parametrize("game", ["diam", *long(["buts"])])
def test_the_rules_stand_beside_the_board_during_a_game(game: str, visit: Visit) -> None:
    visitor = visit(viewport={"width": 1440, "height": 900})
    edition: dict[str, Any] = {"options": {"edition": "1997"}} if game == "diam" else {}
    visitor.make(game, [ME, HERE], **edition)
    visitor.expect_my_turn()
    panel = open_panel(visitor)
    expect(panel).to_be_focused()
    if game == "diam":
        expect(panel).to_contain_text("red and yellow")
    board, beside = visitor.page.locator("game-board svg").bounding_box(), panel.bounding_box()
    assert board
    assert beside
    assert beside["x"] >= board["x"] + board["width"]
    assert beside["y"] + beside["height"] <= 900
    legal = visitor.first_legal_move()
    visitor.play(legal)  # the game goes on while they are read
    expect(panel).to_be_visible()
    assert violations(visitor.page) == []
    visitor.page.keyboard.press("?")
    expect(panel).to_be_hidden()
    expect(visitor.page.locator("#rules-button")).to_be_focused()
    visitor.page.keyboard.press("Enter")
    expect(panel).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_on_a_phone_the_rules_are_a_sheet_over_the_page(visit: Visit) -> None:
    visitor = visit(viewport={"width": 360, "height": 640}, locale="fr-FR", color_scheme="dark")
    visitor.make("seega", [ME, HERE])
    page = visitor.page
    page.locator("#rules-button").click()
    panel = page.get_by_role("dialog", name="Les règles en bref")
    expect(panel.locator("h3")).to_have_count(4)
    box = panel.bounding_box()
    assert box
    assert box["width"] == 360
    assert abs(box["y"] + box["height"] - 640) <= 1
    assert page.evaluate("document.querySelector('#rules-panel').matches(':modal')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(visitor.page) == []
    page.get_by_role("button", name="Fermer").click()
    expect(panel).to_be_hidden()
    expect(page.locator("#rules-button")).to_be_focused()


def test_a_question_mark_that_is_typed_opens_nothing(visit: Visit) -> None:
    visitor = visit()
    visitor.make("diadema", [ME, HERE])
    visitor.page.focus("#typed-move")
    visitor.page.keyboard.press("?")
    expect(visitor.page.locator("#typed-move")).to_have_value("?")
    expect(visitor.page.locator("#rules-panel")).to_be_hidden()


def test_the_rules_that_cannot_be_read_are_tried_again(visit: Visit) -> None:
    visitor = visit()
    visitor.make("diadema", [ME, HERE])
    page = visitor.page
    page.route("**/rules/*/short*", lambda route: route.abort())
    page.keyboard.press("?")
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text("does not answer")
    page.unroute("**/rules/*/short*")
    page.keyboard.press("?")
    open_panel(visitor)
    visitor.console_errors.clear()  # the browser tells of the request that was stopped


# On paper.


@pytest.mark.parametrize("locale", LANGUAGES)
def test_the_rules_of_an_edition_are_one_sheet_of_paper(
    locale: str, visit: Visit, server: LiveServer
) -> None:
    visitor = visit(locale=locale)
    loaded: list[str] = []

    def note(response: Response) -> None:
        loaded.append(response.url)

    visitor.page.on("response", note)
    for edition in EDITIONS:
        page = visitor.go(f"/rules/{edition}")
        expect(page.locator(".short-rules .picture")).to_have_count(3)
        paper = page.pdf(format="A4", prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1, edition
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert violations(visitor.page) == []
    assert all(url.startswith(server.url) for url in loaded)


def test_the_page_of_a_game_leads_to_its_sheet_and_to_the_other_edition(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/game/diam?edition=1997#rules")
    expect(page.locator(".rules-head")).to_contain_text("the 1997 rules")
    page.get_by_role("link", name="Learn it on the board").click()
    expect(page).to_have_url(re.compile(r"/learn/diam"))
    page.go_back()
    page.get_by_role("link", name="Print on one sheet").click()
    expect(page.locator("h1")).to_have_text("Diam, 1997 rules")
    page.get_by_role("link", name="2003 edition").click()
    expect(page.locator("h1")).to_have_text("Diam, the 2003 edition")
    for path in ("/rules/chess", "/rules/chess/short"):
        answer = page.goto(path)
        assert answer
        assert answer.status == 404
