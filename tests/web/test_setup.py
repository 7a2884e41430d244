"""The set-up of a game: Play in view, options folded, and everything in words of the page."""

from __future__ import annotations

import re

import pytest
from browser_users import Visit, long
from playwright.sync_api import expect

import quinconce
from quinconce.core.registry import game_class, game_forms

WINDOWS = [(1440, 900), (768, 1024), (844, 390), (360, 640), (320, 568)]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("/game/seega?reach=step&size=7", "fr-FR"),
        *long([("/game/seega?reach=step&size=7", "en-GB"), ("/game/diam?edition=1997", "en-GB")]),
        *long([("/game/diam?edition=1997", "fr-FR")]),
    ],
)
def test_play_is_in_view_and_the_options_are_folded(path: str, language: str, visit: Visit) -> None:
    visitor = visit(locale=language)
    page = visitor.go(path)
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#setup details[open]")).to_have_count(0)
        expect(page.locator("#play")).to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollY") == 0
    page.click("#options summary")  # and it stays in view beside open options
    expect(page.locator("#setup details[open]")).to_have_count(1)
    expect(page.locator("#play")).to_be_in_viewport(ratio=1)


def test_a_set_up_without_options_open_fits_in_the_window(visit: Visit) -> None:
    visitor = visit(viewport={"width": 1440, "height": 900}, locale="fr-FR")
    for name in quinconce.names():
        page = visitor.go(f"/game/{name}")
        expect(page.locator("#setup")).to_be_in_viewport(ratio=1)


def test_the_number_of_players_is_asked_in_view(visit: Visit) -> None:
    page = visit().go("/game/diam")
    expect(page.locator("#players-meaning")).to_have_text("two players with two colours each")
    page.get_by_role("group", name="Number of players").get_by_label("4").check()
    expect(page.locator("#players-meaning")).to_contain_text("two teams of two")
    expect(page.locator("#chosen")).to_have_text("")  # it is not folded, and not told twice
    page.check("input[name=way][value=mixed]")
    expect(page.locator(".seat-row")).to_have_count(4)
    page = visit().go("/game/seega")
    expect(page.get_by_role("group", name="Number of players")).to_have_count(0)


def test_with_friends_opens_with_friends_chosen_and_the_clock_open(visit: Visit) -> None:
    page = visit().go("/")
    for name in ("Diam", "Seega"):  # with several editions, and with one
        page.get_by_role("link", name=f"With friends, with a clock… {name}").click()
        expect(page.locator("input[name=way][value=friend]")).to_be_checked()
        expect(page.locator("input[name=clock][value=minutes]")).to_be_visible()
        expect(page.locator("#options[open]")).to_have_count(0)
        page.go_back()


def test_folded_options_are_told_in_words(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/game/seega?reach=step&size=7")
    expect(page.locator("#chosen")).to_have_text("size 7 · a pawn moves one cell only")
    page.click("#options summary")
    page.check("input[data-option=quiet][value='']")
    page.fill("[data-number=quiet]", "12")
    page.check("input[data-option=size][value='5']")
    expect(page.locator("#chosen")).to_have_text("a pawn moves one cell only · quiet turns 12")
    visitor.go("/game/seega")
    expect(page.locator("#chosen")).to_have_text("")


@pytest.mark.parametrize("name", ["diam", *long(["buts", "diadema", "seega"])])
def test_no_value_is_shown_by_its_code(name: str, visit: Visit) -> None:
    """In French, where no word of ours is like a code of the programs."""
    codes = {
        value
        for key, option in game_class(name).options.items()
        for value in (key, *option)
        if not value.isdigit()
    } - {"edition"}
    visitor = visit(locale="fr-FR")
    for form in game_forms(name):
        wished = {k: v for k, v in form.chosen.items() if v != form.options[k][0]}
        if len(wished) > 1:
            continue  # every value once is enough
        query = "&".join(f"{key}={value}" for key, value in wished.items())
        page = visitor.go(f"/game/{name}?{query}")
        page.click("#options summary")
        words = set(re.findall(r"[^\W\d]+", page.inner_text("#setup").lower()))
        page = visitor.go(f"/puzzles/{name}?{query}")
        words |= set(re.findall(r"[^\W\d]+", page.inner_text("main").lower()))
        assert not words & codes, query


def test_what_is_known_shows_no_code(visit: Visit) -> None:
    page = visit(locale="fr-FR").go("/known")
    text = page.inner_text("main")
    assert not re.search(r"\b(slide|step|compulsory|replay)\b", text)
