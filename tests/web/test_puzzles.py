"""The page of puzzles: solved by hand and by keys, in both languages, for everybody."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from browser_users import PICTURES, BrowserUser, Visit, long, violations
from playwright.sync_api import Request, Route, expect
from waiting import until

import quinconce
from quinconce.core.registry import game
from quinconce.puzzles.puzzle import (
    Puzzle,
    daily_puzzle,
    games_with_puzzles,
    puzzles_for,
    today,
)

FORMS = {repr(rules): rules for name in quinconce.names() for rules in games_with_puzzles(name)}


def open_puzzle(somebody: BrowserUser, puzzle: Puzzle) -> None:
    """Open the page of a puzzle; its board can be touched."""
    query = urlencode(puzzle.game.chosen)
    somebody.go(f"/puzzles/{puzzle.game.name}?{query}#{puzzle.id}")
    expect(somebody.page.locator("game-board svg")).to_be_visible()
    expect(somebody.page.locator(".numbers [aria-current]")).to_have_count(1)


def solve(somebody: BrowserUser, puzzle: Puzzle, *, keys: bool = False) -> None:
    """The whole solution, each move once the reply to the one before has come."""
    moves = somebody.page.locator("#moves [data-ply]")
    for ply in range(0, puzzle.plies, 2):
        expect(moves).to_have_count(ply)
        somebody.touch(puzzle.line[ply], keys=keys)
    expect(somebody.page.locator("#whisper")).to_have_text(re.compile("Solved!|Résolu"))


@pytest.mark.parametrize("which", [*list(FORMS)[:2], *long(list(FORMS)[2:])])
def test_a_puzzle_is_solved_with_the_mouse(which: str, visit: Visit) -> None:
    somebody, puzzle = visit(), puzzles_for(FORMS[which])[0]
    open_puzzle(somebody, puzzle)
    page = somebody.page
    expect(page.locator("#status")).to_contain_text(". Win in 2 moves.")
    solve(somebody, puzzle)
    expect(page.locator("#status")).to_contain_text(re.compile("wins?:"))
    expect(page.locator(".numbers .solved")).to_have_count(1)
    expect(page.locator("#progress")).to_contain_text("1 of ")
    somebody.screenshot(f"puzzle-solved-{puzzle.game.name}-{len(puzzle.game.chosen)}")
    page.reload()  # the browser remembers, and goes on with the next
    expect(page.locator(".numbers .solved")).to_have_count(1)
    page.click("[data-act=next]")
    expect(page.locator("#banner")).to_contain_text("Puzzle 2 of")
    expect(page.locator("#moves [data-ply]")).to_have_count(0)
    page.goto(page.url.split("#")[0])
    expect(page.locator("#banner")).to_contain_text("Puzzle 2 of")


@pytest.mark.parametrize("name", ["diadema", *long(["seega"])])
def test_a_puzzle_is_solved_with_the_keyboard_alone(name: str, visit: Visit) -> None:
    somebody, puzzle = visit(), puzzles_for(game(name))[1]
    open_puzzle(somebody, puzzle)
    solve(somebody, puzzle, keys=True)
    expect(somebody.page.locator(".numbers .solved")).to_have_count(1)


def test_a_wrong_move_is_told_and_the_solution_is_shown(visit: Visit) -> None:
    somebody, puzzle = visit(), puzzles_for(game("diadema"))[0]
    open_puzzle(somebody, puzzle)
    page = somebody.page
    wrong = next(text for text in puzzle.match().legal() if text not in puzzle.line)
    somebody.touch(wrong)
    expect(page.locator("#wrong")).to_have_text("That lets the win slip.")
    expect(page.locator("#moves [data-ply]")).to_have_count(0)
    page.fill("#typed-move", "zzz")
    page.press("#typed-move", "Enter")
    expect(page.locator("#wrong")).to_contain_text("not a move of this game")
    somebody.touch(puzzle.line[0])
    expect(page.locator("#whisper")).to_contain_text(f"The opponent plays {puzzle.line[1]}")
    expect(page.locator("#moves [data-ply]")).to_have_count(2)
    page.click("[data-act=retry]")
    expect(page.locator("#moves [data-ply]")).to_have_count(0)
    page.click("[data-act=solution]")
    expect(page.locator("#whisper")).to_contain_text("This is the solution.")
    expect(page.locator("#moves [data-ply]")).to_have_count(puzzle.plies)
    expect(page.locator("#status")).to_contain_text(re.compile("wins?:"))
    expect(page.locator(".numbers .solved")).to_have_count(0)
    page.click("[data-act=retry]")
    solve(somebody, puzzle)


def test_the_puzzles_are_found_from_every_board(visit: Visit) -> None:
    somebody = visit()
    page = somebody.go("/")
    links = page.locator(".card a[href^='/puzzles/']")  # one for each edition
    expect(links).to_have_count(5)
    addresses = [link.get_attribute("href") for link in links.all()]
    for address in addresses:
        assert address
        somebody.go(address)
        expect(page.locator("game-board svg")).to_be_visible()
        somebody.go(address.replace("/puzzles/", "/game/"))
        page.locator("main").get_by_role("link", name="Puzzles").click()
        expect(page.locator("game-board svg")).to_be_visible()
    somebody.go("/puzzles/diam?edition=1997")
    expect(page.locator(".heading")).to_contain_text("1997")
    page.get_by_role("link", name="2003").first.click()
    expect(page.locator(".heading")).to_contain_text("2003")


def test_a_grade_is_chosen_from_the_list(visit: Visit) -> None:
    somebody, puzzle = visit(), puzzles_for(game("diam"))[0]
    open_puzzle(somebody, puzzle)
    page = somebody.page
    page.locator(".grade[data-grade='3'] summary").click()
    page.locator(".grade[data-grade='3'] .numbers a").first.click()
    expect(page.locator("#banner")).to_contain_text("grade 3")
    expect(page.locator("#status")).to_contain_text("in 4 moves")


LOOKS: dict[str, dict[str, Any]] = {
    "wide-light": {"viewport": {"width": 1280, "height": 800}},
    "wide-dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "phone-light": {"viewport": {"width": 360, "height": 740}},
    "phone-dark": {
        "viewport": {"width": 360, "height": 740},
        "color_scheme": "dark",
        "locale": "fr-FR",
    },
}


@pytest.mark.parametrize(
    "look", ["phone-dark", *long(look for look in LOOKS if look != "phone-dark")]
)
def test_the_page_is_for_everybody(look: str, visit: Visit) -> None:
    somebody = visit(**LOOKS[look])
    PICTURES.mkdir(exist_ok=True)
    for rules in FORMS.values():
        open_puzzle(somebody, puzzles_for(rules)[-1])
        assert violations(somebody.page) == []
        width = LOOKS[look]["viewport"]["width"]
        for narrow in (320, width):
            somebody.page.set_viewport_size({"width": narrow, "height": 740})
            assert somebody.page.evaluate("document.documentElement.scrollWidth") <= narrow
        name = "-".join([rules.name, *rules.chosen.values()][:2])
        somebody.page.screenshot(path=PICTURES / f"puzzles-{name}-{look}.png", full_page=True)


def test_it_speaks_french(visit: Visit) -> None:
    somebody, puzzle = visit(locale="fr-FR"), puzzles_for(game("diadema"))[0]
    open_puzzle(somebody, puzzle)
    page = somebody.page
    expect(page.locator("#status")).to_contain_text("de gagner en 2 coups.")
    expect(page.locator("#banner")).to_contain_text("Problème 1 sur")
    expect(page.get_by_role("button", name="Recommencer")).to_be_visible()
    solve(somebody, puzzle)
    expect(page.locator(".numbers .solved")).to_have_attribute("aria-label", "Problème 1, résolu")
    text = page.inner_text("body")
    assert not re.search(r"\b(puzzle|grade|solved|next|move)\b", text, re.IGNORECASE)


def test_a_solution_is_played_on_the_board_and_not_printed(visit: Visit) -> None:
    somebody, puzzle = visit(reduced_motion="no-preference"), puzzles_for(game("diadema"))[0]
    open_puzzle(somebody, puzzle)
    page = somebody.page
    somebody.hold_time()
    page.click("[data-act=solution]")
    expect(page.locator("#whisper")).to_contain_text("This is the solution.")
    expect(page.locator("#moves [data-ply]")).to_have_count(puzzle.plies)  # its start is on show
    for move in puzzle.line:  # one after the other
        page.clock.run_for(1500)
        expect(page.locator("#moves [aria-current]")).to_have_text(move)
        expect(page.locator("#whisper")).not_to_contain_text(move)
    expect(page.locator("#status")).to_contain_text(re.compile("wins?:"))
    page.click("[data-act=retry]")
    page.click("[data-act=solution]")
    expect(page.locator("#moves [data-ply]")).to_have_count(puzzle.plies)
    waiting: list[Route] = []
    page.route("**/api/explore*", lambda route: waiting.append(route), times=1)
    page.clock.run_for(1500)
    until(lambda: page.evaluate("true") and waiting)  # the next position is on its way
    page.locator("#moves [data-ply='2']").click()  # who goes elsewhere is left there
    expect(page.locator("#moves [aria-current]")).to_have_text(puzzle.line[1])
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    with page.expect_response("**/api/explore*"):
        waiting[0].continue_()
    page.clock.run_for(5000)
    expect(page.locator("#moves [aria-current]")).to_have_text(puzzle.line[1])
    assert asked == []


def test_the_overview_shows_the_boards_of_the_day(visit: Visit) -> None:
    somebody = visit()
    page = somebody.go("/puzzles")
    count = "board => board.querySelectorAll('.piece').length"
    for name in ("diadema", "seega"):
        found = daily_puzzle(game(name), today())
        assert found
        board = page.locator(f".card-board[href='/puzzles/{name}/today']")
        assert board.evaluate(count) == len(found.position.board.replace(".", ""))
        board.click()
        expect(page.locator("#banner")).to_contain_text("Puzzle of the day")
        page.go_back()
