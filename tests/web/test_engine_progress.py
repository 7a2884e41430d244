"""What a page says while it waits for an engine that thinks."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import fake_engines
import pytest
from browser_users import LiveServer, Visit, long
from playwright.sync_api import Route, expect

from quinconce.server.engines.dispatch import Engines
from quinconce.server.engines.pool import EnginePool

ENGINE, ME = {"kind": "engine", "level": 10}, {"kind": "me"}
ENGLISH = "The engine (level 10) looks up what is proved and thinks for up to "
FRENCH = "Le moteur (niveau 10) consulte ce qui est prouvé et réfléchit "


@pytest.fixture
def gate(own_server: LiveServer) -> Iterator[fake_engines.Gate]:
    """Where the engines of a server wait."""
    made = fake_engines.Gate()
    app: Any = own_server.server.config.app
    pool = EnginePool(1, 24, made.first_move, ThreadPoolExecutor)
    app.state.services.engines.source = Engines(pool)
    yield made
    made.open()


@pytest.mark.parametrize(("locale", "words"), [("en-GB", ENGLISH), *long([("fr-FR", FRENCH)])])
def test_the_page_says_what_a_slow_engine_does_until_it_moves(
    own_server: LiveServer, gate: fake_engines.Gate, visit: Visit, locale: str, words: str
) -> None:
    visitor = visit(own_server, locale=locale)
    visitor.make("diadema", [ENGINE, ME])
    whisper = visitor.page.locator("#whisper")
    expect(whisper).to_contain_text(words)
    gate.open()
    visitor.expect_my_turn()
    expect(whisper).not_to_contain_text(words)
    assert len(visitor.moves) == 1


@pytest.mark.long
def test_a_question_that_is_lost_is_asked_again(
    own_server: LiveServer, gate: fake_engines.Gate, visit: Visit
) -> None:
    visitor = visit(own_server)
    lost: list[str] = []

    def lose_some(route: Route) -> None:
        if len(lost) < 2:
            lost.append(route.request.url)
            route.fulfill(status=404, body="lost")
        else:
            route.fallback()

    visitor.page.route("**/api/matches/*/engine", lose_some)
    visitor.make("diadema", [ENGINE, ME])
    expect(visitor.page.locator("#whisper")).to_contain_text(ENGLISH)
    assert len(lost) == 2


def test_a_page_that_was_not_told_of_a_move_finds_it_while_it_waits(
    own_server: LiveServer, gate: fake_engines.Gate, visit: Visit
) -> None:
    visitor = visit(own_server)
    visitor.page.route("**/api/matches/*/events*", lambda route: None)  # never answered
    visitor.make("diadema", [ENGINE, ME])
    gate.open()
    visitor.expect_my_turn()


@pytest.mark.long
def test_who_waits_for_a_hint_is_told_too(
    own_server: LiveServer, gate: fake_engines.Gate, visit: Visit
) -> None:
    visitor = visit(own_server, locale="fr-FR")
    visitor.make("diadema", [ME, {"kind": "engine", "level": 1}])
    visitor.page.click("[data-act=hint]")
    expect(visitor.page.locator("#whisper")).to_contain_text(FRENCH)
    gate.open()
    expect(visitor.page.locator("#whisper")).to_contain_text("Un bon coup")
