"""Engines: where they think, how many may wait, and that they enter by the same door."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fake_engines
import pytest
from app_client import hosted

from quinconce.server.errors import RefusalError
from quinconce.server.matches.engine_pool import Engines, Question, match_of

anyio = pytest.mark.anyio
QUESTION = Question("diam", {"edition": "2003", "players": "2"}, None, ("r@1",), 3, 0)


def test_a_match_that_was_asked_about_before_is_played_on() -> None:
    first = match_of(QUESTION)
    again = match_of(QUESTION._replace(moves=("r@1", "m@1")))
    assert again is first
    assert again.moves == ["r@1", "m@1"]
    other = match_of(QUESTION._replace(moves=("r@2",)))
    assert other is not first
    assert other.moves == ["r@2"]


@anyio
async def test_engines_think_in_processes_of_their_own_that_end_with_the_house() -> None:
    engines = Engines(1, 10, fake_engines.where)
    process = int(await engines.choose(QUESTION))
    assert process != os.getpid()
    assert int(await engines.choose(QUESTION)) == process
    engines.close()
    for _try in range(200):
        if not Path(f"/proc/{process}").exists():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("a process was left behind")


@anyio
async def test_nobody_waits_behind_too_many_others_and_hints_go_last() -> None:
    go = threading.Event()

    def slow(_question: Question) -> str:
        go.wait(10)
        return "r@2"

    engines = Engines(1, 4, slow, ThreadPoolExecutor)
    asked = [asyncio.create_task(engines.choose(QUESTION)) for _n in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(RefusalError) as refused:
        await engines.choose(QUESTION, hint=True)
    assert (refused.value.status, refused.value.code) == (429, "thinking")
    asked += [asyncio.create_task(engines.choose(QUESTION)) for _n in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(RefusalError):
        await engines.choose(QUESTION)
    go.set()
    assert await asyncio.gather(*asked) == ["r@2"] * 4
    assert await engines.choose(QUESTION, hint=True) == "r@2"
    engines.close()


@anyio
async def test_a_house_without_engine_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quinconce.server.matches.engine_pool.there_is_an_engine", lambda: False)
    async with hosted(tmp_path, None) as house:
        seats = [{"kind": "me"}, {"kind": "engine", "level": 1}]
        answer = await house.visitor.post("/api/matches", {"game": "diam", "seats": seats})
        assert (answer.status_code, answer.json()["code"]) == (503, "engine")
        table = await house.table(seats=[{"kind": "me"}, {"kind": "here"}])
        assert (await house.visitor.post(f"{table.path}/hints")).status_code == 503
        assert not (await house.visitor.get("/api/health")).json()["engine"]


@anyio
async def test_a_slow_engine_stops_nobody_and_a_takeback_makes_its_move_stale(
    tmp_path: Path,
) -> None:
    go = threading.Event()

    def slow(question: Question) -> str:
        if question.moves:
            go.wait(10)
        return fake_engines.first(question)

    async with hosted(tmp_path, slow) as house:
        table = await house.table(seats=[{"kind": "me"}, {"kind": "engine", "level": 1}])
        await table.play("r@1")
        view = (await table.done(0, "agreements", matter="takeback"))["view"]
        assert view["moves"] == []
        go.set()  # not before: the engine has been thinking all the time
        await asyncio.sleep(0.2)
        assert (await table.view())["moves"] == []


@anyio
async def test_an_engine_that_plays_nonsense_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("quinconce.server.matches.engine_turns.PAUSE", 0.01)
    async with hosted(tmp_path, fake_engines.wrong) as house:
        table = await house.table(seats=[{"kind": "me"}, {"kind": "engine", "level": 1}])
        await table.play("r@1")
        await asyncio.sleep(0.5)
        view = await table.view()
        assert (view["moves"], view["scene"]["turn"]) == (["r@1"], 1)
        assert "the engine of match" in caplog.text
        view = (await table.done(0, "resignations"))["view"]
        assert view["scene"]["outcome"]["winners"] == [1]
