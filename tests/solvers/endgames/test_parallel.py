"""Endings by many hands: interrupted, killed and resumed, they come to the same bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import Any

import held_parts
import pytest
from dask_cluster import WORKER, dask_process, dask_scheduler
from waiting import until

import quinconce
from quinconce import Game, Match
from quinconce.core.match import MatchData
from quinconce.core.worker_pools import process_pool
from quinconce.solvers.endgames import files, parallel
from quinconce.solvers.endgames.layers import Part
from quinconce.solvers.endgames.parallel import PartJob, TableBuilder, run_part_job
from quinconce.solvers.endgames.tables import save_table, solve_table

SEEGA = quinconce.game("seega")
COMMAND = (sys.executable, "-m", "quinconce")


@cache
def expected(game: Game[Any], pieces: int) -> bytes:
    """The file that one process writes at one go."""
    folder = Path(os.environ[files.FOLDER_VARIABLE]) / "expected"
    save_table(solve_table(game, pieces), folder)
    return files.table_path(folder, game, pieces).read_bytes()


def written(folder: Path, game: Game[Any], pieces: int) -> bytes:
    """What a campaign has come to; nothing else is left lying about."""
    names = {files.table_path(folder, game, n).name for n in range(1, pieces + 1)}
    assert {path.name for path in folder.iterdir()} == names
    return files.table_path(folder, game, pieces).read_bytes()


def silent(_done: float, _total: int) -> None:
    pass


@pytest.mark.parametrize("reach", ["slide", "step"])
@pytest.mark.parametrize("quiet", ["none", 40])
def test_any_executor_comes_to_the_same_bytes(reach: str, quiet: object, tmp_path: Path) -> None:
    game = quinconce.game("seega", reach=reach, quiet=quiet)
    told: list[float] = []
    with ThreadPoolExecutor(2) as pool:
        found = TableBuilder(game, 4, tmp_path).run(
            lambda: pool, lambda done, _all: told.append(done)
        )
    assert written(tmp_path, game, 4) == expected(game, 4)
    assert told == sorted(told)
    assert told[-1] == len(found.distances)


def test_a_finished_part_is_not_worked_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadPoolExecutor(1) as pool:
        TableBuilder(SEEGA, 3, tmp_path).run(lambda: pool, silent)
        for part in (Part(3, 1), Part(2, 2)):
            run_part_job(PartJob(MatchData.of(Match(SEEGA)), part, str(tmp_path)))
        damaged = files.part_path(tmp_path, SEEGA, Part(2, 2))
        damaged.write_bytes(damaged.read_bytes()[:-40])
        done: list[Part] = []

        def noted(task: PartJob) -> None:
            done.append(task.part)
            run_part_job(task)

        monkeypatch.setattr(parallel, "run_part_job", noted)
        TableBuilder(SEEGA, 4, tmp_path).run(lambda: ThreadPoolExecutor(1), silent)
    assert set(done) == {Part(4, 0), Part(2, 2)}
    assert written(tmp_path, SEEGA, 4) == expected(SEEGA, 4)


@pytest.mark.process
def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    pools: list[Any] = []

    def hire() -> Executor:
        pool = process_pool(1)
        pools.append(pool)
        return pool

    def kill_the_first(_done: float, _total: int) -> None:
        if len(pools) == 1:
            for process in list(pools[0]._processes.values()):
                process.kill()

    TableBuilder(SEEGA, 4, tmp_path).run(hire, kill_the_first)
    assert len(pools) == 2
    assert written(tmp_path, SEEGA, 4) == expected(SEEGA, 4)


class Dying(ThreadPoolExecutor):
    """Workers who never live to see the end."""

    def submit(self, *_arguments: Any, **_named: Any) -> Future[Any]:
        raise BrokenExecutor


def test_workers_that_always_die_are_not_hired_for_ever(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the worker processes die"):
        TableBuilder(SEEGA, 2, tmp_path).run(lambda: Dying(1), silent)


def test_a_worker_with_another_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a worker process does not find here what was solved"):
        run_part_job(PartJob(MatchData.of(Match(SEEGA)), Part(2, 1), str(tmp_path)))


def test_what_a_worker_stumbles_over_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(_task: PartJob) -> None:
        raise MemoryError("no room\nat all")

    monkeypatch.setattr(parallel, "run_part_job", stumble)
    with pytest.raises(ValueError, match="a worker failed: MemoryError: no room"):
        TableBuilder(SEEGA, 2, tmp_path).run(lambda: ThreadPoolExecutor(1), silent)


class Gone(ThreadPoolExecutor):
    """Workers of a cluster that is shut down."""

    def submit(self, *_arguments: Any, **_named: Any) -> Future[Any]:
        task: Future[Any] = Future()
        task.cancel()
        task.set_running_or_notify_cancel()
        return task


def test_a_cluster_that_goes_away_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the cluster is gone"):
        TableBuilder(SEEGA, 2, tmp_path).run(lambda: Gone(1), silent)


@pytest.mark.process
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_a_command_that_is_stopped_half_way_goes_on(sign: int, tmp_path: Path) -> None:
    folder, notes = tmp_path / "kept", tmp_path / "notes"
    notes.mkdir()
    asked = ["solve", "seega", "--pawns", "4", "--jobs", "1", "--folder", str(folder)]
    environ = os.environ | held_parts.environment(notes)
    with subprocess.Popen(
        [*held_parts.PROGRAM, *asked], stderr=subprocess.PIPE, env=environ
    ) as first:
        until(lambda: held_parts.held_workers(notes) or first.poll() is not None)
        first.send_signal(sign)
        _out, told = first.communicate()
    assert first.returncode == (130 if sign == signal.SIGINT else -sign)
    assert b"Traceback" not in told
    kept = files.table_path(folder, SEEGA, 3)
    assert not files.table_path(folder, SEEGA, 4).exists()
    before = kept.stat().st_mtime_ns
    subprocess.run([*COMMAND, *asked], check=True, capture_output=True)
    assert kept.stat().st_mtime_ns == before
    assert written(folder, SEEGA, 4) == expected(SEEGA, 4)


@pytest.mark.process
def test_parts_of_a_whole_layer_are_thrown_away(tmp_path: Path) -> None:
    """Left by somebody who was stopped just after he had written the layer."""
    TableBuilder(SEEGA, 3, tmp_path).run(partial(process_pool, 1), silent)
    files.part_path(tmp_path, SEEGA, Part(2, 1)).write_bytes(b"left over")
    TableBuilder(SEEGA, 4, tmp_path).run(partial(process_pool, 1), silent)
    assert written(tmp_path, SEEGA, 4) == expected(SEEGA, 4)


@pytest.mark.process
def test_a_cluster_loses_a_worker_half_way(tmp_path: Path) -> None:
    """A real scheduler and two workers, each a process; one of them is killed."""
    folder, notes = tmp_path / "kept", tmp_path / "notes"
    notes.mkdir()
    environ = held_parts.environment(notes)
    with ExitStack() as stack:
        address = stack.enter_context(dask_scheduler(tmp_path, **environ))
        workers = [
            stack.enter_context(
                dask_process("worker", address, *WORKER, "--local-directory", own, **environ)
            )
            for own in (str(tmp_path / "worker 1"), str(tmp_path / "worker 2"))
        ]
        asked = ("solve", "seega", "--pawns", "4", "--cluster", address, "--folder", str(folder))
        command = stack.enter_context(
            subprocess.Popen(
                [*held_parts.PROGRAM, *asked],
                stdout=subprocess.PIPE,
                env=os.environ | environ,
            )
        )
        until(lambda: held_parts.held_workers(notes) == 2 or command.poll() is not None)
        workers[0].kill()  # each is at one of the two parts
        workers[0].wait()
        held_parts.release(notes)
        assert command.communicate()[0]
    assert command.returncode == 0
    assert written(folder, SEEGA, 4) == expected(SEEGA, 4)
