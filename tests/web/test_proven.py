"""Proven results, on the pages: told if one wants to know, and not while people play each other."""

from __future__ import annotations

from browser_users import Visit
from playwright.sync_api import expect


def test_a_solved_game_tells_its_values_while_one_analyses(visit: Visit) -> None:
    somebody = visit()
    page = somebody.go("/analysis?game=diadema&moves=@A @1 @2 @5 @B")
    button = page.get_by_role("button", name="Proven results")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#proved")).to_be_hidden()
    button.click()
    expect(page.locator("#proved")).to_contain_text("Proven:")
    expect(page.locator("#moves .mark")).to_have_count(5)
    expect(page.locator("#moves [data-ply='1'] .mark")).to_have_text("=")
    expect(page.locator("#moves [data-ply='1']")).to_have_attribute(
        "aria-label", "Move 1: @A, drawn"
    )
    page.get_by_role("button", name="To the start").click()
    expect(page.locator("#proved")).to_have_text("Proven: drawn.")
    page.locator("#typed-move").fill("@B")
    page.locator("#typed button").click()
    expect(page.locator("#moves .mark")).to_have_count(1)
    somebody.screenshot("truth-analysis")
    button.click()
    expect(page.locator("#moves .mark")).to_have_count(0)
    expect(page.locator("#proved")).to_be_hidden()


def test_between_people_it_is_told_when_the_game_is_over(visit: Visit) -> None:
    one, other = visit(), visit()
    other.open_match(one.make("diadema", [{"kind": "me"}, {"kind": "friend"}])[1] or "")
    page = one.page
    button = page.get_by_role("button", name="Proven results")
    for i, move in enumerate(["@4", "@D", "@7", "@3", "@6", "D^2"]):
        (one, other)[i % 2].expect_my_turn()
        (one, other)[i % 2].play(move)
    one.expect_my_turn()
    expect(button).to_be_hidden()
    one.play("@5")
    expect(button).to_be_visible()
    button.click()
    expect(page.locator("#moves .mark")).to_have_count(7)
    expect(page.locator("#moves [data-ply='7'] .mark")).to_have_text("+1")
    one.screenshot("truth-match")


def test_alone_against_the_engine_a_hint_says_what_it_proves(visit: Visit) -> None:
    somebody = visit()
    somebody.make("diadema", [{"kind": "me"}, {"kind": "engine", "level": 1}])
    page = somebody.page
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.locator("#whisper")).to_contain_text("Proven: drawn.")
