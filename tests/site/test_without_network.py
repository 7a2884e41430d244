"""Everything without a network: played, reviewed, learnt, solved and analysed from what is kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browser_users import WINDOW, long
from playwright.sync_api import expect
from site_users import PHONE, FileServer, SiteUser, VisitSite

from quinconce.core.registry import game
from quinconce.puzzles.puzzle import puzzles_for
from quinconce.study.lesson_files import lessons_of

pytestmark = [pytest.mark.slow, pytest.mark.process]


def play_a_move(somebody: SiteUser) -> None:
    """The first legal move, and the engine's answer."""
    somebody.expect_my_turn()
    n = len(somebody.moves)
    somebody.touch(somebody.first_legal_move())
    expect(somebody.page.locator("#moves [data-ply]").nth(n + 1)).to_be_visible()


def take_a_step(somebody: SiteUser) -> None:
    """The first step of the first lesson, done; the next one opens in the same page."""
    first, second = lessons_of("diam")[0].steps[:2]
    somebody.open(f"/learn/diam/{first.id}")
    somebody.touch(first.answer)
    expect(somebody.page.locator(".steps .done")).to_have_count(1)
    somebody.page.click("[data-act=next]")
    expect(somebody.page).to_have_url(re.compile(rf"/learn/diam/{second.id}\.html$"))


def solve_a_puzzle(somebody: SiteUser) -> None:
    """The first puzzle of a game, solved."""
    puzzle = puzzles_for(game("diadema"))[0]
    somebody.open(f"/puzzles/diadema#{puzzle.id}")
    moves = somebody.page.locator("#moves [data-ply]")
    for ply in range(0, puzzle.plies, 2):
        expect(moves).to_have_count(ply)
        somebody.touch(puzzle.line[ply])
    expect(somebody.page.locator("#whisper")).to_have_text(re.compile("Solved!|Résolu"))


def analyse_a_position(somebody: SiteUser) -> None:
    """A move on the analysis board, and what the engine finds."""
    somebody.open("/analysis")
    move = somebody.first_legal_move()
    somebody.touch(move)
    expect(somebody.page.locator("#moves")).to_contain_text(move)


def play_and_take_back(somebody: SiteUser) -> None:
    """A game to its end, with a page that is loaded again in the middle, and a move taken back."""
    page = somebody.page
    somebody.start_match("diam", 1)
    play_a_move(somebody)
    play_a_move(somebody)
    played = somebody.moves
    page.reload()
    somebody.expect_my_turn()
    assert somebody.moves == played
    page.click("[data-act=takeback]")
    expect(page.locator("#moves [data-ply]")).to_have_count(len(played) - 2)
    somebody.check_page()
    page.evaluate("scrollTo(0, 0)")  # on a phone the button stands below the board
    somebody.play_to_the_end()


def review_the_game(somebody: SiteUser) -> None:
    """The review of the game that is over, to its end."""
    page = somebody.page
    page.click("[data-act=review]")
    expect(page.locator("#curve svg")).to_be_visible()
    expect(page.locator("#accuracy-line")).to_be_visible()
    somebody.check_page()


@pytest.mark.parametrize(
    ("language", "viewport"),
    [("en", WINDOW), *long([("fr", PHONE), ("en", PHONE), ("fr", WINDOW)])],
    ids=["en-wide", "fr-phone", "en-phone", "fr-wide"],
)
def test_everything_goes_on_without_a_network(
    language: str,
    viewport: dict[str, Any],
    visit_site: VisitSite,
    file_server: FileServer,
    tmp_path: Path,
) -> None:
    somebody = visit_site(language=language, viewport=viewport)
    page = somebody.page
    somebody.go("")
    expect(page).to_have_url(re.compile(rf"/{language}/index\.html$"))
    somebody.keep()
    somebody.check_page()
    file_server.stop()
    play_and_take_back(somebody)
    review_the_game(somebody)
    for walk in (take_a_step, solve_a_puzzle, analyse_a_position):
        walk(somebody)
        somebody.check_page()
    somebody.open("/")
    expect(page.locator(".own li")).to_have_count(1)
    with page.expect_download() as saved:
        page.click("#export")
    saved.value.save_as(tmp_path / "all.json")
    file_server.start()
    other = visit_site(language=language, viewport=viewport)
    other.open("/")
    expect(other.page.locator("#keep-here")).to_be_visible()
    other.page.set_input_files("#import", tmp_path / "all.json")
    expect(other.page.locator(".own li")).to_have_count(1)
    other.page.click(".own a")
    expect(other.page.locator("[data-act=rematch]")).to_be_visible()
