"""What a page says while it waits for an engine that is being prepared."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import fake_engines
import pytest
from browser_users import LiveServer, Visit
from fake_warmups import FakeCompiler, play, step
from playwright.sync_api import Route, expect

from quinconce.core.registry import game
from quinconce.puzzles.judge import MoveJudgement
from quinconce.puzzles.puzzle import puzzles_for
from quinconce.server.matches.engine_dispatch import Engines
from quinconce.server.matches.engine_jobs import AttemptQuestion, EngineQuestion
from quinconce.server.matches.engine_pool import EnginePool

ENGINE, ME = {"kind": "engine", "level": 10}, {"kind": "me"}
ENGLISH = "Preparing full strength for Diädema (first time only): about 40 %"
FRENCH = (
    "Préparation de la pleine force pour Diädema (la première fois seulement)\u00a0: "
    "environ 40\u00a0%"
)
FUNCTIONS = 20  # that are compiled


def refuse(_question: EngineQuestion) -> str:
    raise ValueError("something is proved: only compiled code may answer")


@pytest.fixture
def compiler(own_server: LiveServer) -> Iterator[FakeCompiler]:
    """What compiles for a server whose engines are not compiled yet."""
    made = FakeCompiler()
    app: Any = own_server.server.config.app
    compiled = EnginePool(1, 24, fake_engines.random_move, ThreadPoolExecutor)
    plain = EnginePool(1, 24, refuse, ThreadPoolExecutor)
    app.state.services.engines = Engines(compiled, plain, made.warmup())
    app.state.services.engine_turns.engines = app.state.services.engines
    yield made
    made.finish(10)


def test_the_page_says_what_is_prepared_and_how_far_until_the_engine_moves(
    own_server: LiveServer, compiler: FakeCompiler, visit: Visit
) -> None:
    visitor = visit(own_server)
    visitor.make("diadema", [ENGINE, ME])
    compiler.wait_for(play("diadema"))
    compiler.show(FUNCTIONS)
    whisper = visitor.page.locator("#whisper")
    expect(whisper).to_have_text(ENGLISH)
    visitor.screenshot("engine-preparing")
    compiler.show(2 * FUNCTIONS)
    expect(whisper).to_contain_text("about 80 %")
    compiler.finish()
    visitor.expect_my_turn()
    expect(whisper).not_to_contain_text("Preparing")
    assert len(visitor.moves) == 1


@pytest.mark.long
def test_a_question_that_is_lost_is_asked_again(
    own_server: LiveServer, compiler: FakeCompiler, visit: Visit
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
    compiler.wait_for(play("diadema"))
    compiler.show(FUNCTIONS)
    expect(visitor.page.locator("#whisper")).to_contain_text(ENGLISH)
    assert len(lost) == 2


def test_a_page_that_was_not_told_of_a_move_finds_it_while_it_waits(
    own_server: LiveServer, compiler: FakeCompiler, visit: Visit
) -> None:
    visitor = visit(own_server)
    visitor.page.route("**/api/matches/*/events*", lambda route: None)  # never answered
    visitor.make("diadema", [ENGINE, ME])
    compiler.wait_for(play("diadema"))
    compiler.finish()
    visitor.expect_my_turn()


@pytest.mark.long
def test_who_waits_for_a_hint_is_told_too(
    own_server: LiveServer, compiler: FakeCompiler, visit: Visit
) -> None:
    visitor = visit(own_server, locale="fr-FR")
    visitor.make("diadema", [ME, {"kind": "engine", "level": 1}])
    compiler.wait_for(play("diadema"))
    visitor.page.click("[data-act=hint]")
    compiler.show(FUNCTIONS)
    expect(visitor.page.locator("#whisper")).to_contain_text(FRENCH)
    compiler.finish()
    expect(visitor.page.locator("#whisper")).to_contain_text("Un bon coup")


@pytest.mark.long
def test_who_tries_a_puzzle_is_told_too(
    own_server: LiveServer, compiler: FakeCompiler, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge(attempt: AttemptQuestion) -> MoveJudgement:
        return MoveJudgement("solved", attempt.moves)

    monkeypatch.setattr("quinconce.server.routes.puzzles.judge_attempt", judge)
    puzzle = puzzles_for(game("diadema"))[0]
    visitor = visit(own_server)
    visitor.go(f"/puzzles/diadema#{puzzle.id}")
    compiler.wait_for(play("diadema"))
    expect(visitor.page.locator(".numbers [aria-current]")).to_have_count(1)
    visitor.page.fill("#typed-move", puzzle.line[0])
    visitor.page.press("#typed-move", "Enter")
    compiler.show(FUNCTIONS)
    whisper = visitor.page.locator("#whisper")
    expect(whisper).to_have_text("Preparing the engine for Diädema (first time only): about 30 %")
    compiler.finish()
    compiler.wait_for(play("diadema"), step("diadema", "puzzles"))
    compiler.finish()
    expect(whisper).to_contain_text("Solved")
