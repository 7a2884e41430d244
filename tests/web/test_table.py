"""A table of several friends: one link for all, a free seat to pick, a name that is remembered."""

from __future__ import annotations

import re

from browser_users import BrowserUser, Visit, violations
from playwright.sync_api import expect


def open_table(visit: Visit, **looks: str) -> tuple[BrowserUser, str]:
    """Somebody makes a match of four with friends; the one link to the table."""
    maker = visit(**looks)
    page = maker.go("/game/diam?players=4&with=friends")
    page.fill("#name", "Ada")
    page.click("#options summary")
    page.check("input[name=order][value=first]")
    page.click("#play")
    link = page.locator("#invitation-table input")
    expect(link).to_have_value(re.compile(r"/match/\w{12}#table=[\w-]{22}$"))
    return maker, link.input_value()


def test_friends_pick_a_free_seat_and_give_their_names(visit: Visit) -> None:
    maker, link = open_table(visit)
    expect(maker.page.locator(".heading")).to_contain_text("4 players")
    expect(maker.page.locator("svg.qr path")).to_have_count(1)  # one code for all
    one, other = visit(), visit()
    for friend in (one, other):
        friend.open_match(link)
        expect(friend.page).not_to_have_url(re.compile("#"))
    # In the order of turns: of teams of two, the third seat moves second.
    expect(one.page.locator("#free-seats button")).to_have_text(
        [
            "Player 3 (brown) · team 2",
            "Player 2 (orange) · team 1",
            "Player 4 (black) · team 2",
        ]
    )
    assert violations(one.page) == []
    one.screenshot("table")
    one.page.fill("#guest", "Zoë")
    one.page.locator("#free-seats button").first.click()
    expect(one.page.locator("#arrival")).to_be_hidden()
    expect(one.page.locator("#seats .player")).to_have_text(["Ada", "Zoë", "Player 2", "Player 4"])
    expect(one.page.locator("#whisper")).to_have_text("You’ve joined. Have a good game!")
    expect(other.page.locator("#free-seats button")).to_have_count(2)  # it is taken there too
    expect(maker.page.locator("#seats li").nth(1)).to_contain_text("Zoë")
    # The name is remembered: it stands there the next time.
    _again, link = open_table(visit)
    one.open_match(link)
    expect(one.page.locator("#guest")).to_have_value("Zoë")
    one.page.get_by_role("button", name="Just watch").click()
    expect(one.page.locator("#typed")).to_be_hidden()


def test_a_seat_that_was_just_taken_is_refused_and_another_can_be_had(visit: Visit) -> None:
    maker, link = open_table(visit)
    one, other = visit(), visit()
    other.open_match(link)
    expect(other.page.locator("#free-seats button")).to_have_count(3)
    # The page of the other does not hear of what happens for a while.
    other.page.evaluate("window.frozen = document.querySelector('#free-seats button')")
    one.open_match(link)
    one.page.locator("#free-seats button").first.click()
    expect(one.page.locator("#arrival")).to_be_hidden()
    other.page.evaluate("window.frozen.click()")
    expect(other.page.locator("#arrival-wrong")).to_contain_text("just been taken")
    for friend in (other, visit()):
        if friend is not other:
            friend.open_match(link)
        friend.page.locator("#free-seats button").first.click()
        expect(friend.page.locator("#arrival")).to_be_hidden()
    expect(maker.page.locator("#invitations .invitation")).to_have_count(0)
    late = visit()
    late.open_match(link)
    expect(late.page.locator("#whisper")).to_have_text("All seats are taken: you can watch.")
    late.go("/")  # a link to a table can be pasted on the first page too
    late.page.fill("#link", link)
    late.page.press("#link", "Enter")
    expect(late.page.locator("#whisper")).to_have_text("All seats are taken: you can watch.")


def test_the_links_of_the_seats_stand_folded_below(visit: Visit) -> None:
    maker, _link = open_table(visit, locale="fr-FR")
    page = maker.page
    expect(page.locator(".heading")).to_contain_text("4 joueurs")
    expect(page.locator("#invitation-2")).to_be_hidden()
    page.get_by_text("Un lien par place").click()
    expect(page.locator(".seat-link h2")).to_have_text(
        [re.compile(f"Joueur {n}") for n in (3, 2, 4)]
    )
    friend = visit()
    friend.open_match(page.locator("#invitation-3 input").input_value())
    expect(friend.page.locator("#seats li").last).to_contain_text("you")
    expect(page.locator(".seat-link")).to_have_count(2)
    # In another window nothing is remembered: a new link is made there.
    window = maker.context.new_page()
    window.goto(page.url)
    window.locator("#invitation-table").get_by_role("button", name="Créer un lien").click()
    expect(window.locator("#invitation-table input")).to_have_value(re.compile("#table="))


def test_a_friend_without_a_name_is_asked_for_one(visit: Visit) -> None:
    maker, friend = visit(), visit()
    links = maker.make("diam", [{"kind": "me", "name": "Ada"}, {"kind": "friend"}])
    expect(maker.page.locator("#introduce")).to_be_hidden()
    friend.open_match(links[1] or "")
    expect(friend.page.locator("#introduce")).to_be_visible()
    friend.page.fill("#introduced", "Zoë")
    friend.page.press("#introduced", "Enter")
    expect(friend.page.locator("#introduce")).to_be_hidden()
    expect(maker.page.locator("#seats li").nth(1)).to_contain_text("Zoë")
    links = maker.make("diam", [{"kind": "me"}, {"kind": "friend"}])
    friend.open_match(links[1] or "")
    expect(friend.page.locator("#seats li").nth(1)).to_contain_text("Zoë")
    expect(friend.page.locator("#introduce")).to_be_hidden()
