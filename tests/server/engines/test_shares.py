"""Fair shares: however much one address asks for, others have their turns and their places."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import fake_engines
import pytest
from app_client import AppClient, MatchDriver, open_app
from waiting import until_true

from quinconce.core.match import MatchData
from quinconce.server.engines.analyses import Analyses, Visitor
from quinconce.server.engines.jobs import EngineQuestion
from quinconce.server.engines.pool import EnginePool
from quinconce.server.engines.queue import Rank
from quinconce.server.engines.shares import FairSlots
from quinconce.server.off_loop import Asker, asked_by
from quinconce.server.refusals import BusyError, TooManyAnalysesError
from quinconce.server.settings import ServerLimits

pytestmark = pytest.mark.anyio
MATCH = MatchData("diam", (("edition", "2003"), ("players", "2")), None, ("r@1",))
MANY, ONE = Asker("10.0.0.1"), Asker("10.0.0.2")
ALONE = [{"kind": "me"}, {"kind": "engine", "level": 1}]


class Thinkers:
    """One engine, which thinks of nothing before the gate is open."""

    def __init__(self, waiting: int = 24) -> None:
        self.gate = fake_engines.Gate()
        self.thought: list[str] = []
        self.pool = EnginePool(1, waiting, self.think, ThreadPoolExecutor)

    def think(self, question: EngineQuestion) -> str:
        self.gate.wait()
        self.thought.append(f"{question.level}")
        return "r@2"

    def ask(self, asker: Asker, level: int, key: str) -> asyncio.Task[str]:
        with asked_by(asker):
            question = EngineQuestion(MATCH, level, 0)
            return asyncio.create_task(self.pool.choose_move(question, key=key))


async def test_a_move_does_not_wait_for_a_dozen_games_of_another_address() -> None:
    engines = Thinkers()
    asked = [engines.ask(MANY, 10, f"many {n}") for n in range(12)]
    await until_true(lambda: engines.pool.load == (11, 1, 0))
    asked.append(engines.ask(ONE, 1, "one"))
    await until_true(lambda: engines.pool.load == (12, 1, 0))
    assert engines.pool.ahead_of("one") in (1, 2)
    assert engines.pool.ahead_of("many 11") == 12
    engines.gate.open()
    await asyncio.gather(*asked)
    assert engines.thought.index("1") <= 1
    engines.pool.close()


async def test_a_full_queue_of_one_address_refuses_no_other() -> None:
    engines = Thinkers(waiting=2)
    asked = [engines.ask(MANY, 10, str(n)) for n in range(2)]
    await until_true(lambda: engines.pool.load == (1, 1, 0))
    with pytest.raises(BusyError):
        await engines.ask(MANY, 10, "2")
    asked.append(engines.ask(ONE, 1, "one"))
    engines.gate.open()
    assert await asyncio.gather(*asked) == ["r@2"] * 3
    engines.pool.close()


async def test_slices_go_round_by_address_and_then_by_page() -> None:
    pool = EnginePool(1, 24, None, ThreadPoolExecutor)
    served: list[str] = []

    async def search(asker: Asker, key: str) -> None:
        left = 3

        def think(_session: str) -> str | None:
            nonlocal left
            served.append(key)
            left -= 1
            return None if left else key

        with asked_by(asker):
            await pool.run_sliced(think)

    await asyncio.gather(
        *(search(MANY, f"many {n}") for n in range(4)), search(ONE, "one"), return_exceptions=False
    )
    # The one has its three slices while the four together have as many, and one more at most.
    last = max(n for n, key in enumerate(served) if key == "one")
    assert last <= 6
    assert set(served[: last + 1]) >= {"one", "many 0", "many 1"}
    pool.close()


async def test_slots_are_handed_out_by_address() -> None:
    slots, order, go = FairSlots(1), list[str](), asyncio.Event()

    async def hold(asker: Asker) -> None:
        async with slots.hold(asker):
            order.append(asker.address)
            await go.wait()

    tasks = [asyncio.create_task(hold(MANY)) for _each in range(4)]
    await until_true(lambda: len(order) == 1)
    tasks.append(asyncio.create_task(hold(ONE)))
    await asyncio.sleep(0)
    tasks[1].cancel()
    go.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order == [MANY.address, ONE.address, MANY.address, MANY.address]


async def test_who_comes_gets_an_analysis_of_the_address_that_has_more_than_its_part() -> None:
    nothing: Any = None
    analyses = Analyses(ServerLimits(total_analyses=4, analyses_per_address=4), nothing)
    with ExitStack() as stack:
        many = [
            stack.enter_context(analyses.begin(Visitor(MANY.address, str(n)))) for n in range(4)
        ]
        with pytest.raises(TooManyAnalysesError):
            analyses.check(Visitor(MANY.address, "another"))
        analyses.check(Visitor(ONE.address))
        one = stack.enter_context(analyses.begin(Visitor(ONE.address)))
        assert [bool(analysis.ended) for analysis in (*many, one)] == [
            False,
            False,
            False,
            True,
            False,
        ]
        assert many[3].ended
        assert many[3].ended.code == "analyses"
        stack.enter_context(analyses.begin(Visitor(ONE.address, "second")))
        with pytest.raises(TooManyAnalysesError):  # both have their part
            analyses.check(Visitor(ONE.address, "third"))
        assert len(analyses.open) == 4


async def test_the_turn_of_an_engine_is_that_of_the_address_that_moved(tmp_path: Path) -> None:
    gate = fake_engines.Gate()
    async with open_app(tmp_path, gate.first_move) as app:
        match = await app.create_match(seats=ALONE)
        await match.play("r@1")
        tickets = app.services.engines.source.pools[-1]._tickets
        await until_true(lambda: any(ticket.rank is Rank.MOVE for ticket in tickets))
        [turn] = [ticket for ticket in tickets if ticket.rank is Rank.MOVE]
        assert turn.asker.address == "testclient"
        gate.open()
        await app.finish_turns()


async def end_match(app: AppClient) -> MatchDriver:
    match = await app.create_match()
    await match.play("r@1 m@1")
    await match.send_ok(0, "resignations")
    return match


async def test_the_reviews_of_one_address_do_not_fill_the_queue(tmp_path: Path) -> None:
    gate = fake_engines.Gate()

    def reviewer(_data: MatchData) -> str:
        gate.wait()
        raise AssertionError("nobody reads it")

    limits = {"reviews_per_address": 2}
    async with open_app(tmp_path, reviewer=reviewer, limits=limits) as app:
        matches = [await end_match(app) for _each in range(4)]
        answers = await asyncio.gather(
            *(match.people[0].post(f"{match.path}/review") for match in matches[:3])
        )
        assert sorted(answer.status_code for answer in answers) == [200, 200, 429]
        [refused] = [answer for answer in answers if answer.status_code == 429]
        assert refused.json()["code"] == "reviews"
        assert refused.json()["error"] == (
            "your other reviews have to be done first: try again in a minute"
        )
        assert int(refused.headers["retry-after"]) >= 60
        reviews = app.services.reviews

        async def begin_elsewhere() -> None:
            with asked_by(ONE):
                async with app.services.live_matches.locked(matches[3].id) as live:
                    await reviews.begin(live)

        app.call_in_app(begin_elsewhere)
        assert [asker.address for asker in reviews.askers.values()].count(ONE.address) == 1
        gate.open()
        app.call_in_app(reviews.close)
        assert not reviews.askers
