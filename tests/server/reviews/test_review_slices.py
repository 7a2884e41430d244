"""A position of a review is looked at slice by slice, behind every move that a player waits for."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor

import pytest
from waiting import PATIENCE, until_true

from quinconce.core.match import MatchData
from quinconce.server.engines.dispatch import Engines
from quinconce.server.engines.jobs import EngineQuestion, report_slice
from quinconce.server.engines.pool import EnginePool
from quinconce.server.refusals import EngineFailedError
from quinconce.study.review import PositionReport

pytestmark = [pytest.mark.anyio, pytest.mark.sqlite("it never comes to the database")]
MATCH = MatchData("diam", (("edition", "2003"), ("players", "2")), None, ("r@1",))


async def test_a_move_waits_for_one_slice_of_a_review_and_no_more() -> None:
    begun: list[str] = []
    allowed = threading.Semaphore(0)

    def choose(_question: EngineQuestion) -> str:
        begun.append("move")
        return "m@2"

    def report(_id: str, _match: MatchData) -> str | None:
        begun.append("slice")
        assert allowed.acquire(timeout=PATIENCE)
        return "report" if begun.count("slice") == 4 else None

    engines = Engines(EnginePool(1, 24, choose, ThreadPoolExecutor))
    review = asyncio.create_task(engines.think_whole(report, MATCH))
    await until_true(lambda: begun == ["slice"])
    move = asyncio.create_task(engines.choose_move(EngineQuestion(MATCH, 1, 0), key="player"))
    await until_true(lambda: engines.queue.load.waiting == 1)
    allowed.release()
    assert await move == "m@2"
    assert begun[:2] == ["slice", "move"]
    for _slice in range(3):
        allowed.release()
    assert await review == "report"
    engines.close()


async def test_a_review_whose_process_dies_begins_again_a_few_times() -> None:
    asked: list[str] = []

    def die_once(id_: str, _match: MatchData) -> str | None:
        asked.append(id_)
        if len(asked) == 2:
            raise BrokenExecutor
        return "report" if len(asked) > 3 else None

    def die(_id: str, _match: MatchData) -> str | None:
        raise BrokenExecutor

    engines = Engines(EnginePool(1, 24, None, ThreadPoolExecutor))
    found = await engines.think_whole(die_once, MATCH)
    assert found == "report"
    assert len(asked) == 4
    with pytest.raises(EngineFailedError):
        await engines.think_whole(die, MATCH)
    engines.close()


def test_slices_of_a_worker_end_with_a_report_as_json() -> None:
    over = MatchData("diadema", (), None, ("@4", "@D", "@7", "@3", "@6", "D^2", "@5"))
    while (text := report_slice("over", over)) is None:
        pass
    assert '"scores":[1.0,0.0]' in text
    assert PositionReport.from_json(json.loads(text)).best is None
