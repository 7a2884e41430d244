"""Proofs by many hands: the same answers, workers that die, searches interrupted and resumed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dask_cluster import WORKER, dask_process, dask_scheduler

import quinconce
from quinconce import Game
from quinconce.commands.workers import worker_source
from quinconce.core.claim import Claim
from quinconce.core.game import after_moves
from quinconce.core.worker_pools import WorkerPool, process_pool
from quinconce.solvers.proofs import dfpn, parallel
from quinconce.solvers.proofs.dfpn import DISPROVED, PROVED
from quinconce.solvers.proofs.extract import extract_certificate
from quinconce.solvers.proofs.parallel import (
    Job,
    ParallelProgress,
    ParallelProver,
    ProofTask,
    run_job,
)
from quinconce.solvers.proofs.proof_tree import ProofTree
from quinconce.solvers.proofs.prover import Prover
from quinconce.solvers.proofs.verify import verify

DIAM = quinconce.game("diam")
OLD = quinconce.game("diam", edition=1997)
STAR = quinconce.game("diadema")
GOALS = quinconce.game("buts")
ENDING = "o@1 m@1 o@1 n@1 1.1-2 m@5 2.1-3 n@8 o@5 m@8"
ENDLESS = dfpn.INFINITY, dfpn.INFINITY
SIX = "o@1 m@1 o@1 n@1 1.1-2 m@5"
# Yes and no, asked where the attacker moves and where the other does.
QUESTIONS: list[tuple[Game[Any], str, int, int]] = [
    (DIAM, ENDING, 1, 10),
    (DIAM, f"{ENDING} 3.1-2", 1, 9),
    (DIAM, ENDING, 1, 8),
    (DIAM, SIX, 1, 9),
    (OLD, "r@1 v@2 r@3 v@4 j@5", 0, 10),
    (STAR, "@G @2 @7 2-3 @D @6 Gx5 @C D-E", 0, 10),
    (STAR, "@G @2 @7 2-3 @D @6 Gx5 @C D-E", 0, 9),
    (STAR, "@1 @F @B @A @4 Ax2", 0, 11),
    (STAR, "@1 @F @B @A @4 Ax2", 0, 9),
    (GOALS, "", 0, 3),
]


def asked(
    game: Game[Any], moves: str, side: int, within: int, *, wide: bool = False
) -> ParallelProver:
    return ParallelProver(
        Claim(game, after_moves(game, game.start(), moves.split()), side, within), 4, wide
    )


def words(shared: ParallelProver) -> set[tuple[int, int]]:
    return {(name, word) for name, word in shared._tree.to_table().tolist() if word}


def silent(_progress: ParallelProgress) -> None:
    pass


@pytest.fixture(autouse=True)
def _short_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the tree has something to do."""
    monkeypatch.setattr(parallel, "SHORTEST_JOB", 60)
    monkeypatch.setattr(parallel, "USUAL_JOB", 60)


@contextmanager
def threads(hands: int) -> Iterator[list[WorkerPool]]:
    with ThreadPoolExecutor(hands) as pool:
        yield [WorkerPool(lambda: pool, lambda: hands)]


@pytest.mark.slow
@pytest.mark.parametrize("wide", [False, True])
def test_the_answers_are_those_of_one_process(wide: bool) -> None:
    answers, most = [], 0
    for game, moves, side, within in QUESTIONS:
        shared = asked(game, moves, side, within, wide=wide)
        told: list[ParallelProgress] = []
        with threads(3) as crews:
            found = shared.run(crews, told.append)
        alone = Prover(Claim(game, after_moves(game, game.start(), moves.split()), side, within), 4)
        assert found is alone.run(wide=wide), (moves, within)
        answers.append((found, game.side(game.seat(alone.claim.position)) == side))
        most = max(most, *(progress.jobs for progress in told), 0)
        assert [progress.nodes for progress in told] == sorted(progress.nodes for progress in told)
    assert set(answers) == {(True, True), (True, False), (False, True), (False, False)}
    assert most > 1


@pytest.mark.process
def test_several_processes_answer_and_one_that_is_killed_costs_only_its_job() -> None:
    pools: list[Any] = []

    def hire() -> Executor:
        pools.append(process_pool(1))
        return pools[-1]  # type: ignore[no-any-return]

    def kill_the_first(_progress: ParallelProgress) -> None:
        if len(pools) == 2:
            for process in list((pools[0]._processes or {}).values()):
                process.kill()

    shared = asked(DIAM, "r@1 m@1", 1, 10)
    assert not shared.run([WorkerPool(hire), WorkerPool(hire)], kill_the_first)
    assert len(pools) == 3


class Dying(ThreadPoolExecutor):
    """Workers who never live to see the end."""

    def submit(self, *_arguments: Any, **_named: Any) -> Future[Any]:
        raise BrokenExecutor


def test_workers_that_always_die_are_not_hired_for_ever() -> None:
    with pytest.raises(ValueError, match="the worker processes die"):
        asked(DIAM, SIX, 1, 9).run([WorkerPool(lambda: Dying(1))], silent)


def test_what_a_worker_stumbles_over_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(_question: ProofTask, _job: Job) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(parallel, "run_job", stumble)
    with threads(1) as crews, pytest.raises(ValueError, match="a worker failed: MemoryError"):
        asked(DIAM, SIX, 1, 9).run(crews, silent)


def test_an_interrupted_search_goes_on_where_it_was(tmp_path: Path) -> None:
    kept = tmp_path / "kept"

    def stop(progress: ParallelProgress) -> None:
        if progress.nodes > 1000:
            raise KeyboardInterrupt

    first = asked(DIAM, SIX, 1, 9)
    with threads(1) as crews, pytest.raises(KeyboardInterrupt):
        first.run(crews, stop, kept)
    second = asked(DIAM, SIX, 1, 9)
    second.resume(kept)
    assert second.answer is None
    assert second.progress.nodes == first.progress.nodes > 1000
    assert words(second) == words(first)
    answer = Prover(second._coordinator.claim, 4).run()
    with threads(2) as crews:
        assert second.run(crews, silent, kept) is answer
    assert asked(DIAM, SIX, 1, 9).run([WorkerPool(lambda: Dying(1))], silent, kept) is answer


def test_a_checkpoint_of_something_else_is_refused(tmp_path: Path) -> None:
    kept, alone = tmp_path / "kept", tmp_path / "alone"
    shared = asked(DIAM, SIX, 1, 9)
    shared.save_checkpoint(kept)
    Prover(shared._coordinator.claim, 1).save_checkpoint(alone)
    with pytest.raises(ValueError, match="another question"):
        asked(DIAM, SIX, 1, 8).resume(kept)
    with pytest.raises(ValueError, match="different checkpoints"):
        asked(DIAM, SIX, 1, 9).resume(alone)
    with pytest.raises(ValueError, match="different checkpoints"):
        Prover(shared._coordinator.claim, 1).resume(kept)
    whole = shared._tree.to_table()
    with pytest.raises(ValueError, match="not a checkpoint"):
        ProofTree(shared._coordinator).restore(np.zeros_like(whole))
    kept.write_bytes(kept.read_bytes()[:-1])
    with pytest.raises(ValueError, match="not a checkpoint"):
        asked(DIAM, SIX, 1, 9).resume(kept)


def test_an_answer_holds_for_more_plies_or_for_fewer() -> None:
    """Who wins within some plies wins within more, and who does not does not within fewer."""
    question = asked(DIAM, SIX, 1, 9)
    tree, name = question._tree, 12345
    tree._settle(name, 7, PROVED)
    tree._settle(name, 4, DISPROVED)
    known = {left: tree.probe(name, left) for left in range(2, 10)}
    assert [left for left, pair in known.items() if pair == PROVED] == [7, 8, 9]
    assert [left for left, pair in known.items() if pair == DISPROVED] == [2, 3, 4]


def test_jobs_get_longer_with_the_search() -> None:
    shared = asked(DIAM, SIX, 1, 9)
    lengths = []
    for nodes in (0, 10**6, 10**9):
        shared._nodes["somebody"] = nodes
        lengths.append(shared._job_nodes())
    assert lengths[0] == parallel.SHORTEST_JOB
    assert lengths == sorted(lengths)
    assert lengths[2] == 10**9 // parallel.JOB_DIVISOR


def test_a_worker_keeps_his_table_between_two_jobs() -> None:
    position = DIAM.write(after_moves(DIAM, DIAM.start(), ENDING.split()))
    question = ProofTask(Claim(DIAM, DIAM.read(position), 1, 10).data(), 4)
    first = run_job(question, Job(position, 10, 50, ENDLESS))
    assert first.pairs
    again = run_job(question, Job(position, 10, 1 << 20, ENDLESS))
    fresh = run_job(question._replace(megabytes=2), Job(position, 10, 1 << 20, ENDLESS))
    assert again.pair == fresh.pair
    assert again.nodes < fresh.nodes


def test_a_proof_by_many_comes_with_a_certificate_that_holds() -> None:
    shared = asked(DIAM, ENDING, 1, 10)
    with threads(2) as crews:
        assert shared.run(crews, silent)
    prover = shared.local_prover(4)
    assert prover.answer
    assert np.count_nonzero(prover.table[:, 1])
    verify(extract_certificate(prover), lambda _done: None)


@pytest.mark.process
def test_a_cluster_answers(tmp_path: Path) -> None:
    """A real scheduler and a worker, each a process."""
    shared, own = asked(DIAM, ENDING, 1, 10), ("--local-directory", str(tmp_path / "worker"))
    with (
        dask_scheduler(tmp_path) as address,
        dask_process("worker", address, *WORKER, *own),
        worker_source(1, address) as workers,
    ):
        assert shared.run(workers.pools, silent)
    assert shared.progress.most == shared.progress.nodes > 0
