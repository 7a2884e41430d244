"""Slow work: addresses take turns, what waits is bounded, what nobody waits for is dropped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from app_client import FakeClock, open_app
from raw_requests import RawRequest
from waiting import PATIENCE, until, until_true

import quinconce
from quinconce.core.match import Match
from quinconce.server import off_loop
from quinconce.server.off_loop import (
    LONG_WORK,
    MOVES_PER_PERSON,
    SHORT_WORK,
    TOTAL_MOVES,
    Asker,
    Job,
    Lane,
    asked_by,
    run_slow,
)
from quinconce.server.refusals import AskerGoneError, QueueFullError

anyio = pytest.mark.anyio
LINE = ["r@1", "m@2", "o@3", "n@4"]


@contextmanager
def held(lane: Lane) -> Iterator[None]:
    """Within it, what is done in a lane waits."""
    begun, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        begun.set()
        assert go_on.wait(PATIENCE)

    lane.add(Job(Asker("holder"), 1, hold))
    assert begun.wait(PATIENCE)
    try:
        yield
    finally:
        go_on.set()


def order_of(jobs: list[tuple[str, float]]) -> list[str]:
    """The addresses in the order in which jobs of theirs were done that cost so much."""
    lane, done = Lane("order"), list[str]()

    def noting(address: str) -> Callable[[], None]:
        return lambda: done.append(address)

    with held(lane):
        for address, cost in jobs:
            lane.add(Job(Asker(address), cost, noting(address)))
    until(lambda: len(done) == len(jobs))
    return done


def test_addresses_take_turns() -> None:
    assert order_of([("a", 1), ("a", 1), ("a", 1), ("b", 1)]) == ["a", "b", "a", "a"]


def test_who_asks_for_much_waits_for_those_who_ask_for_little() -> None:
    jobs = [("a", 500.0), ("a", 500.0), *[("b", 1.0)] * 3]
    assert order_of(jobs) == ["a", "b", "b", "b", "a"]


def test_what_waits_is_bounded_for_an_address_and_for_all() -> None:
    lane = Lane("bounds")
    with held(lane):
        lane.add(Job(Asker("a"), MOVES_PER_PERSON, list))
        with pytest.raises(QueueFullError) as refused:
            lane.add(Job(Asker("a"), 1, list))
        assert refused.value.retry_after > 0
        lane.add(Job(Asker("b"), 1, list))  # which is somebody else
        lane.add(Job(Asker("classroom", people=20), MOVES_PER_PERSON, list))
        lane.add(Job(Asker("classroom", people=20), MOVES_PER_PERSON, list))
        for n in range(TOTAL_MOVES // MOVES_PER_PERSON - 4):
            lane.add(Job(Asker(f"address {n}"), MOVES_PER_PERSON, list))
        with pytest.raises(QueueFullError):
            lane.add(Job(Asker("one more"), MOVES_PER_PERSON, list))
    until(lambda: not len(lane))


def test_as_many_jobs_as_an_address_may_have_wait_and_no_more() -> None:
    lane = Lane("jobs")
    with held(lane):
        for _job in range(off_loop.JOBS_PER_PERSON):
            lane.add(Job(Asker("a"), 1, list))
        with pytest.raises(QueueFullError):
            lane.add(Job(Asker("a"), 1, list))
    until(lambda: not len(lane))


class Sender:
    """Somebody who waits for an answer until they leave."""

    def __init__(self) -> None:
        self.left = asyncio.Event()
        self.asker = Asker("somebody", 1, self.receive)

    async def receive(self) -> Any:
        await self.left.wait()
        return {"type": "http.disconnect"}


async def ask(sender: Sender, cost: float, do: Callable[[], Any]) -> Any:
    with asked_by(sender.asker):
        return await run_slow(cost, do)


@anyio
async def test_what_waits_for_somebody_who_leaves_is_never_begun() -> None:
    sender, done = Sender(), list[int]()
    with held(LONG_WORK):
        asking = asyncio.create_task(ask(sender, 1000, lambda: done.append(1)))
        await until_true(lambda: len(LONG_WORK) == 1)
        sender.left.set()
        with pytest.raises(AskerGoneError):
            await asking
        assert len(LONG_WORK) == 0
    assert await run_slow(1000, lambda: "next") == "next"
    assert not done


@anyio
async def test_what_is_under_way_for_somebody_who_leaves_ends_between_two_moves() -> None:
    sender, begun = Sender(), threading.Event()

    def play_for_ever() -> None:
        match: Match[Any] = Match(quinconce.game("diam"))
        while True:
            match.play(LINE[0])
            match.undo()
            begun.set()

    asking = asyncio.create_task(ask(sender, 1000, play_for_ever))
    await until_true(begun.is_set)
    sender.left.set()
    with pytest.raises(AskerGoneError):
        await asking
    assert await run_slow(1000, lambda: "next") == "next"


@anyio
async def test_a_request_that_is_cancelled_drops_its_work() -> None:
    with held(LONG_WORK):
        asking: asyncio.Task[int] = asyncio.create_task(run_slow(1000, int))
        await until_true(lambda: len(LONG_WORK) == 1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert len(LONG_WORK) == 0


def tree(moves: int) -> dict[str, Any]:
    """A line that goes to and fro, and is refused before its end: as a tree it has many nodes."""
    nodes = [{"after": n - 1, "move": LINE[n % len(LINE)]} for n in range(moves)]
    return {"game": "diam", "nodes": nodes}


@anyio
async def test_pages_matches_and_moves_wait_for_no_tree_and_no_position(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        with held(LONG_WORK), held(SHORT_WORK):
            assert (await app.visitor.get("/")).status_code == 200
            assert (await app.visitor.get("/game/seega")).status_code == 200
            match = await app.create_match()
            await match.play("r@1 m@1")


@anyio
async def test_trees_of_people_who_have_left_are_not_looked_at(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:

        async def leave() -> list[RawRequest]:
            with held(LONG_WORK):
                trees = [
                    RawRequest("POST", "/api/variations", tree(300), f"9.9.9.{n}")
                    for n in range(20)
                ]
                asking = [asyncio.create_task(each.run(app.client.app)) for each in trees]
                await until_true(lambda: len(LONG_WORK) == len(trees))
                for each in trees:
                    each.left.set()
                await asyncio.gather(*asking)
                assert len(LONG_WORK) == 0
            return trees

        for answered in app.call_in_app(leave):
            assert answered.json()["code"] == "gone"


@anyio
async def test_a_full_queue_is_told_with_a_sentence_and_others_are_let_in(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:

        async def crowd(address: str, count: int) -> list[RawRequest]:
            asked = [
                RawRequest("POST", "/api/variations", tree(8000), address) for _ in range(count)
            ]
            tasks = [asyncio.create_task(each.run(app.client.app)) for each in asked]
            await until_true(lambda: sum(task.done() for task in tasks) + len(LONG_WORK) >= count)
            done = [each for each, task in zip(asked, tasks, strict=True) if task.done()]
            for each in asked:
                each.left.set()
            await asyncio.gather(*tasks)
            return done

        async def ask_too_much() -> list[RawRequest]:
            with held(LONG_WORK):
                return await crowd("9.9.9.1", 4)

        refused = app.call_in_app(ask_too_much)
        assert [each.status for each in refused] == [429, 429]
        for each in refused:
            assert each.json()["code"] == "busy"
            assert each.json()["error"].startswith("too much of yours is waiting")
            assert int(each.headers["retry-after"]) > 0


@anyio
async def test_work_is_charged_by_its_moves_and_a_picture_that_is_kept_costs_nothing(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path, monotonic=FakeClock(), limits={"moves_per_minute": 100}) as app:
        picture = f"/picture/diam.svg?moves={'+'.join(LINE)}"
        for _again in range(20):
            assert (await app.visitor.get(picture)).status_code == 200
        used = app.services.rate_limits.moves
        assert round(used._usage("testclient", used.monotonic())) == 10 + len(LINE)
        refused = await app.visitor.post("/api/variations", tree(100))
        assert (refused.status_code, refused.json()["code"]) == (429, "rate")
        assert int(refused.headers["retry-after"]) > 0
        line = {"game": "diam", "moves": LINE}
        assert (await app.visitor.post("/api/explore", line)).status_code == 200
        assert (await app.visitor.get(f"{picture}+r@5")).status_code in (200, 422)
        for path in (f"{picture}&width={width}" for width in (100, 200)):
            assert (await app.visitor.get(path)).status_code == 200  # of an SVG it says nothing


@anyio
async def test_an_address_with_too_many_moves_is_refused_before_they_are_split(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as app:
        answer = await app.visitor.get(f"/picture/diam.svg?moves={'r@1+' * 15_000}")
        assert (answer.status_code, answer.json()["code"]) == (413, "large")
        assert not app.services.rate_limits.moves.usage


@anyio
async def test_the_forms_of_a_game_are_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[object]()
    rules = quinconce.core.registry.game_class("seega")
    init = rules.__init__

    def init_and_count(self: Any, **options: Any) -> None:
        made.append(options)
        init(self, **options)

    async with open_app(tmp_path) as app:
        assert (await app.visitor.get("/game/seega")).status_code == 200
        monkeypatch.setattr(rules, "__init__", init_and_count)
        assert (await app.visitor.get("/game/seega")).status_code == 200
        assert 0 < len(made) < 10
