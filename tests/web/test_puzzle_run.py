"""Puzzles that draw one in: runs, streaks, hints, refutations, the day's puzzle, and paper."""

from __future__ import annotations

import re

import pytest
from browser_users import BrowserUser, Visit, long, violations
from playwright.sync_api import Page, expect

from quinconce.core.registry import game
from quinconce.puzzles.puzzle import Puzzle, puzzles_by_id, puzzles_for
from quinconce.puzzles.themes import themes_of

WINDOWS = [(1440, 900), (1280, 720), (360, 640)]
DIADEMA = puzzles_for(game("diadema"))
JS_MODULE = """document.querySelector('link[href$="board.css"]').href
    .replace("board.css", "puzzle_run.js")"""


def id_in_address(page: Page) -> str:
    id_: str = page.evaluate("location.hash.slice(1)")
    return id_


def open_puzzle(visitor: BrowserUser, path: str) -> Puzzle:
    """Open a page; the puzzle that it shows."""
    visitor.go(path)
    expect(visitor.page.locator("game-board svg")).to_be_visible()
    return puzzles_by_id()[id_in_address(visitor.page)]


def type_move(page: Page, move: str) -> None:
    page.fill("#typed-move", move)
    page.press("#typed-move", "Enter")


def solve(page: Page, puzzle: Puzzle) -> None:
    for ply in range(0, puzzle.plies, 2):
        expect(page.locator("#moves [data-ply]")).to_have_count(ply)
        type_move(page, puzzle.line[ply])
    expect(page.locator("#whisper")).to_have_text(re.compile("Solved!|Résolu"))


def wrong_move(puzzle: Puzzle) -> str:
    return next(text for text in puzzle.match().legal() if text != puzzle.line[0])


def expect_in_view(page: Page, *selectors: str) -> None:
    page.evaluate("scrollTo(0, 0)")
    for each in ("#banner", "game-board svg", "#status", "[data-act=next]", *selectors):
        expect(page.locator(each).first).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("name", ["diam", *long(["seega"])])
def test_the_page_fits_its_window_with_all_that_is_said(name: str, visit: Visit) -> None:
    visitor, puzzle = visit(locale="fr-FR"), puzzles_for(game(name))[-1]
    open_puzzle(visitor, f"/puzzles/{name}#{puzzle.id}")
    page = visitor.page

    def check(*said: str) -> None:
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            expect_in_view(page, *said)
            if width > 1000:
                assert page.evaluate("document.documentElement.scrollHeight") <= height

    check()
    type_move(page, wrong_move(puzzle))
    expect(page.locator("#wrong")).not_to_be_empty()
    check("#wrong")
    page.click("[data-act=solution]")
    expect(page.locator("#whisper")).to_contain_text("Voici la solution.")
    check("#whisper")


def test_a_wrong_move_is_refuted_on_the_board_and_taken_back_by_a_touch(visit: Visit) -> None:
    visitor, puzzle = visit(), DIADEMA[0]
    open_puzzle(visitor, f"/puzzles/diadema#{puzzle.id}")
    page, wrong = visitor.page, wrong_move(puzzle)
    before = page.locator("game-board svg").get_attribute("aria-label")
    type_move(page, wrong)
    expect(page.locator("#wrong")).to_have_text("That lets the win slip.")
    expect(page.locator("#status")).to_contain_text(f"After {wrong} the opponent plays")
    reply = re.findall(r"plays (\S+?)(?: and wins)?\.", page.inner_text("#status"))[0]
    place = sorted(puzzle.game.touches(reply)[-1])[0]
    expect(page.locator(f'game-board [data-place="{place}"]')).to_have_class(re.compile("last"))
    expect(page.locator("[data-act=retry]")).to_have_class("main")
    assert violations(visitor.page) == []
    visitor.click(place)
    expect(page.locator("#status")).to_contain_text(". Win in")
    assert page.locator("game-board svg").get_attribute("aria-label") == before
    solve(page, puzzle)


def test_a_hint_marks_where_the_move_begins_and_ends_the_streak(visit: Visit) -> None:
    visitor, puzzle = visit(), puzzles_for(game("seega"))[0]
    visitor.go("/puzzles")
    visitor.page.evaluate(
        "localStorage.setItem('puzzle-run', JSON.stringify({streak: 4, best: 7, levels: {}}))"
    )
    open_puzzle(visitor, f"/puzzles/seega#{puzzle.id}")
    page = visitor.page
    expect(page.locator("#streak")).to_have_text("4 puzzles in a row at the first try (best: 7)")
    page.click("[data-act=hint]")
    (place,) = puzzle.game.touches(puzzle.line[0])[0]
    expect(page.locator("game-board .picked")).to_have_attribute("data-place", place)
    expect(page.locator("#whisper")).to_contain_text("Look at ")
    expect(page.locator("#streak")).to_have_text("0 puzzles in a row at the first try (best: 7)")
    solve(page, puzzle)
    expect(page.locator("#streak")).to_contain_text("0 puzzles")  # help was needed


def test_enter_goes_on_and_a_streak_is_kept(visit: Visit) -> None:
    visitor = visit()
    open_puzzle(visitor, f"/puzzles/diadema#{DIADEMA[0].id}")
    page = visitor.page
    for n in (1, 2):
        expect(page.locator("#banner")).to_contain_text(f"Puzzle {n} of")
        solve(page, DIADEMA[n - 1])
        word = "puzzle" if n == 1 else "puzzles"
        expect(page.locator("#streak")).to_have_text(
            f"{n} {word} in a row at the first try (best: {n})"
        )
        expect(page.locator("[data-act=next]")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator("#banner")).to_contain_text("Puzzle 3 of")
    expect(page.locator("game-board [data-place]:focus")).to_have_count(1)
    page.click("[data-act=solution]")
    expect(page.locator("#streak")).to_contain_text("0 puzzles")
    page.locator("game-board [tabindex='0']").focus()
    page.keyboard.press("Enter")  # nothing is to be played there any more
    expect(page.locator("#banner")).to_contain_text("Puzzle 4 of")


def test_a_run_mixes_the_games_and_goes_on_from_the_first_page(visit: Visit) -> None:
    visitor = visit(viewport={"width": 360, "height": 640}, locale="fr-FR")
    page = visitor.go("/")
    expect(page.locator("#go-on")).to_be_hidden()
    puzzle = open_puzzle(visitor, "/puzzles/run")
    assert puzzle.grade == 1
    expect(page.locator("#banner")).to_contain_text("difficulté 1")
    solve(page, puzzle)
    expect(page.locator("#streak")).to_contain_text("1 problème de suite")
    page.keyboard.press("Enter")
    expect(page.locator("#moves [data-ply]")).to_have_count(0)
    assert id_in_address(page) != puzzle.id
    assert violations(visitor.page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    visitor.go("/")
    expect(page.locator("#go-on")).to_contain_text("1 problème de suite")
    page.get_by_role("link", name="Reprendre les problèmes").click()
    expect(page).to_have_url(re.compile("/puzzles/run"))


def test_puzzles_get_harder_with_success_and_easier_without(visit: Visit) -> None:
    page = visit().go("/puzzles/run")
    grades = page.evaluate(
        f"""async () => {{
            const {{puzzleRun, chooseNext}} = await import({JS_MODULE});
            const entries = [1, 2, 3, 4, 5].flatMap((grade) => ["a", "b"].map((id) =>
                ({{id: id + grade, game: "one", grade, themes: ""}})));
            const next = (solved) => chooseNext(entries, (id) => solved.includes(id), "").grade;
            const found = [next([])];
            for (let n = 0; n < 3; n++) puzzleRun.succeed("one");
            found.push(next([]), next(["a2", "b2"]), puzzleRun.level("other"));
            for (let n = 0; n < 30; n++) puzzleRun.succeed("one");
            found.push(next([]));
            puzzleRun.fail("one");
            puzzleRun.fail("one");
            found.push(next([]), puzzleRun.streak, puzzleRun.best);
            return found;
        }}"""
    )
    easy, after_three, all_of_it_solved, other, after_many, after_two_failures = grades[:6]
    assert (easy, after_three, other, after_many, after_two_failures) == (1, 2, 1, 5, 4)
    assert all_of_it_solved in (1, 3)
    assert grades[6:] == [0, 33]


def test_a_level_that_is_none_is_not_believed(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/puzzles")
    for text in ("nonsense", '{"streak": "x", "levels": {"diam": 99}, "last": "//evil.example/"}'):
        visitor.page.evaluate("text => localStorage.setItem('puzzle-run', text)", text)
        assert open_puzzle(visitor, "/puzzles/diam/run?edition=1997").grade == 1
        visitor.page.evaluate("text => localStorage.setItem('puzzle-run', text)", text)
        visitor.go("/")
        expect(visitor.page.locator("#go-on")).to_be_hidden()


def test_puzzles_are_chosen_by_their_theme(visit: Visit) -> None:
    visitor = visit()
    open_puzzle(visitor, f"/puzzles/diadema#{DIADEMA[0].id}")
    page = visitor.page
    page.select_option("#theme-select", "save")
    saving = [n for n, each in enumerate(DIADEMA, start=1) if "save" in themes_of(each)]
    expect(page.locator("#banner")).to_contain_text(f"Puzzle {saving[0]} of")
    expect(page.locator(".numbers li:not([hidden])")).to_have_count(len(saving))
    page.click("[data-act=next]")
    expect(page.locator("#banner")).to_contain_text(f"Puzzle {saving[1]} of")
    expect(page.locator("#status")).to_contain_text("Save the draw")
    page.click("[data-act=previous]")
    expect(page.locator("[data-act=previous]")).to_be_disabled()
    page.select_option("#theme-select", "")
    expect(page.locator(".numbers li:not([hidden])")).to_have_count(len(DIADEMA))


def test_the_puzzle_of_the_day_is_found_from_the_header(visit: Visit) -> None:
    found = set()
    for locale in ("en-GB", "fr-FR"):
        visitor = visit(locale=locale)
        page = visitor.go("/puzzles")
        page.get_by_role("link", name=re.compile("(day|jour) Seega")).click()
        expect(page.locator("#banner")).to_contain_text(re.compile("of the day|du jour"))
        found.add(id_in_address(page))
    assert len(found) == 1


def test_the_rules_open_beside_a_puzzle(visit: Visit) -> None:
    visitor = visit(viewport={"width": 1440, "height": 900})
    page = visitor.page
    panel = page.get_by_role("dialog")
    puzzles = (DIADEMA[0], puzzles_for(game("diam", edition="1997"))[0])
    for puzzle, words in zip(puzzles, ("ball", "red and yellow"), strict=True):
        open_puzzle(visitor, f"/puzzles/run#{puzzle.id}")
        page.keyboard.press("?")
        expect(panel.locator("h3")).to_have_count(4)
        expect(panel).to_contain_text(words)
        page.keyboard.press("Escape")
        page.goto("about:blank")


@pytest.mark.parametrize("locale", [*long(["en-GB"]), "fr-FR"])
def test_a_class_gets_its_puzzles_on_paper(locale: str, visit: Visit) -> None:
    visitor = visit(locale=locale)
    for name in ("diam", "diadema", "seega", "buts"):
        page = visitor.go(f"/puzzles/{name}/print?count=12")
        expect(page.locator(".sheet-puzzles .picture")).to_have_count(12)
        paper = page.pdf(format="A4", prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 2, name  # and one of solutions
    page.fill("[name=count]", "3")
    page.get_by_role("button", name=re.compile("Show|Afficher")).click()
    expect(page.locator(".sheet-puzzles .picture")).to_have_count(3)
    assert violations(visitor.page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_run_says_whose_rules_hold(visit: Visit) -> None:
    visitor = visit(locale="fr-FR")
    for edition in ("2003", "1997"):
        puzzle = puzzles_for(game("diam", edition=edition))[0]
        for path in ("/puzzles/run", f"/puzzles/diam/run?edition={edition}"):
            open_puzzle(visitor, f"{path}#{puzzle.id}")
            expect(visitor.page.locator("#banner")).to_contain_text(f"Diam · édition {edition}")
