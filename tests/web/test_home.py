"""The first page and the header: games in their order, Play at once, and a way to every page."""

from __future__ import annotations

import re

import pytest
from browser_users import BrowserUser, Visit, long
from playwright.sync_api import expect

import quinconce
from quinconce.core.registry import game_class, menu_names
from quinconce.server.views.cards import cards
from quinconce.words import LANGUAGES

HEADER = {
    "Play": "/",
    "Learn": "/learn",
    "Puzzles": "/puzzles",
    "Analysis": "/analysis",
    "What is known": "/known",
}
MATCH = re.compile("/match/[A-Za-z0-9]{12}$")
PHONE = {"width": 320, "height": 640}


def engine_levels(visitor: BrowserUser) -> list[int]:
    """The levels of the engines in the match that the page shows."""
    id_ = visitor.page.url.rpartition("/")[2]
    view = visitor.context.request.get(f"/api/matches/{id_}").json()
    return [seat["level"] for seat in view["seats"] if seat["kind"] == "engine"]


def test_a_menu_lists_the_games_in_the_order_that_they_say() -> None:
    assert menu_names() == ["diam", "diadema", "seega", "buts"]
    assert sorted(menu_names()) == quinconce.names()


def test_a_game_that_does_not_say_its_order_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(game_class("diam"), "menu_order")
    assert menu_names() == ["diadema", "seega", "buts", "diam"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_one_card_a_game_with_its_editions(language: str) -> None:
    for card in cards(language):
        assert len(card.editions) == len(game_class(card.name).editions)
        assert len({edition.svg for edition in card.editions}) == len(card.editions)
        titles = {edition.short_title for edition in card.editions}
        assert len(titles) == len(card.editions)
        assert all(titles) or len(card.editions) == 1


def test_the_first_page_shows_the_boards_in_order(visit: Visit) -> None:
    page = visit().go("/")
    expect(page.locator(".card h2")).to_have_text(["Diam", "Diädema", "Seega", "Goals"])
    for card in page.locator(".card").all():
        expect(card.locator(".picture:visible")).to_have_count(1)
        for name in ("Play", "Learn", "Puzzles"):
            expect(card.get_by_role("link", name=re.compile(f"^{name} "))).to_have_count(1)


def test_play_starts_a_match_at_once_and_remembers_the_level(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/")
    page.get_by_role("link", name="Play Seega").click()
    expect(page).to_have_url(MATCH)
    visitor.expect_my_turn()
    assert engine_levels(visitor) == [2]  # which somebody who plays for the first time can beat
    visitor.go("/")
    page.select_option("#level", "5")
    page.get_by_role("link", name="Play Goals").click()
    expect(page).to_have_url(MATCH)
    assert engine_levels(visitor) == [5]
    visitor.go("/")
    expect(page.locator("#level")).to_have_value("5")
    visitor.go("/game/diam")  # the set-up remembers it too, and both say what was used last
    expect(page.locator("#level")).to_have_value("5")
    page.select_option("#level", "1")
    page.click("#play")
    expect(page).to_have_url(MATCH)
    visitor.go("/")
    page.get_by_role("link", name="Play Diädema").click()
    expect(page).to_have_url(MATCH)
    assert engine_levels(visitor) == [1]


def test_a_level_that_is_none_is_not_remembered(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/")
    page.evaluate("localStorage.setItem('level', '77')")
    visitor.go("/")
    expect(page.locator("#level")).to_have_value("2")


def test_a_card_shows_the_edition_that_one_chooses(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/")
    card = page.locator(".card", has_text="Diam")
    expect(card.locator(".facts:visible")).to_contain_text("solved")
    card.get_by_text("1997 rules").click()
    expect(card.locator(".facts:visible")).to_contain_text("nobody knows")
    expect(card.locator(".picture:visible")).to_have_count(1)
    page.get_by_role("link", name="Play Diam").click()
    expect(page).to_have_url(MATCH)
    expect(page.locator(".heading")).to_contain_text("1997")


def test_an_edition_is_chosen_with_the_keyboard(visit: Visit) -> None:
    page = visit().go("/")
    page.locator(".editions input").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-edition='1'].card-buttons")).to_be_visible()
    expect(page.locator("[data-edition='0'].card-buttons").first).to_be_hidden()


def test_learn_and_puzzles_lead_to_the_edition(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/")
    page.get_by_role("link", name="Learn Diam").click()
    expect(page).to_have_url(re.compile(r"/learn/diam\?edition=2003$"))
    expect(page.locator("#start")).to_be_in_viewport()
    page.get_by_role("link", name="Read the rules").click()
    expect(page).to_have_url(re.compile(r"/game/diam\?edition=2003#rules$"))
    expect(page.locator("#rules h2").first).to_be_in_viewport()
    visitor.go("/")
    page.get_by_text("1997 rules").click()
    page.get_by_role("link", name="Puzzles Diam").click()
    expect(page).to_have_url(re.compile(r"/puzzles/diam\?edition=1997"))


def test_a_match_that_goes_on_is_offered_first(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/")
    expect(page.get_by_role("link", name="Continue your game")).to_have_count(0)
    visitor.make("diam", [{"kind": "me"}, {"kind": "friend"}])
    mine = page.url
    visitor.make("seega", [{"kind": "friend"}, {"kind": "me"}])
    visitor.go("/")
    expect(page.locator(".continue")).to_contain_text("Diam")  # where it is one's turn
    page.get_by_role("link", name="Continue your game").click()
    expect(page).to_have_url(mine)


def test_what_the_server_refuses_is_told(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/")
    page.route("**/api/matches", lambda route: route.abort())
    page.get_by_role("link", name="Play Diam").click()
    expect(page.locator("#play-wrong")).to_contain_text("does not answer")
    visitor.console_errors.clear()  # the browser tells of the request that was stopped


@pytest.mark.parametrize("width", [320, *long([768, 1440])])
def test_the_header_leads_to_every_page_and_marks_this_one(width: int, visit: Visit) -> None:
    visitor = visit(viewport={"width": width, "height": 800})
    page = visitor.go("/")
    pages = page.get_by_role("navigation", name="Pages")
    for label, address in HEADER.items():
        if not pages.is_visible():
            page.get_by_role("button", name="Menu").click()
        pages.get_by_role("link", name=label, exact=True).click()
        expect(page).to_have_url(re.compile(rf"{address}(\?.*)?$"))
        current = page.locator("#pages [aria-current]")
        expect(current).to_have_text(label)
        expect(current).to_have_attribute("aria-current", "page")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    visitor.go("/puzzles/seega")
    expect(page.locator("#pages [aria-current=true]")).to_have_text("Puzzles")


def test_the_menu_of_a_phone_opens_and_closes_with_the_keyboard(visit: Visit) -> None:
    page = visit(viewport=PHONE).go("/")
    button = page.get_by_role("button", name="Menu")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Play"
    page.keyboard.press("Escape")
    expect(page.locator("#pages")).to_be_hidden()
    expect(button).to_be_focused()


def test_the_puzzles_of_a_game_are_found_from_the_header(visit: Visit) -> None:
    visitor = visit(locale="fr-FR")
    page = visitor.go("/puzzles")
    expect(page.locator(".card h2")).to_have_text(["Diam", "Diädema", "Seega", "Buts"])
    page.get_by_role("link", name=re.compile("Règles de 1997 · .* problèmes Diam")).click()
    expect(page).to_have_url(re.compile(r"/puzzles/diam\?edition=1997"))
