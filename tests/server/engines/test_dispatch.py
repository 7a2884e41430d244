"""Who answers for an engine: plain Python until a game is compiled, compiled code from then on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import fake_engines
import pytest
from app_client import AppClient, open_app
from fake_warmups import FakeCompiler, play, step
from waiting import PATIENCE, until_true

from quinconce.core.match import MatchData
from quinconce.engine.levels import levels_of
from quinconce.server.engines.dispatch import Engines, first_answer, make_local_engines
from quinconce.server.engines.jobs import EngineQuestion
from quinconce.server.engines.pool import EnginePool
from quinconce.server.settings import Settings

pytestmark = [pytest.mark.anyio, pytest.mark.sqlite("it never comes to the database")]
MATCH = MatchData("diam", (("edition", "2003"), ("players", "2")), None, ("r@1",))
QUESTION = EngineQuestion(MATCH, level=3, seed=0)
FULL_STRENGTH = QUESTION._replace(level=10)
DIAM = play("diam")


class FakeEngines:
    """Engines whose two kinds of processes are threads that say which they are."""

    def __init__(self) -> None:
        self.compiler = FakeCompiler()
        self.plain_go = threading.Event()
        self.plain_go.set()
        self.engines = Engines(
            EnginePool(1, 10, lambda _question: "compiled", ThreadPoolExecutor),
            EnginePool(1, 10, self.think_plainly, ThreadPoolExecutor),
            self.compiler.warmup(),
        )

    def think_plainly(self, question: EngineQuestion) -> str:
        assert self.plain_go.wait(PATIENCE)
        if question.level == 10:
            raise ValueError("something is proved")
        return "plain"

    def compile_now(self) -> None:
        """What is wanted next is compiled at once."""
        self.compiler.finish()

    def close(self) -> None:
        self.plain_go.set()
        self.compiler.finish(10)
        self.engines.close()


@pytest.fixture
def fake() -> Any:
    made = FakeEngines()
    yield made
    made.close()


async def test_plain_python_plays_until_a_game_is_compiled(fake: FakeEngines) -> None:
    engines = fake.engines
    assert await engines.choose_move(QUESTION) == "plain"
    assert fake.compiler.begun == [DIAM]
    assert await engines.choose_move(QUESTION) == "plain"
    fake.compile_now()
    await until_true(lambda: DIAM in fake.compiler.done)
    assert await engines.choose_move(QUESTION) == "compiled"
    assert fake.compiler.begun == [DIAM]


async def test_compiled_code_answers_if_it_is_there_before_plain_python_has_thought(
    fake: FakeEngines,
) -> None:
    fake.plain_go.clear()
    asked = asyncio.create_task(fake.engines.choose_move(QUESTION))
    await until_true(lambda: fake.compiler.begun)
    fake.compile_now()
    assert await asked == "compiled"


async def test_full_strength_waits_where_something_is_proved_and_says_how_far_it_is(
    fake: FakeEngines,
) -> None:
    engines = fake.engines
    asked = asyncio.create_task(engines.choose_move(FULL_STRENGTH, key="a match"))
    await until_true(lambda: fake.compiler.begun)
    fake.compiler.show(20)
    await until_true(lambda: engines.plain and engines.plain.is_idle)
    activity = engines.activity("a match")
    assert activity
    assert activity.waits
    assert activity.number == 10
    assert activity.share is not None
    assert 0 < activity.share < 1
    assert not asked.done()
    fake.compile_now()
    assert await asked == "compiled"
    assert engines.activity("a match") is None


def has_ticket(engines: Engines, key: str) -> bool:
    return engines.plain is not None and engines.plain.ahead_of(key) is not None


async def test_it_is_known_who_thinks_and_who_waits(fake: FakeEngines) -> None:
    engines = fake.engines
    fake.plain_go.clear()
    asked = []
    for key in ("first", "second", "third"):
        asked.append(asyncio.create_task(engines.choose_move(QUESTION, key=key)))
        await until_true(partial(has_ticket, engines, key))
    found = [engines.activity(key) for key in ("first", "second", "third")]
    assert [each and each.ahead for each in found] == [0, 1, 2]
    assert [each and each.waits for each in found] == [False] * 3
    assert [each and each.number for each in found] == [3] * 3
    assert engines.activity("fourth") is None
    fake.plain_go.set()
    assert await asyncio.gather(*asked) == ["plain"] * 3


async def test_what_has_to_be_certain_waits_for_compiled_code(fake: FakeEngines) -> None:
    engines = fake.engines
    judging = step("diam", "puzzles")
    asked = asyncio.create_task(engines.run(lambda: "judged", step=judging))
    await until_true(lambda: fake.compiler.begun)
    assert engines.share(judging) == 0
    fake.compiler.show(25)
    half = engines.share(judging)
    assert half
    fake.compile_now()
    await until_true(lambda: len(fake.compiler.begun) == 2)
    assert fake.compiler.begun == [DIAM, judging]
    share = engines.share(judging)
    assert share
    assert half < share < 1
    assert not asked.done()
    fake.compile_now()
    assert await asked == "judged"
    assert engines.share(judging) is None


async def test_a_warmup_that_dies_harms_nobody(fake: FakeEngines) -> None:
    fake.compiler.errors = [MemoryError() for _each in range(6)]
    asked = asyncio.create_task(fake.engines.choose_move(FULL_STRENGTH))
    await until_true(lambda: fake.compiler.begun)
    fake.compiler.finish(6)
    assert await asked == "compiled"  # which compiles for itself, then


async def test_plain_processes_go_when_everything_is_compiled(
    fake: FakeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = fake.engines
    assert engines.plain
    closed: list[bool] = []
    monkeypatch.setattr(engines.plain, "close", lambda: closed.append(True))
    await engines.choose_move(QUESTION)
    await engines.release_plain()
    assert not closed
    fake.compile_now()
    await until_true(lambda: engines.warmup and engines.warmup.is_idle)
    await engines.release_plain()
    assert closed


async def test_processes_are_started_and_ended_beside_the_event_loop(
    fake: FakeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Starting a process takes as long as many requests."""
    engines, threads = fake.engines, set[int]()
    assert engines.warmup
    assert engines.plain
    for owner, name in [
        (engines.warmup, "prefer"),
        (engines.warmup, "start"),
        (engines.plain, "_open_pool"),
        (engines.plain, "close"),
    ]:
        called: Callable[..., Any] = getattr(owner, name)

        def note(*about: Any, called: Callable[..., Any] = called) -> Any:
            threads.add(threading.get_ident())
            return called(*about)

        monkeypatch.setattr(owner, name, note)
    monkeypatch.setattr("quinconce.server.engines.jobs.load_engine", lambda _forms: None)
    await engines.start()
    await engines.prefer(DIAM)
    await until_true(lambda: fake.compiler.begun)
    fake.compile_now()
    await until_true(lambda: engines.warmup and engines.warmup.is_idle)
    await engines.release_plain()
    assert threads
    assert threading.get_ident() not in threads


async def test_without_a_warmup_everything_goes_to_one_pool() -> None:
    engines = Engines(EnginePool(1, 10, lambda _question: "compiled", ThreadPoolExecutor))
    assert await engines.choose_move(QUESTION) == "compiled"
    assert await engines.run(lambda: "judged", step=step("diam", "puzzles")) == "judged"
    assert engines.share(DIAM) is None
    await engines.start()
    engines.close()


def test_a_server_warms_up_only_if_it_is_told_to() -> None:
    assert make_local_engines(Settings(), None, ThreadPoolExecutor).warmup is None
    assert make_local_engines(Settings(warm_up=True), None, ThreadPoolExecutor).warmup


async def test_the_first_answer_counts_and_an_error_only_if_there_is_no_answer() -> None:
    failed = asyncio.Event()

    async def fail() -> str:
        failed.set()
        raise ValueError("no")

    async def answer() -> str:
        return "yes"

    async def answer_last() -> str:
        await failed.wait()
        return "yes"

    async def never() -> str:
        await asyncio.Event().wait()
        return "late"

    assert await first_answer(answer(), never()) == "yes"
    assert await first_answer(fail(), answer_last()) == "yes"
    with pytest.raises(ValueError, match="no"):
        await first_answer(fail(), fail())


# In a server.


def use_engines(app: AppClient, fake: FakeEngines) -> None:
    """Let a server have these engines, though their moves are none."""
    app.services.engines.source = fake.engines


async def test_the_page_of_a_game_brings_its_engine_to_the_front(
    tmp_path: Path, fake: FakeEngines
) -> None:
    async with open_app(tmp_path) as app:
        use_engines(app, fake)
        assert (await app.visitor.get("/game/seega?size=7")).status_code == 200
        await until_true(lambda: fake.compiler.begun)
        assert fake.compiler.begun == [play("seega", size=7)]
        assert (await app.visitor.get("/puzzles/buts")).status_code == 200
        fake.compile_now()
        await until_true(lambda: len(fake.compiler.begun) == 2)
        assert fake.compiler.begun[1] == play("buts")


async def test_a_match_tells_what_its_engine_is_doing(tmp_path: Path, fake: FakeEngines) -> None:
    async with open_app(tmp_path) as app:
        use_engines(app, fake)
        seats = [{"kind": "engine", "level": 10}, {"kind": "me"}]
        match = await app.create_match(seats=seats)
        path = f"{match.path}/engine"
        await until_true(lambda: fake.compiler.begun)
        fake.compiler.show(21)
        await until_true(lambda: fake.engines.plain and fake.engines.plain.is_idle)
        told = (await app.visitor.get(path)).json()
        assert told["state"] == "preparing"
        assert told["level"] == 10
        assert told["seq"] == 0
        assert told["words"] == "Preparing full strength for Diam (first time only): about 40 %"
        french = (await app.visitor.get(f"{path}?lang=fr")).json()["words"]
        assert french == (
            "Préparation de la pleine force pour Diam (la première fois seulement)\u00a0: "
            "environ 40\u00a0%"
        )


async def test_how_far_a_game_is_prepared_is_told_without_a_match(
    tmp_path: Path, fake: FakeEngines
) -> None:
    async with open_app(tmp_path) as app:
        use_engines(app, fake)
        path = "/api/engine?game=seega&size=7"
        told = (await app.visitor.get(path)).json()
        assert told["state"] == "preparing"
        assert told["words"] == "The engine is about to be prepared for Seega."
        fake.compiler.done.add(play("seega", size=7))
        told = (await app.visitor.get(path)).json()
        assert (told["state"], told["share"], told["words"]) == ("idle", None, None)
        told = (await app.visitor.get(f"{path}&stage=puzzles")).json()
        assert told["state"] == "preparing"
        assert (await app.visitor.get("/api/engine?game=chess")).status_code == 422
        assert (await app.visitor.get("/api/engine?game=seega&size=6")).status_code == 422


async def test_an_engine_that_thinks_or_is_busy_is_told_in_words(tmp_path: Path) -> None:
    gate = fake_engines.Gate()
    async with open_app(tmp_path, gate.first_move) as app:
        seats = [{"kind": "engine", "level": 7}, {"kind": "me"}]
        first = await app.create_match(seats=seats)
        engines = app.services.engines
        await until_true(lambda: engines.activity(first.id))
        second = await app.create_match(seats=seats)
        await until_true(lambda: engines.activity(second.id))
        told = [(await app.visitor.get(f"{each.path}/engine")).json() for each in (first, second)]
        assert [each["state"] for each in told] == ["thinking", "queued"]
        assert [each["ahead"] for each in told] == [0, 1]
        looked_at = levels_of("diam-2003-2")[6].nodes
        assert told[0]["words"] == f"The engine (level 7) looks at {looked_at:,} positions."
        assert told[1]["words"] == "The engine is busy: 1 question comes before yours."
        gate.open()
        await until_true(lambda: not engines.activity(second.id))
        told = [(await app.visitor.get(f"{each.path}/engine")).json() for each in (first, second)]
        assert [(each["state"], each["words"]) for each in told] == [("idle", None)] * 2
