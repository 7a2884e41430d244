"""Compiles in the background what engines need, in one process at low priority, step by step.

Nothing here loads Numba but the process that compiles. What is compiled lies in Numba's cache on
disk, with a mark that `readiness` reads, so that every process sees at once that it is there.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from typing import Any, Final, Literal, NamedTuple

from quinconce.core.game import Game
from quinconce.core.match import MatchData
from quinconce.core.registry import game_forms, menu_names
from quinconce.core.worker_pools import kill_workers, patient_process_pool
from quinconce.engine.readiness import is_compiled
from quinconce.kernels.code_cache import cache_directory, is_marked_compiled, mark_compiled

LOG: Final = logging.getLogger("quinconce.engine")
MAX_ATTEMPTS: Final = 2  # at a step whose process died
MAX_FAILURES: Final = 6  # of all steps together, after which nothing more is tried
COUNT_SECONDS: Final = 0.1  # between two looks at how far the compiler is
NEARLY_ALL: Final = 0.99  # the largest share of what is not finished

# What a game needs to be played, what is needed to know what is proved of it, and to judge puzzles.
Stage = Literal["play", "proofs", "puzzles"]
PUZZLES_MARK: Final = "+puzzles"
# Functions that are compiled for each stage, about; the same ones are needed again and again, so
# that a step may have fewer to compile, and is done early.
USUAL_FUNCTIONS: Final[Mapping[Stage, int]] = {"play": 50, "proofs": 22, "puzzles": 20}
Gauge = MutableSequence[int]  # the functions that a step has compiled so far


class Step(NamedTuple):
    """A form of a game, and the stage for which it is compiled."""

    form: MatchData
    stage: Stage


Job = Callable[[Step], None]
PoolFactory = Callable[[int, Callable[..., object], tuple[Any, ...]], Executor]


def form_of(game: Game[Any]) -> MatchData:
    """The form of a game as plain data."""
    return MatchData(game.name, tuple(game.chosen.items()))


def default_forms() -> list[MatchData]:
    """Every game as it is mostly played."""
    return [form_of(game_forms(name)[0]) for name in menu_names()]


@cache
def every_form() -> tuple[MatchData, ...]:
    """Every form of every game, those that are mostly played first."""
    others = (form_of(game) for name in menu_names() for game in game_forms(name)[1:])
    return *default_forms(), *others


def all_steps() -> list[Step]:
    """Everything that engines need compiled, what most people need first."""
    return [
        *(Step(form, "play") for form in every_form()),
        *(Step(form, "proofs") for form in default_forms()),
    ]


def is_done(step: Step) -> bool:
    """Whether what a step compiles lies in the cache."""
    game = step.form.rules()
    if step.stage == "puzzles":
        return is_marked_compiled(game.form_id + PUZZLES_MARK)
    return is_compiled(game, informed=step.stage == "proofs")


def mark_puzzles(form: MatchData) -> None:
    """Note that what the judge of puzzles needs for a form of a game is compiled."""
    mark_compiled(form.rules().form_id + PUZZLES_MARK)


class Warmup:
    """Compiles what is not compiled yet, one step after the other; what is wanted comes first."""

    def __init__(
        self,
        steps: Iterable[Step],
        job: Job,
        done: Callable[[Step], bool] = is_done,
        pool: PoolFactory = patient_process_pool,
    ) -> None:
        self.current: Step | None = None
        self.is_done = done
        self._waiting = list(steps)
        self._job = job
        self._make_pool = pool
        self._pool: Executor | None = None
        self._gauge: Gauge = multiprocessing.get_context("spawn").RawArray("i", 1)
        self._failures: Counter[Step] = Counter()
        self._closed = False
        self._lock = threading.RLock()

    def start(self) -> None:
        """Begin with the first step that is not done; if all are, no process is started."""
        with self._lock:
            if self.current or self._closed:
                return
            while self._waiting and self.is_done(self._waiting[0]):
                del self._waiting[0]
            if self._waiting:
                cache_directory()  # a temporary one has to be there for all processes
                self._begin(self._waiting.pop(0))
            else:
                self._release_pool()

    def prefer(self, *steps: Step) -> None:
        """Let some steps come next, in this order, and go on if nothing was left to do."""
        with self._lock:
            wanted = [
                each for each in dict.fromkeys(steps) if each != self.current and self.is_open(each)
            ]
            self._waiting = [*wanted, *(each for each in self._waiting if each not in wanted)]
        self.start()

    def is_open(self, step: Step) -> bool:
        """Whether a step is still to be done, and will be tried."""
        failed = self._failures[step] >= MAX_ATTEMPTS or self._failures.total() >= MAX_FAILURES
        return not (failed or self._closed or self.is_done(step))

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being compiled, or waits for it; between two steps it is not."""
        with self._lock:
            return self.current is None

    def share(self, step: Step) -> float:
        """How much of a step is done, from 0 to 1; an estimate while it is being done."""
        if self.is_done(step):
            return 1.0
        if step != self.current:
            return 0.0
        return min(self._gauge[0] / USUAL_FUNCTIONS[step.stage], NEARLY_ALL)

    def close(self) -> None:
        """Stop at once; what was compiled so far stays in the cache."""
        with self._lock:
            self._closed = True
            pool, self._pool = self._pool, None
        if pool:
            kill_workers(pool, wait=True)

    def _begin(self, step: Step) -> None:
        self.current = step
        self._gauge[0] = 0
        try:
            self._pool = self._pool or self._make_pool(1, keep_gauge, (self._gauge,))
            task = self._pool.submit(self._job, step)
        except (OSError, RuntimeError) as error:  # no process can be started, or the last one died
            self._end(step, error)
        else:
            task.add_done_callback(partial(self._finish, step))

    def _finish(self, step: Step, task: Future[None]) -> None:
        error = CancelledError() if task.cancelled() else task.exception()
        with self._lock:
            self._end(step, error)

    def _end(self, step: Step, error: BaseException | None) -> None:
        self.current = None
        if error and not self._closed:
            LOG.warning("%s could not be compiled ahead: %r", step.form.rules(), error)
            self._failures[step] += 1
            if isinstance(error, BrokenExecutor):
                self._release_pool()
            if self._failures[step] < MAX_ATTEMPTS:
                self._waiting.append(step)
            if self._failures.total() >= MAX_FAILURES:
                self._waiting.clear()
        self.start()

    def _release_pool(self) -> None:
        pool, self._pool = self._pool, None
        if pool:
            kill_workers(pool)


# In the process that compiles.

gauges: Final[list[Gauge]] = []  # the one that is kept, if any


def keep_gauge(gauge: Gauge) -> None:
    """Run first in the process: from now on the parent sees how far it is."""
    gauges[:] = [gauge]


def compile_step(step: Step) -> None:
    """Compile what is needed to play a game, and to know what is proved of it."""
    from quinconce.engine.preparation import prepare

    with show_progress():
        prepare(step.form.rules(), informed=step.stage == "proofs")


def show_progress() -> AbstractContextManager[None]:
    """Let the parent see how many functions the block has compiled so far."""
    return count_compiled(lambda n: gauges[0].__setitem__(0, n))


@contextmanager
def count_compiled(tell: Callable[[int], object]) -> Iterator[None]:
    """Call `tell` again and again with the number of functions compiled in the block."""
    from quinconce.kernels.compiled import compilation_counter

    over = threading.Event()

    def watch() -> None:
        while not over.wait(COUNT_SECONDS):
            tell(count())

    with compilation_counter() as count:
        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()
