"""What a page says while the computers on which engines think cannot be reached."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import fake_engines
import pytest
from browser_users import LiveServer, Visit, long
from playwright.sync_api import expect

from quinconce.server.matches.engine_dispatch import Engines
from quinconce.server.matches.engine_jobs import EngineQuestion
from quinconce.server.matches.engine_pool import EnginePool

ENGINE, ME = {"kind": "engine", "level": 3}, {"kind": "me"}
ENGLISH = (
    "The engine’s computers cannot be reached. Nothing is lost: it goes on when they are back."
)
FRENCH = (
    "Les ordinateurs du moteur sont injoignables. Rien n’est perdu\u00a0: il reprendra dès leur "
    "retour."
)


class FakeCluster(EnginePool):
    """Engines that are away until they come back."""

    def __init__(self) -> None:
        super().__init__(1, 24, self.think, ThreadPoolExecutor)
        self.is_away = True
        self.gate = fake_engines.Gate()

    def think(self, question: EngineQuestion) -> str:
        self.gate.wait()
        return fake_engines.random_move(question)

    def come_back(self) -> None:
        self.is_away = False
        self.gate.open()


@pytest.fixture
def engines(own_server: LiveServer) -> Iterator[FakeCluster]:
    made = FakeCluster()
    app: Any = own_server.server.config.app
    services = app.state.services
    services.engines = services.engine_turns.engines = Engines(made)
    yield made
    made.come_back()


@pytest.mark.parametrize(("locale", "words"), [("en-GB", ENGLISH), *long([("fr-FR", FRENCH)])])
def test_a_game_waits_says_why_and_goes_on(
    own_server: LiveServer, engines: FakeCluster, visit: Visit, locale: str, words: str
) -> None:
    visitor = visit(own_server, locale=locale)
    visitor.make("diadema", [ENGINE, ME])
    whisper = visitor.page.locator("#whisper")
    expect(whisper).to_have_text(words)
    visitor.screenshot(f"engines-away-{locale[:2]}")
    engines.come_back()
    visitor.expect_my_turn()
    expect(whisper).not_to_have_text(words)
    assert len(visitor.moves) == 1
