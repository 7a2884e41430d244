"""Analyses: streams that deepen, that end when their reader leaves, and what is refused."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from app_client import open_app
from live_app import LiveApp, live_app
from waiting import PATIENCE, until_true

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.registry import game
from quinconce.engine.slices import NOTHING_YET, AnalysisReport, ReportLine
from quinconce.server.engines import jobs
from quinconce.server.engines.jobs import SearchQuestion

pytestmark = pytest.mark.anyio
PATH = "/api/analysis"
SSE = {"Accept": "text/event-stream"}
DIAM = {"game": "diam", "moves": ["r@1"]}
WINS = "Player 2 (brown and black) wins in 3 moves"
LINES = (ReportLine(("m@2", "r@3"), 0.6249), ReportLine(("m@3",), 1.0, "win", 5))


class FakeThinker:
    """Slices that come a ply deeper each, as many of each search as are allowed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.depths: Counter[str] = Counter()
        self.allowed = 0  # of each: whose slice comes first is not said
        self.changed = threading.Condition()
        self.running = 0
        self.forgotten: list[str] = []
        self.last_depth = 100
        monkeypatch.setattr(jobs, "forget_search", self.forgotten.append)

    def think(self, question: SearchQuestion) -> AnalysisReport:
        with self.changed:
            self.running += 1
            assert self.changed.wait_for(lambda: self.depths[question.id] < self.allowed, PATIENCE)
            self.running -= 1
            depth = self.depths[question.id] = self.depths[question.id] + 1
        return AnalysisReport(depth, 10 * depth, depth, LINES, done=depth == self.last_depth)

    def allow(self, slices: int) -> None:
        """Let every search do some slices more."""
        with self.changed:
            self.allowed += slices
            self.changed.notify_all()


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeThinker]:
    made = FakeThinker(monkeypatch)
    yield made
    made.allow(10_000)


@asynccontextmanager
async def open_live_app(
    folder: Path, fake: FakeThinker | None = None, **changes: Any
) -> AsyncIterator[tuple[LiveApp, httpx.AsyncClient]]:
    with live_app(folder, **changes) as app:
        if fake:
            app.services.engines.source.pools[-1].slicer = fake.think
        async with httpx.AsyncClient(base_url=app.url, timeout=PATIENCE) as client:
            yield app, client
        if fake:
            fake.allow(10_000)


class Reader:
    """Somebody who reads an analysis."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.lines = answer.aiter_lines()

    async def event(self) -> Any:
        """The next event, as a page or a program reads it; signs of life are none."""
        async with asyncio.timeout(PATIENCE):
            async for line in self.lines:
                text = line.removeprefix("data: ")
                if text.startswith("{"):
                    return json.loads(text)
        return None


@asynccontextmanager
async def open_analysis(
    client: httpx.AsyncClient, headers: dict[str, str] = SSE, **body: Any
) -> AsyncIterator[Reader]:
    async with client.stream("POST", PATH, json=DIAM | body, headers=headers) as answer:
        if answer.status_code != 200:
            await answer.aread()
        assert answer.status_code == 200, answer.text
        yield Reader(answer)


def nothing_runs(app: LiveApp) -> bool:
    pool = app.services.engines.source.pools[-1]
    streams = app.services.rate_limits.open_streams.total()
    return not (app.services.analyses.open or streams or pool.load.sessions) and pool.is_idle


async def test_lines_deepen_for_a_page_and_for_a_program(tmp_path: Path, fake: FakeThinker) -> None:
    async with open_live_app(tmp_path, fake) as (app, client):
        async with open_analysis(client, visitor="a") as page, open_analysis(client, {}) as program:
            assert page.answer.headers["content-type"].startswith("text/event-stream")
            assert program.answer.headers["content-type"] == "application/x-ndjson"
            for reader in (page, program):
                assert reader.answer.headers["cache-control"] == "no-store"
                assert "content-encoding" not in reader.answer.headers
            await until_true(lambda: app.services.engines.source.pools[-1].load.sessions == 2)
            fake.allow(2)
            for depth in (1, 2):
                told = [await page.event(), await program.event()]
                assert told[0] == told[1]
                assert (told[0]["depth"], told[0]["state"]) == (depth, "thinking")
            assert told[0] == {
                "state": "thinking",
                "depth": 2,
                "nodes": 20,
                "seconds": 2.0,
                "lines": [
                    {
                        "score": 0.6249,
                        "value": None,
                        "proven": False,
                        "plies": None,
                        "moves": ["m@2", "r@3"],
                        "words": "expected score 62 %",
                    },
                    {
                        "score": 1.0,
                        "value": "win",
                        "proven": True,
                        "plies": 5,
                        "moves": ["m@3"],
                        "words": WINS,
                    },
                ],
                "done": False,
                "share": None,
                "words": None,
                "code": None,
            }
        fake.allow(2)
        await until_true(lambda: nothing_runs(app))
        await until_true(lambda: sorted(fake.forgotten) == sorted(fake.depths))


async def test_a_hundred_who_open_and_leave_leave_nothing_running(
    tmp_path: Path, fake: FakeThinker
) -> None:
    limits = {"total_analyses": 100, "analyses_per_address": 100, "writes_per_minute": 10**6}
    async with open_live_app(tmp_path, fake, limits=limits) as (app, client):
        async with AsyncExitStack() as visitors:
            readers = [
                await visitors.enter_async_context(open_analysis(client, visitor=f"v{n}"))
                for n in range(90)
            ]
            await until_true(lambda: app.services.engines.source.pools[-1].load.sessions == 90)
            fake.allow(1)
            assert [(await reader.event())["depth"] for reader in readers] == [1] * 90
        for n in range(10):  # who leave before anything is told
            async with open_analysis(client, visitor=f"w{n}"):
                pass
        fake.allow(1)  # slices that run are not torn from their process
        await until_true(lambda: nothing_runs(app))
        await until_true(lambda: set(fake.depths) <= set(fake.forgotten))
        assert fake.running == 0


async def test_a_visitor_has_one_and_others_at_the_same_address_have_their_own(
    tmp_path: Path, fake: FakeThinker
) -> None:
    limits = {"total_analyses": 2}
    async with (
        open_live_app(tmp_path, fake, limits=limits) as (app, client),
        AsyncExitStack() as all_,
    ):
        other = await all_.enter_async_context(open_analysis(client, visitor="b"))
        first = await all_.enter_async_context(open_analysis(client, visitor="a"))
        await until_true(lambda: app.services.engines.source.pools[-1].load.sessions == 2)
        second = await all_.enter_async_context(open_analysis(client, visitor="a", moves=["r@2"]))
        ended = await first.event()
        assert (ended["state"], ended["done"]) == ("replaced", True)
        assert ended["words"] == "Another page of yours analyses now."
        assert await first.event() is None
        # The other's next slice would hold the only process: the second has to be in line first.
        await until_true(lambda: app.services.engines.source.pools[-1].load.sessions == 2)
        fake.allow(1)
        assert (await other.event())["depth"] == 1
        assert (await second.event())["depth"] == 1
        refused = await client.post(PATH, json=DIAM | {"visitor": "c"})
        assert (refused.status_code, refused.json()["code"]) == (429, "analyses")
        assert refused.headers["retry-after"]
        assert refused.json()["error"] == "too many analyses are under way: try again in a moment"


async def test_what_was_found_of_a_position_comes_first_the_next_time(
    tmp_path: Path, fake: FakeThinker
) -> None:
    async with open_live_app(tmp_path, fake) as (app, client):
        async with open_analysis(client, visitor="a") as reader:
            fake.allow(3)
            assert [(await reader.event())["depth"] for _event in range(3)] == [1, 2, 3]
        fake.allow(1)
        await until_true(lambda: nothing_runs(app))
        fake.last_depth = 5
        async with open_analysis(client, visitor="b") as reader:
            assert (await reader.event())["depth"] == 3  # before any slice
            fake.allow(5)
            told = [await reader.event() for _event in range(3)]
            assert [each and each["depth"] for each in told] == [4, 5, None]
            assert (told[1]["done"], told[1]["state"]) == (True, "done")
        async with open_analysis(client, visitor="c") as reader:  # nobody need think again
            told = [await reader.event(), await reader.event()]
            assert (told[0]["depth"], told[0]["done"], told[1]) == (5, True, None)
        async with open_analysis(client, lines=1) as reader:  # another question
            fake.allow(1)
            assert (await reader.event())["depth"] == 1


async def test_an_analysis_ends_at_its_time(tmp_path: Path, fake: FakeThinker) -> None:
    async with open_live_app(tmp_path, fake, limits={"analysis_seconds": 1}) as (_app, client):
        fake.last_depth = 0
        fake.allow(1)
        async with open_analysis(client) as reader:
            told = [await reader.event(), await reader.event()]
            assert [each and each["done"] for each in told] == [True, None]


async def test_a_server_that_stops_says_good_bye(tmp_path: Path, fake: FakeThinker) -> None:
    async with open_live_app(tmp_path, fake) as (app, client), open_analysis(client) as reader:
        await until_true(lambda: app.services.analyses.open)
        app.services.end_streams()
        assert (await reader.event())["state"] == "bye"
        assert await reader.event() is None
        refused = await client.post(PATH, json=DIAM)
        assert refused.status_code == 503


async def test_until_what_is_proved_is_loaded_the_stream_says_so(
    tmp_path: Path, fake: FakeThinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    slices, think = count(), fake.think

    def load_first(question: SearchQuestion) -> AnalysisReport:
        return NOTHING_YET if next(slices) < 2 else think(question)

    monkeypatch.setattr(fake, "think", load_first)
    async with open_live_app(tmp_path, fake) as (_app, client), open_analysis(client) as reader:
        told = await reader.event()
        assert (told["state"], told["share"], told["done"]) == ("preparing", None, False)
        assert told["words"] == "What is proved of Diam is being loaded."
        fake.allow(1)
        told = await reader.event()
        assert (told["state"], told["share"], told["depth"]) == ("thinking", None, 1)


REFUSED: list[tuple[Any, int, str]] = [
    ({"game": "chess"}, 422, "there is no game 'chess'"),
    ({"game": "diam", "moves": ["nonsense"]}, 422, "not a move of this game"),
    ({"game": "diam", "position": "nonsense"}, 422, "nonsense"),
    ({"game": "diadema", "position": "ccccccccccccccccccc c"}, 422, ""),
    ({"game": "diam", "moves": ["r@1"] * 2001}, 400, "cannot be understood"),
    ({"game": "diam", "lines": 6}, 400, "cannot be understood"),
    ({"game": "diam", "lines": 0}, 400, "cannot be understood"),
    ({"game": "diam", "visitor": "a b"}, 400, "cannot be understood"),
    ({"game": "diam", "surprise": 1}, 400, "cannot be understood"),
    ({}, 400, "cannot be understood"),
    ([], 400, "cannot be understood"),
    ({"game": "diam", "match": "abcdefghijkl"}, 404, "there is no such match"),
]


async def test_what_cannot_be_analysed_is_refused_in_one_sentence(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        for body, status, words in REFUSED:
            answer = await app.visitor.post(PATH, body)
            assert answer.status_code == status, body
            told = answer.json()
            assert words in told["error"]
            assert told["code"]
            assert "\n" not in told["error"]


async def test_a_game_that_is_over_is_not_analysed(tmp_path: Path) -> None:
    chance, match = random.Random(0), Match(game("diadema"))
    while not match.outcome():
        match.play(chance.choice(sorted(match.legal())))
    async with open_app(tmp_path) as app:
        answer = await app.visitor.post(PATH, {"game": "diadema", "moves": match.moves})
        assert answer.status_code == 422
        assert answer.json()["error"] == "the game is over: there is nothing to search"


async def test_the_engine_itself_tells_what_is_proved(tmp_path: Path) -> None:
    of_others = set(jobs.kept_searches())  # pools that were closed in this process
    async with open_app(tmp_path) as app:
        answer = await app.visitor.post(f"{PATH}?lang=fr", {"game": "diadema"})
        *_earlier, last = [json.loads(line) for line in answer.text.splitlines() if line]
        assert (last["state"], last["done"], len(last["lines"])) == ("done", True, 3)
        for line in last["lines"]:
            assert (line["score"], line["value"], line["proven"]) == (0.5, "draw", True)
            assert line["words"] == "nulle"
        await until_true(lambda: of_others.issuperset(jobs.kept_searches()))


async def test_nothing_slow_is_done_on_the_event_loop(
    tmp_path: Path, fake: FakeThinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, set[int]] = {}

    def watch(owner: Any, name: str) -> None:
        do = getattr(owner, name)

        def watched(*arguments: Any, **named: Any) -> Any:
            threads.setdefault(name, set()).add(threading.get_ident())
            return do(*arguments, **named)

        monkeypatch.setattr(owner, name, watched)

    async with open_app(tmp_path) as app:
        app.services.engines.source.pools[-1].slicer = fake.think
        fake.last_depth = 2
        fake.allow(2)
        loop_thread = app.call_in_app(threading.get_ident)
        for owner, name in ((Game, "moves"), (Game, "after"), (Match, "legal"), (Match, "play")):
            watch(owner, name)
        body = {"game": "buts", "moves": ["G2-G1", "B1-A1", "G1-G2", "A1-B1"]}
        assert (await app.visitor.post(PATH, body)).status_code == 200
        assert {"after", "play"} <= set(threads)
        assert not any(loop_thread in each for each in threads.values())
