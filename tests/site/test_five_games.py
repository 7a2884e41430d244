"""The five games against the engine, to their end, kept on the device and without a network."""

from __future__ import annotations

from typing import Any

import pytest
from browser_users import WINDOW, violations
from playwright.sync_api import expect
from site_users import FileServer, SiteUser, VisitSite

pytestmark = [pytest.mark.slow, pytest.mark.process, pytest.mark.long]
PHONE = {"width": 360, "height": 740}
LEVEL = 5
MOST_MOVES = 400  # no game against the first legal move lasts so long
GAMES = [("diam", "2003"), ("diam", "1997"), ("diadema", ""), ("seega", ""), ("buts", "")]


def play_to_the_end(somebody: SiteUser) -> None:
    """The first legal move again and again, until the game is over."""
    page = somebody.page
    moves, over = page.locator("#moves [data-ply]"), page.locator("[data-act=rematch]")
    for _ in range(MOST_MOVES):
        expect(page.locator("#status.mine, [data-act=rematch]:visible").first).to_be_visible()
        if over.is_visible():
            return
        n = moves.count()
        somebody.touch(somebody.first_legal_move())
        expect(moves.nth(n)).to_be_visible()
    pytest.fail("the game does not end")


@pytest.mark.parametrize("viewport", [WINDOW, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_game_is_played_to_its_end(
    language: str, viewport: dict[str, Any], visit_site: VisitSite, file_server: FileServer
) -> None:
    somebody = visit_site(language=language, viewport=viewport)
    page = somebody.page
    somebody.open("/")
    somebody.keep()
    assert violations(page) == []
    file_server.stop()
    for game, edition in GAMES:
        somebody.start_match(game, LEVEL, edition)
        play_to_the_end(somebody)
        assert violations(page) == []
        page.click("[data-act=review]")
        expect(page.locator("#accuracy-line")).to_be_visible()
    somebody.open("/")
    expect(page.locator(".own li")).to_have_count(len(GAMES))
