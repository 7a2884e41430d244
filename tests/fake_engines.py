"""Stand-ins for the engine, simple enough to be sent to another process."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections import Counter
from pathlib import Path

from waiting import PATIENCE, until

from quinconce.engine.slices import AnalysisReport, ReportLine
from quinconce.server.matches.engine_jobs import EngineQuestion, replay_cached
from quinconce.server.matches.thought_jobs import ThoughtQuestion


class Gate:
    """Where a stand-in in a thread waits until the test lets it go on."""

    def __init__(self) -> None:
        self.arrivals = 0
        self._open = threading.Event()

    def wait(self) -> None:
        """Wait until it is open; AssertionError if that never comes."""
        self.arrivals += 1
        assert self._open.wait(PATIENCE), "nobody opened the gate"

    def open(self) -> None:
        """Let everybody through, now and later."""
        self._open.set()

    def first_move(self, question: EngineQuestion) -> str:
        """The first legal move, once the gate is open."""
        self.wait()
        return first_move(question)


def first_move(question: EngineQuestion) -> str:
    """The first legal move."""
    return min(replay_cached(question.match).legal())


def random_move(question: EngineQuestion) -> str:
    """Any legal move."""
    return random.Random(question.seed).choice(sorted(replay_cached(question.match).legal()))


def die_once(question: EngineQuestion) -> str:
    """The first process that thinks dies of it; the next one answers."""
    scar = Path(os.environ["QUINCONCE_SCAR"])
    if not scar.exists():
        scar.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return first_move(question)


def not_a_move(_question: EngineQuestion) -> str:
    """No move at all."""
    return "nonsense"


def process_id(_question: EngineQuestion) -> str:
    """Not a move, but the process in which it was thought of."""
    return str(os.getpid())


def think_visibly(question: EngineQuestion) -> str:
    """The first legal move, once `go` or `go-SEED` is there; a file names the process."""
    folder = Path(os.environ["QUINCONCE_THOUGHTS"])
    with (folder / "begun").open("a") as begun:
        begun.write(f"{os.getpid()} {question.seed}\n")
    signs = [folder / "go", folder / f"go-{question.seed}"]
    until(lambda: any(sign.exists() for sign in signs))
    return first_move(question)


_depths: Counter[str] = Counter()


def deepen_and_die_once(question: ThoughtQuestion) -> AnalysisReport:
    """A slice that comes a ply deeper; the first process dies of the fourth. `nodes` names it."""
    scar = Path(os.environ["QUINCONCE_SCAR"])
    _depths[question.id] += 1
    depth = _depths[question.id]
    if depth == 4 and not scar.exists():
        scar.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return AnalysisReport(depth, os.getpid(), depth, (ReportLine(("m@2",), 0.5),), done=False)


def die(_question: ThoughtQuestion) -> AnalysisReport:
    """Every process that thinks dies of it."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def deepen(question: ThoughtQuestion) -> AnalysisReport:
    """A slice that comes a ply deeper; `nodes` names the process."""
    _depths[question.id] += 1
    depth = _depths[question.id]
    return AnalysisReport(depth, os.getpid(), 0.1, (ReportLine(("m@2",), 0.5),), done=False)
