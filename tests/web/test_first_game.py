"""Your first game in a browser: how it starts, a remark, its switch, and the end."""

from __future__ import annotations

from typing import Any

import pytest
from browser_users import BrowserUser, LiveServer, StartServer, Visit, violations
from playwright.sync_api import expect

from quinconce.server.engines.jobs import EngineQuestion
from quinconce.study.lesson_files import lessons_of

OWN, REPLIES = ["@G", "@F", "@5", "@4"], ["@A", "@1", "@2", "@C"]  # of Diädema


def play_line(question: EngineQuestion) -> str:
    """The engine that makes a line, and wins with it."""
    return REPLIES[len(question.match.moves) // 2]


@pytest.fixture
def line_server(start_server: StartServer) -> LiveServer:
    return start_server(chooser=play_line)


def start_first_game(somebody: BrowserUser, path: str) -> None:
    page = somebody.go(path)
    page.click("[data-first-game]:visible")
    page.wait_for_url("**/match/*")
    expect(page.locator("#seats li").first).to_be_visible()
    somebody.expect_my_turn()


def play_until_threat(somebody: BrowserUser) -> None:
    for number, move in enumerate(OWN[:3], 1):
        somebody.play(move)
        expect(somebody.page.locator("#moves [data-ply]")).to_have_count(2 * number)
        somebody.expect_my_turn()


def test_a_first_game_has_remarks_that_can_be_turned_off(
    line_server: LiveServer, visit: Visit
) -> None:
    somebody = visit(line_server)
    page = somebody.page
    start_first_game(somebody, "/learn/diadema")
    switch, remark = page.locator("[data-act=remarks]"), page.locator("#remark")
    expect(switch).to_have_attribute("aria-pressed", "true")
    play_until_threat(somebody)
    expect(remark).to_have_text("Your opponent threatens to win at C.")
    assert violations(page) == []
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(remark).to_have_text("")
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(remark).to_have_text("")
    switch.press("Enter")
    expect(remark).to_have_text("Your opponent threatens to win at C.")
    page.click("[data-go=back]")
    expect(remark).to_have_text("")  # it is not about an earlier position
    page.click("[data-go=last]")
    expect(remark).to_have_text("Your opponent threatens to win at C.")
    somebody.play(OWN[3])
    expect(remark).to_contain_text("the game was lost: from there the other side could always win")
    assert violations(page) == []
    page.click("[data-act=review]")
    expect(page.locator("#review")).to_be_visible()
    expect(remark).to_have_text("")  # the review says it in its own way


@pytest.mark.long
def test_a_first_game_in_french_on_a_phone_from_the_page_of_the_game(
    line_server: LiveServer, visit: Visit
) -> None:
    somebody = visit(line_server, locale="fr-FR", viewport={"width": 360, "height": 740})
    start_first_game(somebody, "/game/diadema")
    play_until_threat(somebody)
    expect(somebody.page.locator("#remark")).to_have_text("Votre adversaire menace de gagner en C.")
    wide = somebody.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360


def test_the_last_step_of_a_lesson_leads_to_a_first_game(visit: Visit) -> None:
    last = lessons_of("diadema")[0].steps[-1]
    somebody = visit(viewport={"width": 360, "height": 740})
    page = somebody.go(f"/learn/diadema/{last.id}")
    expect(page.locator("game-board [tabindex='0']")).to_have_count(1)
    expect(page.locator("[data-first-game]")).to_be_hidden()
    page.fill("#typed-move", last.answer)
    page.press("#typed-move", "Enter")
    first = page.locator("[data-first-game]")
    expect(first).to_be_visible()
    expect(first).to_be_focused()
    expect(page.locator(".needed .main:visible")).to_have_count(1)
    expect(first).to_have_class("main")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("[data-first-game]").click()
    page.wait_for_url("**/match/*")
    expect(page.locator("[data-act=remarks]")).to_be_visible()


def test_other_matches_have_no_remarks(visit: Visit) -> None:
    somebody = visit()
    others: list[dict[str, Any]] = [
        {"kind": "engine", "level": 2},
        {"kind": "friend"},
        {"kind": "here"},
    ]
    for other in others:
        somebody.make("diadema", [{"kind": "me"}, other])
        expect(somebody.page.locator("[data-act=remarks]")).to_be_hidden()
