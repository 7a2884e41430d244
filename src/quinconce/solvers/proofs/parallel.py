"""A proof shared out: one keeps the top of the tree, others search what is below.

Each worker has a table of his own, which he keeps between two jobs. Whoever dies takes nothing with
him but that table and the job he was at: what a job has come to is in the tree.
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

from quinconce.core.game import Game
from quinconce.core.registry import game as named_game
from quinconce.core.worker_pools import ATTEMPTS, DYING, OFTEN, Crew, finished
from quinconce.kernels import calls
from quinconce.solvers.proofs import checkpoint, dfpn
from quinconce.solvers.proofs.dfpn import BUDGET, NODES
from quinconce.solvers.proofs.proof_tree import Node, Tree
from quinconce.solvers.proofs.prover import KEPT_EVERY, MEGABYTES, Prover, answered

SMALL: Final = 1.0  # megabytes, for one who only looks
# A job has a share of all nodes so far, so that the tree stays small however long it takes; at
# first they are short, so that there is soon enough to do for everybody.
SHORTEST: Final = 1 << 12
USUAL: Final = 1 << 16
EARLY_SHARE: Final = 1 << 5
SHARE: Final = 1 << 10


class Question(NamedTuple):
    """What all jobs are about, as plain data."""

    game: str
    options: tuple[tuple[str, str], ...]
    position: str
    side: int
    within: int
    megabytes: float
    wide: bool = False  # whether every move is tried in turn


class Job(NamedTuple):
    """A position to be searched for so many nodes, or up to these proof and disproof numbers."""

    position: str
    left: int
    nodes: int
    limits: tuple[int, int]


class Found(NamedTuple):
    """What a job has come to; if its nodes were too few, with the pairs of the positions after."""

    worker: str
    pair: int
    pairs: dict[int, int]  # by name
    nodes: int


_desk = threading.Lock()  # a worker with several threads does one job at a time
_provers: dict[Question, Prover] = {}


def prover_of(question: Question) -> Prover:
    """The prover that this process keeps for a question, and for no other."""
    if question not in _provers:
        _provers.clear()
        rules = named_game(question.game, **dict(question.options))
        position = rules.read(question.position)
        _provers[question] = Prover(
            rules, position, question.side, question.within, question.megabytes
        )
    return _provers[question]


def get_ready(question: Question) -> None:
    """What a worker does first: load what Numba has compiled, while no position waits for it."""
    with _desk:
        prover = prover_of(question)
        state = prover.kernel.encode(prover.position)
        prover.compile(state, question.wide)


def work(question: Question, job: Job) -> Found:
    """What a worker does: search a position for a while."""
    with _desk:
        prover = prover_of(question)
        kernel, before = prover.kernel, int(prover.tally[NODES])
        state = kernel.encode(prover.game.read(job.position))
        prover.tally[BUDGET] = before + job.nodes
        pair = (
            prover.sweep(state, job.left)
            if question.wide
            else prover.search(state, job.left, *job.limits)
        )
        nodes, pairs = int(prover.tally[NODES]) - before, {}
        if answered(pair) is None and nodes >= job.nodes:
            out = kernel.rows(1)[0]
            for row in range(calls.successors(state, out)):
                after = calls.load(state, out, row)
                pairs[prover.name(after)] = prover.look(after, job.left - 1)
        return Found(f"{platform.node()} {os.getpid()}", pair, pairs, nodes)


class Progress(NamedTuple):
    """How far all have come."""

    nodes: int
    seconds: float
    proof: int  # as in the progress of one process
    disproof: int
    jobs: int  # under way
    most: int  # nodes of the worker who has searched most


Watch = Callable[[Progress], None]


class SharedProof:
    """One question, worked at by many."""

    def __init__(
        self,
        game: Game[Any],
        position: Any,
        side: int,
        within: int,
        megabytes: float = MEGABYTES,
        wide: bool = False,
    ) -> None:
        self._asked = Prover(game, position, side, within, SMALL)
        options = tuple((name, str(value)) for name, value in game.chosen.items())
        self._question = Question(
            game.name, options, game.write(position), side, within, megabytes, wide
        )
        self._tree = Tree(self._asked)
        self._running: dict[Future[Any], tuple[Crew, list[Node]]] = {}
        self._ready: set[Crew] = set()
        self._nodes: Counter[str] = Counter()  # by worker
        self._before = 0, 0.0  # nodes and seconds of earlier runs
        self._started = time.perf_counter()

    @property
    def answer(self) -> bool | None:
        """Whether the side wins; None while nobody knows."""
        return answered(self._tree.root.pair)

    @property
    def progress(self) -> Progress:
        """How far all have come."""
        pair, (nodes, seconds) = self._tree.root.pair, self._before
        return Progress(
            nodes + self._nodes.total(),
            seconds + time.perf_counter() - self._started,
            int(dfpn.proof(pair)),
            int(dfpn.disproof(pair)),
            sum(1 for _crew, way in self._running.values() if way),
            max(self._nodes.values(), default=0),
        )

    def run(self, crews: Sequence[Crew], watch: Watch, kept: Path | None = None) -> bool:
        """Share out the work to the end; `kept` can be resumed from.

        Whatever stops it, Ctrl-C for one, what was found out is kept and nobody goes on working.
        """
        if kept and kept.exists():
            self.resume(kept)
        self._started = saved = time.perf_counter()
        deaths = 0
        with ExitStack() as stack:
            if kept:
                stack.callback(self.keep, kept)
            stack.callback(self._running.clear)
            for crew in crews:
                stack.enter_context(crew)
            while self.answer is None:
                broken = self._share_out(crews)
                done, _running = wait(self._running, OFTEN, FIRST_COMPLETED)
                broken |= {gone for task in done if (gone := self._take_in(task))}
                for gone in broken:
                    self._let_go(gone)
                deaths = deaths + 1 if broken else 0 if done else deaths
                if deaths >= ATTEMPTS:
                    raise ValueError(DYING)
                watch(self.progress)
                if kept and time.perf_counter() - saved > KEPT_EVERY:
                    self.keep(kept)
                    saved = time.perf_counter()
        return self.answer

    def _share_out(self, crews: Sequence[Crew]) -> set[Crew]:
        """Give everybody something to do; those who have died meanwhile."""
        broken: set[Crew] = set()
        for crew in crews:
            busy = sum(1 for other, _way in self._running.values() if other is crew)
            try:
                for _hand in range(busy, crew.hands()):
                    if not self._hand_out(crew):
                        break
            except BrokenExecutor:
                broken.add(crew)
        return broken

    def _hand_out(self, crew: Crew) -> bool:
        """Give somebody a job, if there is one that is free; who is new gets ready first."""
        if crew not in self._ready:
            self._running[crew.submit(get_ready, self._question)] = crew, []
            return True
        way = self._tree.chosen()
        if not way:
            return False
        leaf, asked = way[-1], self._asked
        position = asked.game.write(asked.kernel.decode(leaf.state))
        limits = self._tree.limits(way)
        job = Job(position, leaf.left, self._length(), limits)
        self._running[crew.submit(work, self._question, job)] = crew, way
        for node in way:
            node.jobs += 1
        return True

    def _length(self) -> int:
        """The nodes of the next job."""
        nodes = self._before[0] + self._nodes.total()
        return min(max(SHORTEST, nodes // EARLY_SHARE), max(USUAL, nodes // SHARE))

    def _take_in(self, task: Future[Any]) -> Crew | None:
        """Learn what a job has come to; if its worker has died, who that was."""
        crew, way = self._running.pop(task)
        for node in way:
            node.jobs -= 1
        try:
            found: Found | None = finished(task)
        except BrokenExecutor:
            return crew
        self._ready.add(crew)
        if found:
            self._nodes[found.worker] += found.nodes
            self._tree.learn(way[-1], found.pair, found.pairs)
        return None

    def _let_go(self, crew: Crew) -> None:
        """Forget what a crew that has died was at; there will be another."""
        crew.dismiss()
        self._ready.discard(crew)
        for task, (other, way) in list(self._running.items()):
            if other is crew:
                del self._running[task]
                for node in way:
                    node.jobs -= 1

    def keep(self, path: Path) -> None:
        """Write down everything that was found out."""
        progress = self.progress
        so_far = {"nodes": progress.nodes, "seconds": progress.seconds}
        checkpoint.write(path, self._subject(), so_far, self._tree.words())

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint of the same question."""
        so_far, words = checkpoint.read(path, self._subject())
        self._tree.grow(words)
        self._before = so_far["nodes"], so_far["seconds"]

    def _subject(self) -> dict[str, Any]:
        return {**self._asked.question(), checkpoint.SHARED: True}

    def prover(self, megabytes: float) -> Prover:
        """A prover for this process alone, which knows every answer in the tree."""
        asked = self._asked
        found = Prover(asked.game, asked.position, asked.side, asked.within, megabytes)
        dfpn.moved(self._tree.words(unsettled=False), found.table)
        found.pair = self._tree.root.pair
        return found
