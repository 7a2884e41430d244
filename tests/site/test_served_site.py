"""A server that offers the folder: kept from there, played alone, and handed to it as a record."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser_users import BrowserPool, BrowserUser, LiveServer, violations
from playwright.sync_api import expect
from site_users import BELOW

pytestmark = [pytest.mark.slow, pytest.mark.process, pytest.mark.long]
JS_STATUS = "path => fetch(path).then(({status}) => status)"


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_a_game_begun_on_the_device_is_handed_to_the_server_as_a_record(
    locale: str, web_space: Path, tmp_path: Path, profiles: BrowserPool
) -> None:
    server = LiveServer(tmp_path, site=web_space / BELOW)
    own = BrowserPool(profiles.browser)  # a service worker stays with its browser
    somebody = BrowserUser(own, server, locale=locale)
    page = somebody.page
    try:
        somebody.go("/")
        page.click("#keep-site")
        expect(page).to_have_url(re.compile(rf"/site/{locale[:2]}/index\.html$"))
        page.click("#keep-here")
        expect(page.locator("#keep-here")).to_be_hidden()
        assert violations(page) == []
        server.stop()
        page.select_option("#level", "1")
        page.locator("a[data-game=diadema]:visible").click()
        somebody.expect_my_turn()
        n = len(somebody.moves)
        somebody.touch(somebody.first_legal_move())
        expect(page.locator("#moves [data-ply]")).to_have_count(n + 2)
        played = somebody.moves
        somebody.open_menu()
        with page.expect_download() as saved:
            page.click("#keep a[data-asks*=record]")
        saved.value.save_as(tmp_path / "mine.quinconce")
        server.start()
        somebody.go("/analysis#file")
        page.set_input_files("#file", tmp_path / "mine.quinconce")
        expect(page.locator("#moves [data-ply]").nth(len(played) - 1)).to_be_visible()
        assert somebody.moves == played
        # What the device keeps stands in for no answer of the server, and for none of its pages.
        assert page.evaluate(JS_STATUS, "/api/me") == 200
        assert page.evaluate(JS_STATUS, "/site/nothing") == 404
        somebody.console_errors = [
            line for line in somebody.console_errors if "Failed to load" not in line
        ]
    finally:
        somebody.context.close()
        server.stop()
    assert somebody.console_errors == []
