"""Long thoughts in slices: who goes first, what a worker keeps, and what it lets go."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path

import fake_engines
import pytest
from waiting import PATIENCE, until, until_true

from quinconce.core.match import MatchData
from quinconce.engine.slices import NOTHING_YET, AnalysisReport, ReportLine
from quinconce.server.engines import jobs
from quinconce.server.engines.dispatch import Engines
from quinconce.server.engines.jobs import EngineQuestion, SearchQuestion
from quinconce.server.engines.pool import EnginePool
from quinconce.server.refusals import EngineFailedError

pytestmark = [pytest.mark.anyio, pytest.mark.sqlite("it never comes to the database")]
MATCH = MatchData("diam", (("edition", "2003"), ("players", "2")), None, ("r@1",))
QUESTION = EngineQuestion(MATCH, level=3, seed=0)
LINE = ReportLine(("m@2",), 0.5)


class FakeThinker:
    """Slices and moves in threads that end when they are told to, in the order they began."""

    def __init__(self, workers: int = 1) -> None:
        self.begun: list[str] = []
        self.depths: Counter[str] = Counter()
        self.allowed = threading.Semaphore(0)
        self.pool = EnginePool(workers, 24, self.choose, ThreadPoolExecutor)
        self.pool.slicer = self.slice
        self.engines = Engines(self.pool)

    def choose(self, question: EngineQuestion) -> str:
        self.begun.append(f"move {question.seed}")
        assert self.allowed.acquire(timeout=PATIENCE)
        return "r@2"

    def slice(self, question: SearchQuestion) -> AnalysisReport:
        name = "-".join(question.match.moves)
        self.begun.append(name)
        assert self.allowed.acquire(timeout=PATIENCE)
        self.depths[name] += 1
        return AnalysisReport(self.depths[name], 100, 0.1, (LINE,), done=False)

    def allow(self, slices: int = 1) -> None:
        for _each in range(slices):
            self.allowed.release()

    async def wait_for_slices(self, slices: int) -> None:
        await until_true(lambda: len(self.begun) == slices)

    async def read(self, name: str, reports: list[str]) -> None:
        thought = self.engines.think(MATCH._replace(moves=(name,)))
        async with aclosing(thought):
            async for report in thought:
                assert report.lines
                reports.append(name)


@pytest.fixture
def fake() -> Iterator[FakeThinker]:
    made = FakeThinker()
    yield made
    made.allow(1000)
    made.engines.close()


async def test_twelve_who_analyse_have_one_slice_each_in_turn(fake: FakeThinker) -> None:
    names, reports = [str(n) for n in range(12)], list[str]()
    readers = [asyncio.create_task(fake.read(name, reports)) for name in names]
    for slices in range(1, 37):
        await fake.wait_for_slices(slices)
        fake.allow()
    await until_true(lambda: len(reports) == 36)
    assert fake.begun[:36] == names * 3
    assert reports == names * 3
    for reader in readers:
        reader.cancel()
    fake.allow(12)
    await asyncio.gather(*readers, return_exceptions=True)


async def test_a_move_waits_for_one_slice_at_most_and_a_hint_goes_before_slices(
    fake: FakeThinker,
) -> None:
    reports = list[str]()
    readers = [asyncio.create_task(fake.read(name, reports)) for name in "ab"]
    await until_true(lambda: fake.begun == ["a"])
    hint = asyncio.create_task(fake.engines.choose_move(QUESTION._replace(seed=2), hint=True))
    moves = [
        asyncio.create_task(fake.engines.choose_move(QUESTION._replace(seed=seed), key=str(seed)))
        for seed in (0, 1)
    ]
    await until_true(lambda: fake.pool.load.waiting == 3)
    assert [fake.pool.ahead_of(key) for key in ("0", "1", "a")] == [0, 1, None]
    fake.allow(6)
    await until_true(lambda: len(fake.begun) == 7)
    assert fake.begun == ["a", "move 0", "move 1", "move 2", "b", "a", "b"]
    assert await asyncio.gather(hint, *moves) == ["r@2"] * 3
    for reader in readers:
        reader.cancel()
    fake.allow(3)
    await asyncio.gather(*readers, return_exceptions=True)


async def test_a_review_takes_turns_with_an_analysis(fake: FakeThinker) -> None:
    """A review asks for one slice after the other, and is new each time."""
    done = list[str]()

    def small(_thought: str, name: str) -> str:
        done.append(name)
        return name

    async def review() -> None:
        for n in range(4):
            await fake.engines.think_whole(small, f"r{n}")

    reports = list[str]()
    reader = asyncio.create_task(fake.read("a", reports))
    await until_true(lambda: fake.begun == ["a"])
    reviewing = asyncio.create_task(review())
    await until_true(lambda: fake.pool.load.sessions == 2)
    for slices in range(2, 6):
        fake.allow()
        await fake.wait_for_slices(slices)
        assert len(done) == slices - 1
    await reviewing
    reader.cancel()
    fake.allow()
    await asyncio.gather(reader, return_exceptions=True)


async def test_slices_are_no_questions_that_wait(fake: FakeThinker) -> None:
    readers = [asyncio.create_task(fake.read(str(n), [])) for n in range(30)]
    await until_true(lambda: fake.begun)
    move = asyncio.create_task(fake.engines.choose_move(QUESTION))  # nobody is told to come later
    await until_true(lambda: fake.pool.load == (1, 0, 30))
    for reader in readers:
        reader.cancel()
    fake.allow(2)
    assert await move == "r@2"
    await asyncio.gather(*readers, return_exceptions=True)
    await until_true(lambda: fake.pool.is_idle and fake.pool.load == (0, 0, 0))


async def test_who_leaves_before_their_turn_costs_nothing_and_nobody_is_held_up(
    fake: FakeThinker,
) -> None:
    reports = list[str]()
    first = asyncio.create_task(fake.read("first", reports))
    await until_true(lambda: fake.begun == ["first"])
    others = [asyncio.create_task(fake.read(f"other {n}", reports)) for n in range(100)]
    await until_true(lambda: fake.pool.load.sessions == 101)
    for other in others:
        other.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    first.cancel()  # while a slice of theirs runs
    await asyncio.gather(first, return_exceptions=True)
    last = asyncio.create_task(fake.read("last", reports))
    await until_true(lambda: fake.pool.load.sessions == 1)
    assert fake.begun == ["first"]  # whose process is not free before its slice ends
    fake.allow(2)
    await until_true(lambda: reports)
    assert fake.begun[:2] == ["first", "last"]
    assert reports[0] == "last"
    last.cancel()
    fake.allow()
    await asyncio.gather(last, return_exceptions=True)
    await until_true(lambda: fake.pool.is_idle and not fake.pool.load.sessions)


async def test_a_thought_stays_with_its_worker_and_thoughts_are_spread() -> None:
    homes: dict[str, set[int]] = {}
    fake = FakeThinker(workers=3)
    together = threading.Barrier(3, timeout=PATIENCE)  # so that no worker falls behind the others

    def slice_somewhere(question: SearchQuestion) -> AnalysisReport:
        homes.setdefault(question.id, set()).add(threading.get_ident())
        together.wait()
        fake.depths[question.id] += 1
        return AnalysisReport(fake.depths[question.id], 1, 0.0, (LINE,), done=False)

    fake.pool.slicer = slice_somewhere

    async def read(n: int) -> None:
        thought = fake.engines.think(MATCH)
        async with aclosing(thought):
            async for report in thought:
                if report.depth == 5:
                    return

    await asyncio.gather(*(read(n) for n in range(9)))
    assert all(len(threads) == 1 for threads in homes.values())
    assert sorted(Counter(next(iter(each)) for each in homes.values()).values()) == [3, 3, 3]
    fake.engines.close()


@pytest.mark.process
async def test_a_thought_that_is_lost_begins_again_and_tells_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_SCAR", str(tmp_path / "scar"))
    pool = EnginePool(1, 10)
    pool.slicer = fake_engines.deepen_and_die_once
    engines = Engines(pool)
    found = [report async for report in engines.think(MATCH, seconds=6)]
    assert [report.depth for report in found] == [1, 2, 3, 4, 5, 6]
    assert [report.done for report in found] == [False] * 5 + [True]
    assert len({report.nodes for report in found}) == 2  # in this stand-in, the process
    engines.close()


@pytest.mark.process
async def test_a_thought_that_kills_every_process_is_given_up() -> None:
    pool = EnginePool(1, 10)
    pool.slicer = fake_engines.die
    with pytest.raises(EngineFailedError):
        await anext(Engines(pool).think(MATCH))
    assert await pool.run(os.getpid) != os.getpid()
    await asyncio.to_thread(pool.close)


# In a worker.


@pytest.fixture
def _no_thoughts() -> Iterator[None]:
    forget_all()
    yield
    forget_all()


def forget_all() -> None:
    for id_ in jobs.kept_searches():
        jobs.forget_search(id_)


def think_until(
    question: SearchQuestion, holds: Callable[[AnalysisReport], bool]
) -> AnalysisReport:
    """Slice after slice, until something holds of what is found."""

    def think() -> AnalysisReport | None:
        report = jobs.think_slice(question)
        return report if holds(report) else None

    found: AnalysisReport = until(think)
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("_no_thoughts")
def test_a_worker_thinks_on_where_it_was_until_it_is_told_to_forget() -> None:
    question = SearchQuestion("forgotten", MatchData("buts"), 3)
    first = think_until(question, lambda report: bool(report.lines))
    assert len(first.lines) == 3
    assert all(0 <= line.score <= 1 for line in first.lines)
    later = think_until(question, lambda report: report.depth > first.depth)
    assert later.nodes > first.nodes
    assert later.seconds > first.seconds
    assert "forgotten" in jobs.kept_searches()
    jobs.forget_search("forgotten")
    assert "forgotten" not in jobs.kept_searches()
    assert jobs.think_slice(question) == NOTHING_YET  # a slice that came too late
    assert "forgotten" not in jobs.kept_searches()


@pytest.mark.slow
@pytest.mark.usefixtures("_no_thoughts")
def test_a_worker_keeps_some_thoughts_and_lets_the_oldest_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs._searches, "most", 2)
    questions = [SearchQuestion(name, MatchData("diadema"), 1) for name in "abc"]
    for question in (*questions[:2], questions[0], questions[2]):
        think_until(question, lambda report: bool(report.lines))
    assert jobs.kept_searches() == ["a", "c"]
    assert think_until(questions[1], lambda report: bool(report.lines)).lines  # begun again


@pytest.mark.usefixtures("_no_thoughts")
def test_what_is_proved_is_told_and_ends_the_thought() -> None:
    question = SearchQuestion("proved", MatchData("diadema"), 3)
    report = think_until(question, lambda report: bool(report.lines))
    assert report.done
    assert {(line.value, line.score) for line in report.lines} == {("draw", 0.5)}


@pytest.mark.usefixtures("_no_thoughts")
def test_a_match_that_is_no_match_fails_each_time() -> None:
    question = SearchQuestion("nonsense", MatchData("diam", (), None, ("nonsense",)), 3)
    for _again in range(2):
        with pytest.raises(ValueError, match="nonsense"):
            think_until(question, lambda report: bool(report.lines))
    assert jobs.kept_searches() == []
