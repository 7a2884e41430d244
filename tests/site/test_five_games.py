"""The five games against the engine, to their end, kept on the device and without a network."""

from __future__ import annotations

from typing import Any

import pytest
from browser_users import WINDOW
from playwright.sync_api import expect
from site_users import PHONE, FileServer, VisitSite

pytestmark = [pytest.mark.slow, pytest.mark.process, pytest.mark.long]
LEVEL = 5
GAMES = [("diam", "2003"), ("diam", "1997"), ("diadema", ""), ("seega", ""), ("buts", "")]


@pytest.mark.parametrize("viewport", [WINDOW, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_game_is_played_to_its_end(
    language: str, viewport: dict[str, Any], visit_site: VisitSite, file_server: FileServer
) -> None:
    somebody = visit_site(language=language, viewport=viewport)
    page = somebody.page
    somebody.open("/")
    somebody.keep()
    somebody.check_page()
    file_server.stop()
    for game, edition in GAMES:
        somebody.start_match(game, LEVEL, edition)
        somebody.play_to_the_end()
        somebody.check_page()
        page.click("[data-act=review]")
        expect(page.locator("#accuracy-line")).to_be_visible()
    somebody.open("/")
    expect(page.locator(".own li")).to_have_count(len(GAMES))
