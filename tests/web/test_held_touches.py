"""Touches while the next position is on its way: they are kept, and made when it is on show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from browser_users import BrowserUser, Visit
from many_moves import BEFORE_MANY, LEADS_TO_MANY, OPTIONS
from playwright.sync_api import Page, Route, expect

HERE: list[dict[str, Any]] = [{"kind": "me"}, {"kind": "here"}]
LINE = "/analysis?game=diam&moves=r@1 m@5 o@3"
EXPLORE = "**/api/explore*"


@contextmanager
def answers_held_back(
    page: Page, path: str, answer: Callable[[Route], None] = Route.continue_
) -> Iterator[None]:
    """What the page asks for at a path is answered when the block is over."""
    over = False
    requests: list[Route] = []

    def hold(request: Route) -> None:
        if over:
            answer(request)
        else:
            requests.append(request)

    page.route(path, hold)
    with page.expect_request(path):
        yield
    over = True
    for request in requests:
        answer(request)


def open_line(somebody: BrowserUser) -> Page:
    page = somebody.go(LINE)
    expect(page.locator("#moves [aria-current]")).to_have_text("o@3")
    return page


def test_the_analysis_keeps_touches_for_a_position_that_comes(visit: Visit) -> None:
    somebody = visit()
    page = open_line(somebody)
    with answers_held_back(page, EXPLORE):
        page.click("[data-go=back]")
        expect(page.locator("#moves [aria-current]")).to_have_text("m@5")
        somebody.click("o")
        somebody.click("4")
    expect(page.locator("#moves .variation [aria-current]")).to_have_text("o@4")
    with answers_held_back(page, EXPLORE):
        for place in ("n", "8", "r", "2"):  # the second move is touched before the first is shown
            somebody.click(place)
    expect(page.locator("#moves .variation [data-ply]")).to_have_text(["o@4", "n@8", "r@2"])


def test_the_analysis_keeps_a_drag_and_a_click_during_which_the_board_is_drawn(
    visit: Visit,
) -> None:
    somebody = visit()
    page = open_line(somebody)
    with answers_held_back(page, EXPLORE):
        page.click("[data-go=back]")
        somebody.drag("o", "4")
    expect(page.locator("#moves .variation [aria-current]")).to_have_text("o@4")
    page.click("[data-go=first]")  # asked for now, the positions before it are known later
    expect(page.locator("#moves [aria-current]")).to_have_count(0)
    with answers_held_back(page, EXPLORE):
        page.click("[data-go=on]")
        expect(page.locator("#moves [aria-current]")).to_have_text("r@1")
        page.mouse.move(*somebody.middle("m"))
        page.mouse.down()
    expect(page.locator("#whisper")).to_contain_text("r@1")  # the drawing is another now
    page.mouse.up()
    somebody.click("6")
    expect(page.locator("#moves .variation [aria-current]")).to_have_text("m@6")


def test_touches_are_forgotten_if_the_position_does_not_come(visit: Visit) -> None:
    somebody = visit()
    page = open_line(somebody)
    with answers_held_back(page, EXPLORE, Route.abort):
        page.click("[data-go=back]")
        somebody.click("o")
    expect(page.locator("#wrong")).not_to_be_empty()
    expect(page.locator(".picked")).to_have_count(0)
    somebody.console_errors.clear()  # the request that was lost


def test_a_move_typed_before_its_position_is_on_show_is_played_there(visit: Visit) -> None:
    somebody = visit()
    page = open_line(somebody)
    with answers_held_back(page, EXPLORE):
        page.click("[data-go=back]")
        page.fill("#typed-move", "o@4")
        page.press("#typed-move", "Enter")
    expect(page.locator("#moves .variation [aria-current]")).to_have_text("o@4")


def test_at_one_screen_the_next_player_need_not_wait_for_the_server(visit: Visit) -> None:
    player = visit()
    player.make("diam", HERE)
    page = player.page
    with answers_held_back(page, "**/moves*"):
        for place in ("r", "1", "m", "5"):
            player.click(place)
    expect(page.locator("#moves [data-ply]")).to_have_text(["r@1", "m@5"])
    with answers_held_back(page, "**/moves*"):
        for place in ("o", "3", "n"):
            player.click(place)
        page.keyboard.press("Escape")
        player.click("n")
        player.click("8")
    expect(page.locator("#moves [data-ply]")).to_have_text(["r@1", "m@5", "o@3", "n@8"])


def test_a_chain_is_touched_before_the_server_says_what_may_follow(visit: Visit) -> None:
    player = visit()
    player.make("seega", HERE, options=OPTIONS, position=BEFORE_MANY)
    player.play(LEADS_TO_MANY)
    page = player.page
    expect(page.locator(".ready").nth(1)).to_be_visible()
    first, other = (page.locator(".ready").nth(n).get_attribute("data-place") or "" for n in (0, 1))
    player.click(first)
    second = page.locator(".target").first.get_attribute("data-place") or ""
    page.keyboard.press("Escape")
    with answers_held_back(page, EXPLORE):
        player.click(first)
        page.keyboard.press("Escape")
        player.click(other)
    expect(page.locator(".picked")).to_have_attribute("data-place", other)
    expect(page.locator(".target").first).to_be_visible()
    page.keyboard.press("Escape")
    with answers_held_back(page, EXPLORE):
        player.click(first)
        player.click(second)
    expect(page.locator("#moves [data-ply]").nth(1)).to_contain_text(f"{first}x{second}")


def test_a_click_counts_though_the_board_is_drawn_again_before_the_button_is_up(
    visit: Visit,
) -> None:
    somebody = visit()
    page = somebody.go("/analysis?game=seega")
    expect(page.locator("game-board svg")).to_be_visible()
    page.get_by_role("button", name="Set up a position").click()
    expect(page.locator("#status")).to_have_text("This position is possible.")
    with answers_held_back(page, "**/api/editor*"):
        somebody.click("a1")
        page.mouse.move(*somebody.middle("b2"))
        page.mouse.down()
    expect(page.locator("[data-place=a1] [data-piece=w]")).to_be_visible()
    page.mouse.up()
    expect(page.locator("[data-place=b2] [data-piece=w]")).to_be_visible()
