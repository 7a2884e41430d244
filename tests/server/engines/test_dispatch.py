"""Who answers for an engine, what is loaded before anybody asks, and what people are told."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import fake_engines
import pytest
from app_client import open_app
from waiting import until_true

from quinconce.core.match import Match, MatchData
from quinconce.core.registry import game
from quinconce.engine.levels import levels_of
from quinconce.server.engines import jobs
from quinconce.server.engines.dispatch import Engines, first_answer
from quinconce.server.engines.jobs import EngineQuestion
from quinconce.server.engines.pool import EnginePool

pytestmark = [pytest.mark.anyio, pytest.mark.sqlite("it never comes to the database")]
MATCH = MatchData("diam", (("edition", "2003"), ("players", "2")), None, ("r@1",))
QUESTION = EngineQuestion(MATCH, level=3, seed=0)


def thread_engines(*, workers: int = 1, preload: bool = False) -> Engines:
    """Engines whose processes are threads."""
    pool = EnginePool(workers, 10, lambda _question: "a move", ThreadPoolExecutor)
    return Engines(pool, preload=preload)


def form(name: str, **options: object) -> MatchData:
    """A form of a game as plain data."""
    return MatchData.of(Match(game(name, **options)))


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is loaded: the engine, or what is proved of a game."""
    found: list[object] = []
    monkeypatch.setattr(jobs, "load_engine", lambda: found.append("engine"))
    monkeypatch.setattr(jobs, "load_proofs", found.append)
    return found


async def test_all_that_is_asked_goes_to_one_queue() -> None:
    engines = thread_engines()
    assert await engines.choose_move(QUESTION) == "a move"
    assert await engines.run(lambda: "judged") == "judged"
    await engines.start()
    engines.close()


async def test_every_process_loads_the_engine_when_a_server_starts(loads: list[object]) -> None:
    engines = thread_engines(workers=3, preload=True)
    await engines.start()
    engines.close()
    assert loads == ["engine"] * 3


async def test_nothing_is_loaded_ahead_unless_that_is_wished(loads: list[object]) -> None:
    engines = thread_engines()
    await engines.start()
    await engines.expect(MATCH.rules())
    engines.close()
    assert loads == []


async def test_processes_are_started_beside_the_event_loop(
    loads: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Starting a process takes as long as many requests."""
    threads = set[int]()

    def pool(workers: int) -> ThreadPoolExecutor:
        threads.add(threading.get_ident())
        return ThreadPoolExecutor(workers)

    engines = Engines(EnginePool(1, 10, pool=pool), preload=True)
    await engines.start()
    engines.close()
    assert threads
    assert threading.get_ident() not in threads


async def test_it_is_known_who_thinks_and_who_waits() -> None:
    gate = fake_engines.Gate()
    engines = Engines(EnginePool(1, 10, gate.first_move, ThreadPoolExecutor))
    asked = []
    for key in ("first", "second", "third"):
        asked.append(asyncio.create_task(engines.choose_move(QUESTION, key=key)))
        await until_true(partial(engines.activity, key))
    found = [engines.activity(key) for key in ("first", "second", "third")]
    assert [each and each.ahead for each in found] == [0, 1, 2]
    assert [each and each.number for each in found] == [3] * 3
    assert engines.activity("fourth") is None
    gate.open()
    await asyncio.gather(*asked)
    assert engines.activity("first") is None
    engines.close()


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


async def test_what_is_proved_is_loaded_for_who_looks_at_a_game_or_begins_a_match(
    tmp_path: Path, loads: list[Any]
) -> None:
    seats = [{"kind": "me"}, {"kind": "engine", "level": 3}]
    async with open_app(tmp_path) as app:
        app.services.engines.source = thread_engines(preload=True)
        assert (await app.visitor.get("/game/seega?size=7")).status_code == 200
        await until_true(lambda: loads)
        assert loads.pop() == form("seega", size="7")
        await app.create_match(game="buts", seats=seats)
        await until_true(lambda: loads)
        assert loads == [form("buts")]
        await app.create_match(game="buts", seats=seats)
        assert len(loads) == 1
        app.services.engines.source.close()


async def test_an_engine_is_ready_for_every_game_at_once(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        for stage in ("play", "proofs", "puzzles"):
            told = (await app.visitor.get(f"/api/engine?game=seega&size=7&stage={stage}")).json()
            assert (told["state"], told["share"], told["words"]) == ("idle", None, None)
        assert (await app.visitor.get("/api/engine?game=chess")).status_code == 422
        assert (await app.visitor.get("/api/engine?game=seega&size=6")).status_code == 422
        assert (await app.visitor.get("/api/engine?game=seega&stage=tea")).status_code == 400


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
