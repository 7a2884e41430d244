"""Engines on a Dask cluster: workers that die, a cluster that is away, versions that differ."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import fake_engines
import pytest
from app_client import AppClient, MatchDriver, open_app
from dask_cluster import WORKER, dask_process, dask_scheduler
from waiting import until, until_true

from quinconce.core.match import MatchData
from quinconce.server.engines import jobs
from quinconce.server.engines.cluster import ClusterPool
from quinconce.server.engines.cluster_connection import (
    NOBODY_ANSWERS,
    ClusterConnection,
    ClusterLostError,
    WorkersDiedError,
    check_scheduler_address,
)
from quinconce.server.engines.jobs import EngineQuestion, OtherVersionError
from quinconce.server.refusals import EngineFailedError, EnginesAwayError

pytestmark = [pytest.mark.anyio, pytest.mark.process]
no_database = pytest.mark.sqlite("it never comes to the database")
TESTS = Path(__file__).parents[2]
MATCH = MatchData("diam", (("edition", "2003"), ("players", "2")), None, ("r@1",))
QUESTION = EngineQuestion(MATCH, level=3, seed=0)
ENGINE, ME = {"kind": "engine", "level": 1}, {"kind": "me"}
NOBODY = "tcp://127.0.0.1:1"
AWAY = (
    "The engine’s computers cannot be reached. Nothing is lost: it goes on when they are back.",
    "Les ordinateurs du moteur sont injoignables. Rien n’est perdu\u00a0: il reprendra dès leur "
    "retour.",
)
HELPED = "The engine’s computers cannot be reached: this server thinks in their place."


class Cluster:
    """A scheduler and its workers, each a process that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stack = ExitStack()
        self.scheduler = ExitStack()
        self.workers: list[subprocess.Popen[bytes]] = []
        self.port = 0
        self.start_scheduler()

    def environ(self, *path: Path) -> dict[str, str]:
        folders = (*path, TESTS.parent / "src", TESTS)
        return {
            "PYTHONPATH": os.pathsep.join(map(str, folders)),
            "QUINCONCE_THOUGHTS": str(self.folder),
        }

    def start_scheduler(self, *path: Path) -> None:
        self.address = self.scheduler.enter_context(
            dask_scheduler(self.folder, self.port, **self.environ(*path))
        )
        self.port = check_scheduler_address(self.address)[1]

    def kill_scheduler(self) -> None:
        self.scheduler.close()
        self.kill_workers()

    def kill_workers(self) -> None:
        """Kill all workers, and wait until they are gone."""
        for worker in self.workers:
            worker.kill()
            worker.wait()

    def start_worker(self, *path: Path) -> subprocess.Popen[bytes]:
        worker = self.stack.enter_context(
            dask_process("worker", self.address, *WORKER, **self.environ(*path))
        )
        self.workers.append(worker)
        return worker

    def repair(self) -> None:
        """Let there be a scheduler, two workers and nothing thought of."""
        for sign in (*self.folder.glob("go*"), self.folder / "begun"):
            sign.unlink(missing_ok=True)
        alive = [worker for worker in self.workers if worker.poll() is None]
        for _missing in range(2 - len(alive)):
            self.start_worker()

    def close(self) -> None:
        self.stack.close()
        self.scheduler.close()

    def thoughts(self) -> list[list[int]]:
        """The process and the seed of everything that was begun."""
        begun = self.folder / "begun"
        lines = begun.read_text().splitlines() if begun.exists() else []
        return [[int(word) for word in line.split()] for line in lines]

    def let_think(self, seed: int | None = None) -> None:
        """Let everybody tell what they think of, or whoever has a seed."""
        (self.folder / ("go" if seed is None else f"go-{seed}")).touch()


@pytest.fixture(scope="module")
def one_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.close()


@pytest.fixture
def cluster(one_cluster: Cluster) -> Cluster:
    one_cluster.repair()
    return one_cluster


@asynccontextmanager
async def open_pool(
    address: str, chooser: Callable[[EngineQuestion], str] = fake_engines.think_visibly
) -> AsyncIterator[ClusterPool]:
    pool = ClusterPool(address, 20, chooser)
    await pool.start()
    try:
        yield pool
    finally:
        await asyncio.to_thread(pool.close)


async def engine_state(app: AppClient, match: MatchDriver, language: str = "en") -> Any:
    return (await app.visitor.get(f"{match.path}/engine?lang={language}")).json()


# With all that is needed.


async def test_a_worker_that_is_killed_while_it_thinks_leaves_the_move_to_another(
    cluster: Cluster, tmp_path: Path
) -> None:
    async with open_app(tmp_path, fake_engines.think_visibly, engines=cluster.address) as app:
        match = await app.create_match(seats=[ENGINE, ME])
        await until_true(cluster.thoughts)
        first = cluster.thoughts()[0][0]
        assert first in [worker.pid for worker in cluster.workers]
        assert (await engine_state(app, match))["state"] == "thinking"
        os.kill(first, signal.SIGKILL)
        await until_true(lambda: len(cluster.thoughts()) == 2)
        assert cluster.thoughts()[1][0] != first
        cluster.let_think()
        assert (await match.view_after(1))["moves"] == ["o@1"]
        await match.play("m@2")
        assert len((await match.view_after(3))["moves"]) == 3
        assert (await match.view())["seq"] == 3


@no_database
async def test_if_all_workers_are_killed_the_move_waits_for_another(cluster: Cluster) -> None:
    async with open_pool(cluster.address) as pool:
        move = asyncio.create_task(pool.choose_move(QUESTION))
        await until_true(cluster.thoughts)
        await asyncio.to_thread(cluster.kill_workers)
        await until_true(lambda: pool.is_away)
        assert not move.done()
        cluster.let_think()
        newcomer = cluster.start_worker()
        assert await move == "m@1"
        assert cluster.thoughts()[-1][0] == newcomer.pid


@no_database
async def test_moves_are_thought_of_before_hints_that_came_first(cluster: Cluster) -> None:
    async with open_pool(cluster.address) as pool:
        await until_true(lambda: pool.workers == 2)
        hints = [False, False, True, True, False, False]
        asked = [
            asyncio.create_task(pool.choose_move(QUESTION._replace(seed=n), hint=hint, key=str(n)))
            for n, hint in enumerate(hints)
        ]
        await until_true(lambda: len(cluster.thoughts()) == 2)
        assert [pool.ahead_of(str(n)) for n in range(6)] == [0, 0, 4, 5, 2, 3]
        order = [seed for _process, seed in cluster.thoughts()]
        for done in (0, 1, 4, 5):  # one at a time: which of two is told first is chance
            cluster.let_think(done)
            await until_true(lambda: len(cluster.thoughts()) > len(order))
            order.append(cluster.thoughts()[-1][1])
        cluster.let_think()
        await asyncio.gather(*asked)
    assert (set(order[:2]), order[2:]) == ({0, 1}, [4, 5, 2, 3])


@no_database
async def test_an_error_of_the_engine_is_that_of_the_question(cluster: Cluster) -> None:
    cluster.let_think()
    async with open_pool(cluster.address) as pool:
        with pytest.raises(ValueError, match="z@9"):
            await pool.choose_move(QUESTION._replace(match=MATCH._replace(moves=("z@9",))))
        assert await pool.choose_move(QUESTION) == "m@1"


# Versions that differ.


@no_database
async def test_a_worker_of_another_version_gets_no_work_and_the_log_says_why(
    cluster: Cluster, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = tmp_path / "quinconce-0.0.7.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: quinconce\nVersion: 0.0.7\n")
    cluster.kill_workers()
    stranger = cluster.start_worker(tmp_path)
    cluster.let_think()
    async with open_pool(cluster.address) as pool:
        await until_true(lambda: "no worker has the versions of this server" in caplog.text)
        await until_true(lambda: pool.is_away)
        told = [line for line in caplog.messages if line.startswith("the worker")]
        assert len(told) == 1
        assert "gets no work: it has Quinconce 0.0.7, Python 3." in told[0]
        assert f"this server {jobs.own_versions()}" in told[0]
        assert not cluster.thoughts()
        cluster.start_worker()
        assert await pool.choose_move(QUESTION) == "m@1"
        assert [process for process, _seed in cluster.thoughts()] != [stranger.pid]
        assert pool.workers == 1
    cluster.kill_workers()


@no_database
async def test_a_scheduler_of_another_version_is_a_cluster_that_is_away(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    there = jobs.own_versions()
    here = there._replace(quinconce="0.0.7")
    monkeypatch.setattr(jobs, "own_versions", lambda: here)
    monkeypatch.setattr("quinconce.server.engines.cluster_connection.LOOK_INTERVAL", 0.01)
    connect, attempts = ClusterConnection._connect, list[str]()

    async def connect_and_count(self: ClusterConnection) -> Any:
        attempts.append(self.address)
        return await connect(self)

    monkeypatch.setattr(ClusterConnection, "_connect", connect_and_count)
    async with open_pool(cluster.address) as pool:
        await until_true(lambda: pool.is_away and len(attempts) > 3)
    told = f"the cluster {cluster.address} is away: its scheduler has {there}, this server {here}"
    assert caplog.messages == [told]


def test_a_worker_refuses_a_server_of_another_version() -> None:
    own = jobs.own_versions()
    for other in (
        own._replace(quinconce="0.0.7"),
        own._replace(python="3.9"),
        own._replace(distributed="2024.8.0"),
    ):
        with pytest.raises(OtherVersionError):
            jobs.answer_same_version(other, fake_engines.first_move, (QUESTION,))
    assert jobs.answer_same_version(own, fake_engines.first_move, (QUESTION,)) == "m@1"


# A cluster that is away.


async def test_games_wait_for_a_cluster_that_is_away_and_go_on_when_it_is_back(
    cluster: Cluster, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_app(tmp_path, fake_engines.think_visibly, engines=cluster.address) as app:
        match = await app.create_match(seats=[ENGINE, ME])
        await until_true(cluster.thoughts)
        await asyncio.to_thread(cluster.kill_scheduler)
        await until_true(lambda: app.services.engines.outage)
        for language, words in zip(("en", "fr"), AWAY, strict=True):
            told = await engine_state(app, match, language)
            assert (told["state"], told["away"], told["words"]) == ("away", True, words)
        told = (await app.visitor.get("/api/engine?game=diam&stage=puzzles")).json()
        assert (told["state"], told["words"]) == ("away", AWAY[0])
        await until_true(lambda: NOBODY_ANSWERS in caplog.text)
        assert (await match.view())["moves"] == []
        await asyncio.to_thread(cluster.start_scheduler)
        cluster.repair()
        cluster.let_think()
        assert (await match.view_after(1))["moves"] == ["o@1"]
        assert app.services.engines.outage is None
        assert (await engine_state(app, match))["away"] is False
        assert "is back" in caplog.text
        assert caplog.text.count(NOBODY_ANSWERS) == 1


async def test_a_server_starts_while_the_cluster_is_away(tmp_path: Path) -> None:
    async with open_app(tmp_path, engines=NOBODY) as app:
        match = await app.create_match(seats=[ME, ENGINE])
        await until_true(lambda: app.services.engines.outage)
        answer = await match.people[0].post(f"{match.path}/hints")
        assert (answer.status_code, answer.json()["code"]) == (503, "engine")
        assert answer.json()["error"] == (
            "the engine’s computers cannot be reached: try again later"
        )
        await match.play("r@1")
        assert (await engine_state(app, match))["state"] == "away"


async def test_processes_of_this_machine_help_out_if_they_may(tmp_path: Path) -> None:
    async with open_app(tmp_path, engines=NOBODY, local_engines=True) as app:
        match = await app.create_match(seats=[ME, ENGINE])
        await match.play("r@1")
        assert (await match.view_after(2))["moves"] == ["r@1", "m@1"]
        answer = await match.people[0].post(f"{match.path}/hints")
        assert answer.json() == {"move": "1.1-2"}
        told = await engine_state(app, match)
        assert (told["state"], told["away"]) == ("idle", True)


async def test_who_helps_out_says_so(tmp_path: Path) -> None:
    gate = fake_engines.Gate()
    async with open_app(tmp_path, gate.first_move, engines=NOBODY, local_engines=True) as app:
        match = await app.create_match(seats=[ENGINE, ME])
        await until_true(lambda: app.services.engines.activity(match.id))
        await until_true(lambda: app.services.engines.outage)
        told = await engine_state(app, match)
        gate.open()
        assert (told["state"], told["away"], told["words"]) == ("thinking", True, HELPED)


@no_database
async def test_hints_that_wait_are_refused_when_the_cluster_goes_and_moves_are_not() -> None:
    async with open_pool(NOBODY) as pool:
        move, hint = (
            asyncio.create_task(pool.choose_move(QUESTION, hint=hint)) for hint in (False, True)
        )
        with pytest.raises(EnginesAwayError):
            await hint
        assert not move.done()
        move.cancel()


# Without a cluster.


@contextmanager
def fake_pool(monkeypatch: pytest.MonkeyPatch, *answers: str | Exception) -> Iterator[ClusterPool]:
    """A cluster whose answers, or errors, are known beforehand."""
    told = iter(answers)

    def submit(*_question: object) -> Future[str]:
        answer: Future[str] = Future()
        match next(told):
            case Exception() as error:
                answer.set_exception(error)
            case move:
                answer.set_result(move)
        return answer

    monkeypatch.setattr("quinconce.server.engines.cluster.ASK_AGAIN_DELAY", 0.001)
    pool = ClusterPool(NOBODY, 10)
    monkeypatch.setattr(pool._connection, "submit", submit)
    pool._set_capacity(1)
    yield pool
    pool.close()


@no_database
@no_database
def test_a_connection_is_closed_though_its_cancellation_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Client:
        """One whose answer comes in the moment in which the connection is closed."""

        status = "running"

        async def nthreads(self) -> dict[str, int]:
            if connection._closing.is_set():
                await asyncio.Event().wait()  # nobody ends a second look
            connection._closing.set()
            return {}

        async def close(self) -> None:
            pass

    async def connect(*_about: object) -> Any:
        return Client()

    monkeypatch.setattr(ClusterConnection, "_connect", connect)
    monkeypatch.setattr(ClusterConnection, "_check_scheduler", connect)
    connection = ClusterConnection(NOBODY, lambda _capacity: None)
    connection.open()
    until(lambda: not connection._thread.is_alive())


async def test_a_question_that_was_lost_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[str | Exception] = [
        *[ClusterLostError()] * 5,
        WorkersDiedError(),
        TimeoutError(),
        "m@1",
    ]
    with fake_pool(monkeypatch, *answers) as pool:
        assert await pool.choose_move(QUESTION) == "m@1"


@no_database
def test_a_connection_that_is_closed_takes_no_question() -> None:
    connection = ClusterConnection(NOBODY, lambda _capacity: None)
    connection.close()
    with pytest.raises(ClusterLostError):
        connection.submit(fake_engines.process_id, (QUESTION,), 0)


@no_database
async def test_a_question_that_kills_all_workers_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with fake_pool(monkeypatch, *[WorkersDiedError()] * 3, "m@1") as pool:
        with pytest.raises(EngineFailedError):
            await pool.choose_move(QUESTION)
        assert await pool.choose_move(QUESTION) == "m@1"


@pytest.mark.parametrize(
    "address", ["", "here", "tcp://", "tcp://here", "http://here:1", "tcp://here:x"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a Dask scheduler"):
        check_scheduler_address(address)
