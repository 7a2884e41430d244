"""Stand-ins for the warm-up of engines: nothing is compiled, and tests say when something is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from waiting import PATIENCE

from quinconce.core.match import MatchData
from quinconce.core.registry import game
from quinconce.engine import warmup
from quinconce.engine.warmup import Stage, Step, Warmup, form_of


def form(name: str, **options: object) -> MatchData:
    return form_of(game(name, **options))


def thread_pool(
    workers: int, initializer: Callable[..., object], initargs: tuple[Any, ...]
) -> Executor:
    return ThreadPoolExecutor(workers, initializer=initializer, initargs=initargs)


class FakeCompiler:
    """Takes a step at a time, and is done with it when a test says so."""

    def __init__(self) -> None:
        self.done: set[Step] = set()
        self.begun: list[Step] = []
        self.errors: list[BaseException] = []  # what happens to the next steps, the last one first
        self._go = threading.Semaphore(0)
        self._news = threading.Condition()

    def warmup(self, steps: Iterable[Step] = ()) -> Warmup:
        return Warmup(steps, self.compile, self.done.__contains__, thread_pool)

    def compile(self, step: Step) -> None:
        with self._news:
            self.begun.append(step)
            self._news.notify_all()
        self._go.acquire()
        if self.errors:
            raise self.errors.pop()
        self.done.add(step)

    def wait_for(self, *steps: Step) -> None:
        """Wait until exactly these steps have begun, in this order."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.begun) >= len(steps), PATIENCE)
        assert self.begun == list(steps)

    def finish(self, steps: int = 1) -> None:
        """Let the next steps be done."""
        self._go.release(steps)

    def show(self, functions: int) -> None:
        """So many functions are compiled by now."""
        warmup.gauges[0][0] = functions


def play(name: str, **options: object) -> Step:
    return step(name, "play", **options)


def step(name: str, stage: Stage, **options: object) -> Step:
    return Step(form(name, **options), stage)
