"""The seats of a match on its page: who resigns, who sits where, who is there, who sits down."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser_users import FRIEND, ME, BrowserUser, Visit, long
from playwright.sync_api import APIResponse, Route, expect
from waiting import until

TEAMS: dict[str, Any] = {"players": 4}


def gather(visit: Visit, options: dict[str, Any], seats: int) -> list[BrowserUser]:
    """A browser in each seat of a match of Diam."""
    people = [visit()]
    for link in people[0].make("diam", [ME, *[FRIEND] * (seats - 1)], options=options)[1:]:
        people.append(visit())
        people[-1].open_match(link or "")
        expect(people[-1].page.locator("#seats .remarks", has_text="you")).to_have_count(1)
    return people


def resign(visitor: BrowserUser) -> None:
    visitor.page.click("[data-act=resign]")
    visitor.page.locator("#sure").get_by_role("button", name="Yes").click()


def test_after_a_resignation_nobody_has_to_agree_to_it(visit: Visit) -> None:
    people = gather(visit, {}, 2)
    resign(people[0])
    for visitor in people:
        expect(visitor.page.locator("#status")).to_contain_text("resigned")
        expect(visitor.page.locator("#offers")).not_to_contain_text("resign")
        visitor.page.reload()
        expect(visitor.page.locator("#status")).to_contain_text("resigned")
        expect(visitor.page.locator("#offers")).not_to_contain_text("resign")


def test_in_a_team_the_partner_has_to_agree_as_long_as_the_game_goes_on(visit: Visit) -> None:
    people = gather(visit, TEAMS, 4)
    resign(people[2])
    for visitor in people:
        expect(visitor.page.locator("#offers")).to_contain_text("Player 3 would like to resign")
    resign(people[3])
    for visitor in people:
        expect(visitor.page.locator("#status")).to_contain_text("resigned")
        expect(visitor.page.locator("#offers")).not_to_contain_text("resign")


@pytest.mark.parametrize(
    ("options", "order"),
    [
        ({"players": 4}, [1, 3, 2, 4]),
        *long([({"players": 3}, [1, 2, 3]), ({"edition": "1997", "players": 4}, [1, 2, 3, 4])]),
    ],
)
def test_seats_are_listed_in_the_order_of_play(
    options: dict[str, Any], order: list[int], visit: Visit
) -> None:
    somebody = visit()
    somebody.make("diam", [ME, *[{"kind": "here"}] * (len(order) - 1)], options=options)
    expect(somebody.page.locator("#seats .player")).to_have_text([f"Player {n}" for n in order])
    expect(somebody.page.locator("#seats .turn .player")).to_have_text("Player 1")
    somebody.play("r@1")
    expect(somebody.page.locator("#seats .turn .player")).to_have_text(f"Player {order[1]}")
    expect(somebody.page.locator("#seats li").nth(1)).to_have_class("turn")


@pytest.mark.parametrize(
    ("options", "letters"),
    [
        ({"players": 3}, ["r", "m", "n"]),
        *long([({}, ["r", "m"]), ({"players": 4}, ["r", "o", "m", "n"])]),
        *long([({"edition": "1997", "players": 4}, ["r", "j", "v", "b"])]),
    ],
)
def test_everybody_has_their_own_reserve_before_them(
    options: dict[str, Any], letters: list[str], visit: Visit
) -> None:
    middle = "document.querySelector('game-board svg').getBoundingClientRect()"
    for visitor, letter in zip(gather(visit, options, len(letters)), letters, strict=True):
        tray = f"document.querySelector(`[data-place='{letter}']`).getBoundingClientRect().y"
        below = f"() => {tray} > {middle}.y + {middle}.height / 2"
        visitor.page.wait_for_function(below)
        visitor.page.reload()  # and so it stays
        visitor.page.wait_for_function(below)


def test_nobody_is_missed_when_the_game_is_over(visit: Visit) -> None:
    one, other = gather(visit, {}, 2)
    other.go("/")
    expect(one.page.locator("#seats")).to_contain_text("not here")
    resign(one)
    expect(one.page.locator("#status")).to_contain_text("resigned")
    expect(one.page.locator("#seats")).not_to_contain_text("not here")
    alone = visit()
    alone.make("diam", [ME, FRIEND])
    expect(alone.page.locator("#seats")).to_contain_text("not joined")
    resign(alone)
    expect(alone.page.locator("#seats")).not_to_contain_text("not joined")


def test_a_seat_link_pasted_where_one_watches_the_match_seats_one(visit: Visit) -> None:
    one, other = visit(), visit()
    link = one.make("buts", [ME, FRIEND])[1] or ""
    other.open_match(one.page.url)
    expect(other.page.locator("#typed")).to_be_hidden()
    other.page.evaluate("window.stayed = true")
    other.page.evaluate("link => location.assign(link)", link)
    expect(other.page.locator("#seats li").nth(1)).to_contain_text("you")
    expect(other.page.locator("#whisper")).to_have_text("You’ve joined. Have a good game!")
    assert other.page.evaluate("window.stayed")
    expect(other.page).not_to_have_url(re.compile("#"))
    # The board is turned, the others see that somebody has come, and one's links can be made.
    row = "(name) => document.querySelector(`[data-place=${name}]`).getBoundingClientRect().y"
    other.page.wait_for_function(f"() => ({row})('A1') > ({row})('H1')")
    expect(one.page.locator("#seats")).not_to_contain_text("not")
    other.page.click(".more summary")
    expect(other.page.locator("#elsewhere .invitation")).to_have_count(1)
    one.play("G2-E2")
    other.expect_my_turn()
    other.play("C2-D2")


def test_what_was_read_before_somebody_came_back_does_not_hide_them(visit: Visit) -> None:
    one, other = visit(), visit()
    link = one.make("buts", [ME, FRIEND])[1] or ""
    other.open_match(link)
    row = one.page.locator("#seats li").nth(1)
    expect(row).not_to_contain_text("not")  # neither «has not joined yet» nor «not here»
    held: list[tuple[Route, APIResponse]] = []

    def hold_if_away(route: Route) -> None:
        """The first answer in which the other one is away is on its way for long."""
        answer = route.fetch()
        if held or answer.json()["seats"][1]["present"]:
            route.fulfill(response=answer)
        else:
            held.append((route, answer))

    one.page.evaluate("AbortSignal.timeout = () => new AbortController().signal")  # no giving up
    one.page.route(re.compile("/api/matches/[^/]+$"), hold_if_away)
    match = other.page.url
    other.go("/")  # of which the page hears, and reads when the engine may play for them
    expect(row).to_contain_text("not here")
    until(lambda: one.page.evaluate("true") and held)
    other.open_match(match)
    expect(row).not_to_contain_text("not here")
    ((route, answer),) = held
    with one.page.expect_response(
        lambda again: again.url == answer.url and again.request != route.request
    ):
        route.fulfill(response=answer)
    expect(row).not_to_contain_text("not here")


def test_a_wrong_seat_link_says_so_and_a_place_on_the_page_is_none(visit: Visit) -> None:
    one = visit()
    one.make("diam", [ME, FRIEND])
    one.page.evaluate("location.hash = 'main'")
    expect(one.page.locator("#wrong")).to_have_text("")
    one.page.evaluate("location.hash = 'nothing-like-a-secret'")
    expect(one.page.locator("#wrong")).to_contain_text("opens no seat")


def test_arrow_keys_leaf_through_the_moves_after_a_move_by_mouse(visit: Visit) -> None:
    somebody = visit()
    somebody.make("diam", [ME, {"kind": "here"}])
    somebody.play("r@1")
    somebody.play("m@2")
    somebody.page.keyboard.press("ArrowLeft")
    expect(somebody.page.locator("#status")).to_contain_text("After move 1 (r@1)")
    somebody.page.keyboard.press("ArrowRight")
    somebody.expect_my_turn()
    # One who plays with the keyboard goes about the board with these keys, also after the mouse.
    somebody.play("o@3", keys=True)
    somebody.page.keyboard.press("ArrowLeft")
    assert somebody.page.evaluate("document.activeElement.dataset.place")
    expect(somebody.page.locator("#moves [aria-current]")).to_have_text("o@3")
    somebody.play("n@4")
    somebody.page.keyboard.press("ArrowLeft")
    expect(somebody.page.locator("#status")).to_contain_text("After move 2 (o@3)")
