"""A match with more moves than can be listed, played with the mouse: each touch is asked about."""

from __future__ import annotations

from typing import Any

from browser_users import Visit
from many_moves import BEFORE_MANY, LEADS_TO_MANY, OPTIONS
from playwright.sync_api import expect

SCREEN: list[dict[str, Any]] = [{"kind": "me"}, {"kind": "here"}]
JS_TARGETS = "[...document.querySelectorAll('.target')].map((place) => place.dataset.place)"


def test_a_chain_is_played_touch_by_touch(visit: Visit) -> None:
    player = visit()
    player.make("seega", SCREEN, options=OPTIONS, position=BEFORE_MANY)
    player.play(LEADS_TO_MANY)
    page = player.page
    expect(page.locator(".ready").first).to_be_visible()
    touched = [page.locator(".ready").first.get_attribute("data-place") or ""]
    player.click(touched[0])
    while True:
        # The next places are marked, or the move is played: then Black is to move at this screen.
        page.wait_for_function(
            "n => document.querySelectorAll('#moves [data-ply]').length > 1"
            " || document.querySelector('.target')"
            " && document.querySelector('game-board').partialMove.touched.length === n",
            arg=len(touched),
        )
        if len(player.moves) > 1:
            break
        touched.append(page.evaluate(JS_TARGETS)[0])
        player.click(touched[-1])
        assert len(touched) < 50
    expect(page.locator("#moves [data-ply]").nth(1)).to_contain_text("x".join(touched))


def test_a_pawn_is_put_back_and_another_taken(visit: Visit) -> None:
    player = visit()
    player.make("seega", SCREEN, options=OPTIONS, position=BEFORE_MANY)
    player.play(LEADS_TO_MANY)
    page = player.page
    expect(page.locator(".ready").nth(1)).to_be_visible()
    first, second = (page.locator(".ready").nth(n).get_attribute("data-place") for n in (0, 1))
    for place in (first, second):
        player.click(place or "")
        expect(page.locator(".target").first).to_be_visible()
        expect(page.locator(".picked")).to_have_attribute("data-place", place or "")
    page.keyboard.press("Escape")
    expect(page.locator(".ready").nth(1)).to_be_visible()
    player.click(first or "")
    expect(page.locator(".target").first).to_be_visible()
    player.click("a3")  # where an enemy stands
    expect(page.locator("#wrong")).not_to_be_empty()
