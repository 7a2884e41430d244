"""Long thoughts on a Dask cluster: each stays with one worker, and begins again if that dies."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, aclosing, asynccontextmanager
from pathlib import Path

import fake_engines
import pytest
from dask_cluster import WORKER, dask_process, dask_scheduler
from waiting import PATIENCE, until_true

from quinconce.core.match import MatchData
from quinconce.engine.slices import AnalysisReport
from quinconce.server.engines.cluster import ClusterPool
from quinconce.server.engines.dispatch import Engines
from quinconce.server.engines.jobs import EngineQuestion
from quinconce.server.refusals import EnginesAwayError

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.process,
    pytest.mark.sqlite("it never comes to the database"),
]
TESTS = Path(__file__).parents[2]
MATCH = MatchData("diam", (("edition", "2003"), ("players", "2")), None, ("r@1",))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[int]]]:
    """The address of a scheduler, and the processes of its two workers."""
    environ = {"PYTHONPATH": os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])}
    with ExitStack() as stack:
        address = stack.enter_context(dask_scheduler(tmp_path, 0, **environ))
        workers = [
            stack.enter_context(dask_process("worker", address, *WORKER, **environ))
            for _worker in range(2)
        ]
        yield address, [worker.pid for worker in workers]


@asynccontextmanager
async def open_engines(address: str) -> AsyncIterator[Engines]:
    pool = ClusterPool(address, 20, fake_engines.process_id)
    pool.slicer = fake_engines.deepen
    await pool.start()
    try:
        yield Engines(pool)
    finally:
        await asyncio.to_thread(pool.close)


async def test_thoughts_stay_with_their_workers_are_forgotten_and_begin_again(
    cluster: tuple[str, list[int]],
) -> None:
    address, pids = cluster
    async with open_engines(address) as engines, AsyncExitStack() as stack:
        pool = engines.queue
        await until_true(lambda: pool.workers == 2)
        thoughts = [engines.think(MATCH) for n in range(4)]
        for thought in thoughts:
            await stack.enter_async_context(aclosing(thought))

        async def read(n: int, reports: int) -> list[AnalysisReport]:
            async with asyncio.timeout(PATIENCE):
                return [await anext(thoughts[n]) for _report in range(reports)]

        homes = []
        for found in await asyncio.gather(*(read(n, 3) for n in range(4))):
            assert [report.depth for report in found] == [1, 2, 3]
            (home,) = {report.nodes for report in found}  # in this stand-in, the process
            homes.append(home)
        assert sorted(homes) == sorted(pids * 2)
        # A move goes between the slices.
        question = EngineQuestion(MATCH, 1, 0)
        assert int(await engines.choose_move(question)) in pids
        # Who leaves is forgotten where their table was.
        await thoughts[3].aclose()
        await until_true(lambda: not pool._chores)
        assert pool.load.sessions == 3
        # Whose worker dies begins again elsewhere, and tells nothing twice.
        lost = homes.index(homes[0])
        os.kill(homes[0], signal.SIGKILL)
        report = (await read(lost, 1))[0]
        assert report.depth == 4
        assert report.nodes != homes[0]
        os.kill(report.nodes, signal.SIGKILL)
        await until_true(lambda: pool.is_away)
        with pytest.raises(EnginesAwayError):
            await read(lost, 1)
