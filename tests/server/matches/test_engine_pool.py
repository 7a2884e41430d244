"""Engines: where they think, how many may wait, and that they enter by the same door."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fake_engines
import pytest
from app_client import open_app

from quinconce.core.match import MatchData
from quinconce.server.errors import refusal_status
from quinconce.server.matches.engine_jobs import EngineQuestion, replay_cached
from quinconce.server.matches.engine_pool import EnginePool
from quinconce.server.matches.errors import BusyError

anyio = pytest.mark.anyio
MATCH = MatchData("diam", (("edition", "2003"), ("players", "2")), None, ("r@1",))
QUESTION = EngineQuestion(MATCH, level=3, seed=0)


def test_a_match_that_was_asked_about_before_is_played_on() -> None:
    first = replay_cached(MATCH)
    again = replay_cached(MATCH._replace(moves=("r@1", "m@1")))
    assert again is first
    assert again.moves == ["r@1", "m@1"]
    other = replay_cached(MATCH._replace(moves=("r@2",)))
    assert other is not first
    assert other.moves == ["r@2"]


@anyio
async def test_engines_think_in_processes_of_their_own_that_end_with_the_server() -> None:
    engines = EnginePool(1, 10, fake_engines.process_id)
    process = int(await engines.choose_move(QUESTION))
    assert process != os.getpid()
    assert int(await engines.choose_move(QUESTION)) == process
    engines.close()
    for _try in range(200):
        if not Path(f"/proc/{process}").exists():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("a process was left behind")


@anyio
async def test_nobody_waits_behind_too_many_others_and_hints_go_last() -> None:
    go = threading.Event()

    def slow(_question: EngineQuestion) -> str:
        go.wait(10)
        return "r@2"

    engines = EnginePool(1, 4, slow, ThreadPoolExecutor)
    asked = [asyncio.create_task(engines.choose_move(QUESTION)) for _n in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(BusyError) as refused:
        await engines.choose_move(QUESTION, hint=True)
    assert (refusal_status(refused.value), refused.value.code) == (429, "thinking")
    asked += [asyncio.create_task(engines.choose_move(QUESTION)) for _n in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(BusyError):
        await engines.choose_move(QUESTION)
    go.set()
    assert await asyncio.gather(*asked) == ["r@2"] * 4
    assert await engines.choose_move(QUESTION, hint=True) == "r@2"
    engines.close()


@anyio
async def test_a_slow_engine_stops_nobody_and_a_takeback_makes_its_move_stale(
    tmp_path: Path,
) -> None:
    go = threading.Event()

    def slow(question: EngineQuestion) -> str:
        if question.match.moves:
            go.wait(10)
        return fake_engines.first_move(question)

    async with open_app(tmp_path, slow) as app:
        match = await app.create_match(seats=[{"kind": "me"}, {"kind": "engine", "level": 1}])
        await match.play("r@1")
        view = (await match.send_ok(0, "agreements", matter="takeback"))["view"]
        assert view["moves"] == []
        go.set()  # not before: the engine has been thinking all the time
        await asyncio.sleep(0.2)
        assert (await match.view())["moves"] == []


@anyio
async def test_an_engine_that_plays_nonsense_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("quinconce.server.matches.engine_turns.RETRY_DELAY", 0.01)
    async with open_app(tmp_path, fake_engines.not_a_move) as app:
        match = await app.create_match(seats=[{"kind": "me"}, {"kind": "engine", "level": 1}])
        await match.play("r@1")
        await asyncio.sleep(0.5)
        view = await match.view()
        assert (view["moves"], view["scene"]["turn"]) == (["r@1"], 1)
        assert "the engine of match" in caplog.text
        view = (await match.send_ok(0, "resignations"))["view"]
        assert view["scene"]["outcome"]["winners"] == [1]


@anyio
async def test_a_move_is_thought_of_before_a_hint_that_came_first() -> None:
    go = threading.Event()
    thought: list[int] = []

    def think(question: EngineQuestion) -> str:
        go.wait(10)
        thought.append(question.seed)
        return "r@2"

    engines = EnginePool(1, 20, think, ThreadPoolExecutor)
    hints = (False, True, True, False, False)
    asked = [
        asyncio.create_task(engines.choose_move(QUESTION._replace(seed=n), hint=hint, key=str(n)))
        for n, hint in enumerate(hints)
    ]
    await asyncio.sleep(0)
    assert [engines.ahead_of(str(n)) for n in range(6)] == [0, 3, 4, 1, 2, None]
    asked[3].cancel()
    go.set()
    await asyncio.gather(*asked, return_exceptions=True)
    assert thought == [0, 4, 1, 2]
    assert engines.is_idle
    engines.close()
