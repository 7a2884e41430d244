"""Engines: where they think, how many may wait, and that they enter by the same door."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fake_engines
import psutil
import pytest
from app_client import open_app
from waiting import until_true

from quinconce.core.errors import NoHostError
from quinconce.core.match import MatchData
from quinconce.core.phrase import _
from quinconce.server.engines.jobs import EngineQuestion, replay_cached
from quinconce.server.engines.pool import EnginePool
from quinconce.server.engines.turns import MAX_TRIES
from quinconce.server.errors import refusal_status
from quinconce.server.refusals import BusyError

anyio = pytest.mark.anyio
pytestmark = pytest.mark.sqlite("it never comes to the database")
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
@pytest.mark.process
async def test_engines_think_in_processes_of_their_own_that_end_with_the_server() -> None:
    engines = EnginePool(1, 10, fake_engines.process_id)
    process = int(await engines.choose_move(QUESTION))
    assert process != os.getpid()
    assert int(await engines.choose_move(QUESTION)) == process
    engines.close()
    await until_true(lambda: not psutil.pid_exists(process))


@anyio
async def test_nobody_waits_behind_too_many_others_and_hints_go_last() -> None:
    gate = fake_engines.Gate()
    engines = EnginePool(1, 4, gate.first_move, ThreadPoolExecutor)
    asked = [asyncio.create_task(engines.choose_move(QUESTION)) for _n in range(2)]
    await until_true(lambda: engines.load == (1, 1, 0))
    with pytest.raises(BusyError) as refused:
        await engines.choose_move(QUESTION, hint=True)
    assert (refusal_status(refused.value), refused.value.code) == (429, "thinking")
    asked += [asyncio.create_task(engines.choose_move(QUESTION)) for _n in range(2)]
    await until_true(lambda: engines.load == (3, 1, 0))
    with pytest.raises(BusyError):
        await engines.choose_move(QUESTION)
    gate.open()
    assert await asyncio.gather(*asked) == ["m@1"] * 4
    assert await engines.choose_move(QUESTION, hint=True) == "m@1"
    engines.close()


@anyio
async def test_a_slow_engine_stops_nobody_and_a_takeback_makes_its_move_stale(
    tmp_path: Path,
) -> None:
    gate = fake_engines.Gate()

    def slow(question: EngineQuestion) -> str:
        if question.match.moves:
            gate.wait()
        return fake_engines.first_move(question)

    async with open_app(tmp_path, slow) as app:
        match = await app.create_match(seats=[{"kind": "me"}, {"kind": "engine", "level": 1}])
        await match.play("r@1")
        await until_true(lambda: gate.arrivals)
        view = (await match.send_ok(0, "agreements", matter="takeback"))["view"]
        assert view["moves"] == []
        gate.open()  # not before: the engine has been thinking all the time
        await app.finish_turns()
        assert (await match.view())["moves"] == []


@anyio
async def test_an_engine_that_plays_nonsense_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("quinconce.server.engines.turns.RETRY_DELAY", 0.01)
    async with open_app(tmp_path, fake_engines.not_a_move) as app:
        match = await app.create_match(seats=[{"kind": "me"}, {"kind": "engine", "level": 1}])
        await match.play("r@1")
        complaint = f"the engine of match {match.id} failed"
        await until_true(lambda: caplog.text.count(complaint) == MAX_TRIES)
        await app.finish_turns()
        view = await match.view()
        assert (view["moves"], view["scene"]["turn"]) == (["r@1"], 1)
        view = (await match.send_ok(0, "resignations"))["view"]
        assert view["scene"]["outcome"]["winners"] == [1]


@anyio
async def test_where_no_engine_runs_the_log_says_why_and_people_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def run_nowhere(_question: EngineQuestion) -> str:
        raise NoHostError(_("the engine does not answer"))

    monkeypatch.setattr("quinconce.server.engines.turns.RETRY_DELAY", 0.01)
    async with open_app(tmp_path, run_nowhere) as app:
        match = await app.create_match(seats=[{"kind": "me"}, {"kind": "engine", "level": 1}])
        refused = await match.send(0, "hints")
        assert (refused.status_code, refused.json()["error"]) == (422, "the engine does not answer")
        await match.play("r@1")
        told = f"the engine of match {match.id}: the engine does not answer"
        await until_true(lambda: caplog.messages.count(told) == MAX_TRIES)
        await app.finish_turns()
        assert "Traceback" not in caplog.text
        assert (await match.view())["moves"] == ["r@1"]


@anyio
async def test_a_move_is_thought_of_before_a_hint_that_came_first() -> None:
    gate = fake_engines.Gate()
    thought: list[int] = []

    def think(question: EngineQuestion) -> str:
        gate.wait()
        thought.append(question.seed)
        return "r@2"

    engines = EnginePool(1, 20, think, ThreadPoolExecutor)
    hints = (False, True, True, False, False)
    asked = [
        asyncio.create_task(engines.choose_move(QUESTION._replace(seed=n), hint=hint, key=str(n)))
        for n, hint in enumerate(hints)
    ]
    await until_true(lambda: engines.load == (4, 1, 0))
    assert [engines.ahead_of(str(n)) for n in range(6)] == [0, 3, 4, 1, 2, None]
    asked[3].cancel()
    gate.open()
    await asyncio.gather(*asked, return_exceptions=True)
    assert thought == [0, 4, 1, 2]
    assert engines.is_idle
    engines.close()
