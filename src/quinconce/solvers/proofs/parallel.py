"""A proof by several processes: one keeps the top of the tree, workers search what is below.

Each worker has a table of its own, which it keeps between two jobs. A worker that dies loses only
that table and its job: the results of all jobs are in the tree.
"""

from __future__ import annotations

import os
import platform
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

from quinconce.core.claim import Claim
from quinconce.core.worker_pools import (
    POOL_ATTEMPTS,
    PROGRESS_INTERVAL,
    WORKERS_DIE,
    WorkerPool,
    task_result,
)
from quinconce.kernels import calls
from quinconce.solvers.proofs import checkpoint, dfpn
from quinconce.solvers.proofs.dfpn import BUDGET, NODES
from quinconce.solvers.proofs.proof_tree import Node, ProofTree
from quinconce.solvers.proofs.prover import (
    CHECKPOINT_SECONDS,
    DEFAULT_MEGABYTES,
    Prover,
    pair_answer,
)

COORDINATOR_MEGABYTES: Final = 1.0  # megabytes, for one who only looks
# A job has a share of all nodes so far, so that the tree stays small however long it takes; at
# first they are short, so that there is soon enough to do for everybody.
SHORTEST_JOB: Final = 1 << 12
USUAL_JOB: Final = 1 << 16
EARLY_JOB_DIVISOR: Final = 1 << 5
JOB_DIVISOR: Final = 1 << 10


class ProofTask(NamedTuple):
    """What all jobs are about, as plain data."""

    claim: dict[str, Any]  # as `Claim.data` writes it
    megabytes: float
    wide: bool = False  # whether every move is tried in turn


class Job(NamedTuple):
    """A position to search for a number of nodes, or up to these proof and disproof numbers."""

    position: str
    left: int
    nodes: int
    limits: tuple[int, int]


class JobResult(NamedTuple):
    """The result of a job; if its nodes were too few, with the pairs of the positions after."""

    worker: str
    pair: int
    pairs: dict[int, int]  # by name
    nodes: int


_job_lock = threading.Lock()  # a worker with several threads does one job at a time
_kept: list[tuple[ProofTask, Prover]] = []  # at most one


def worker_prover(task: ProofTask) -> Prover:
    """The prover that this process keeps for a task, and for no other."""
    if not _kept or _kept[0][0] != task:
        _kept.clear()
        _kept.append((task, Prover(Claim.from_data(task.claim), task.megabytes)))
    return _kept[0][1]


def prepare_worker(task: ProofTask) -> None:
    """What a worker does first: load what Numba has compiled, while no position waits for it."""
    with _job_lock:
        prover = worker_prover(task)
        state = prover.kernel.encode(prover.claim.position)
        prover.compile(state, task.wide)


def run_job(task: ProofTask, job: Job) -> JobResult:
    """What a worker does: search a position for a while."""
    with _job_lock:
        prover = worker_prover(task)
        kernel, before = prover.kernel, int(prover.tally[NODES])
        state = kernel.encode(prover.game.read(job.position))
        prover.tally[BUDGET] = before + job.nodes
        pair = (
            prover.search_full_width(state, job.left)
            if task.wide
            else prover.search(state, job.left, *job.limits)
        )
        nodes, pairs = int(prover.tally[NODES]) - before, {}
        if pair_answer(pair) is None and nodes >= job.nodes:
            out = kernel.new_rows(1)[0]
            for row in range(calls.successors(state, out)):
                after = calls.load(state, out, row)
                pairs[prover.position_key(after)] = prover.probe(after, job.left - 1)
        return JobResult(f"{platform.node()} {os.getpid()}", pair, pairs, nodes)


class ParallelProgress(NamedTuple):
    """How far all have come."""

    nodes: int
    seconds: float
    proof: int  # as in the progress of one process
    disproof: int
    jobs: int  # under way
    most: int  # nodes of the worker who has searched most


ReportParallelProgress = Callable[[ParallelProgress], None]


class ParallelProver:
    """One claim, worked at by several processes."""

    def __init__(
        self, claim: Claim, megabytes: float = DEFAULT_MEGABYTES, wide: bool = False
    ) -> None:
        self._coordinator = Prover(claim, COORDINATOR_MEGABYTES)
        self._task = ProofTask(claim.data(), megabytes, wide)
        self._tree = ProofTree(self._coordinator)
        self._running: dict[Future[Any], tuple[WorkerPool, list[Node]]] = {}
        self._prepared: set[WorkerPool] = set()
        self._nodes: Counter[str] = Counter()  # by worker
        self._before = 0, 0.0  # nodes and seconds of earlier runs
        self._started = time.perf_counter()

    @property
    def answer(self) -> bool | None:
        """Whether the side wins; None while that is open."""
        return pair_answer(self._tree.root.pair)

    @property
    def progress(self) -> ParallelProgress:
        """How far all have come."""
        pair, (nodes, seconds) = self._tree.root.pair, self._before
        return ParallelProgress(
            nodes + self._nodes.total(),
            seconds + time.perf_counter() - self._started,
            int(dfpn.proof_number(pair)),
            int(dfpn.disproof_number(pair)),
            sum(1 for _pool, path in self._running.values() if path),
            max(self._nodes.values(), default=0),
        )

    def run(
        self,
        pools: Sequence[WorkerPool],
        on_progress: ReportParallelProgress,
        checkpoint_file: Path | None = None,
    ) -> bool:
        """Share out the work to the end; the next run resumes from the checkpoint.

        Even if Ctrl-C or an error stops it, what was found out is kept and no worker goes on.
        """
        if checkpoint_file and checkpoint_file.exists():
            self.resume(checkpoint_file)
        self._started = saved = time.perf_counter()
        deaths = 0
        with ExitStack() as stack:
            if checkpoint_file:
                stack.callback(self.save_checkpoint, checkpoint_file)
            stack.callback(self._running.clear)
            for pool in pools:
                stack.enter_context(pool)
            while self.answer is None:
                broken = self._submit_jobs(pools)
                done, _running = wait(self._running, PROGRESS_INTERVAL, FIRST_COMPLETED)
                broken |= {gone for task in done if (gone := self._collect(task))}
                for gone in broken:
                    self._drop_pool(gone)
                deaths = deaths + 1 if broken else 0 if done else deaths
                if deaths >= POOL_ATTEMPTS:
                    raise ValueError(WORKERS_DIE)
                on_progress(self.progress)
                if checkpoint_file and time.perf_counter() - saved > CHECKPOINT_SECONDS:
                    self.save_checkpoint(checkpoint_file)
                    saved = time.perf_counter()
        return self.answer

    def _submit_jobs(self, pools: Sequence[WorkerPool]) -> set[WorkerPool]:
        """Give every pool as many jobs as it takes; returns the pools that have died."""
        broken: set[WorkerPool] = set()
        for pool in pools:
            busy = sum(1 for other, _path in self._running.values() if other is pool)
            try:
                for _slot in range(busy, pool.capacity()):
                    if not self._submit_job(pool):
                        break
            except BrokenExecutor:
                broken.add(pool)
        return broken

    def _submit_job(self, pool: WorkerPool) -> bool:
        """Give a pool a free job, if there is one; a new pool prepares first."""
        if pool not in self._prepared:
            self._running[pool.submit(prepare_worker, self._task)] = pool, []
            return True
        path = self._tree.select_path()
        if not path:
            return False
        leaf, asked = path[-1], self._coordinator
        position = asked.game.write(asked.kernel.decode(leaf.state))
        limits = self._tree.search_limits(path)
        job = Job(position, leaf.left, self._job_nodes(), limits)
        self._running[pool.submit(run_job, self._task, job)] = pool, path
        for node in path:
            node.jobs += 1
        return True

    def _job_nodes(self) -> int:
        """The nodes of the next job."""
        nodes = self._before[0] + self._nodes.total()
        return min(
            max(SHORTEST_JOB, nodes // EARLY_JOB_DIVISOR), max(USUAL_JOB, nodes // JOB_DIVISOR)
        )

    def _collect(self, task: Future[Any]) -> WorkerPool | None:
        """Take the result of a job into the tree; returns its pool if a worker has died."""
        pool, path = self._running.pop(task)
        for node in path:
            node.jobs -= 1
        try:
            found: JobResult | None = task_result(task)
        except BrokenExecutor:
            return pool
        self._prepared.add(pool)
        if found:
            self._nodes[found.worker] += found.nodes
            self._tree.update(path[-1], found.pair, found.pairs)
        return None

    def _drop_pool(self, pool: WorkerPool) -> None:
        """Forget the jobs of a pool that has died; there will be another."""
        pool.kill()
        self._prepared.discard(pool)
        for task, (other, path) in list(self._running.items()):
            if other is pool:
                del self._running[task]
                for node in path:
                    node.jobs -= 1

    def save_checkpoint(self, path: Path) -> None:
        """Write down everything that was found out."""
        progress = self.progress
        so_far = {"nodes": progress.nodes, "seconds": progress.seconds}
        checkpoint.write(path, self._checkpoint_header(), so_far, self._tree.to_table())

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint of the same question."""
        so_far, words = checkpoint.read(path, self._checkpoint_header())
        self._tree.restore(words)
        self._before = so_far["nodes"], so_far["seconds"]

    def _checkpoint_header(self) -> dict[str, Any]:
        return {**self._coordinator.checkpoint_header(), checkpoint.SHARED_KEY: True}

    def local_prover(self, megabytes: float) -> Prover:
        """A prover for this process alone, which knows every answer in the tree."""
        found = Prover(self._coordinator.claim, megabytes)
        dfpn.rehash_table(self._tree.to_table(unsettled=False), found.table)
        found.pair = self._tree.root.pair
        return found
