"""Stand-ins for the engine, simple enough to be sent to another process."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

from quinconce.engine.slices import AnalysisReport, ReportLine
from quinconce.server.engines.jobs import EngineQuestion, SearchQuestion, replay_cached


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
    """The first legal move, once it may be told; a file names the process that thinks."""
    folder = Path(os.environ["QUINCONCE_THOUGHTS"])
    with (folder / "begun").open("a") as begun:
        begun.write(f"{os.getpid()} {question.seed}\n")
    deadline = time.monotonic() + 60
    while not (folder / "go").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return first_move(question)


_depths: Counter[str] = Counter()


def deepen_and_die_once(question: SearchQuestion) -> AnalysisReport:
    """A slice that comes a ply deeper; the first process dies of the fourth. `nodes` names it."""
    scar = Path(os.environ["QUINCONCE_SCAR"])
    _depths[question.id] += 1
    depth = _depths[question.id]
    if depth == 4 and not scar.exists():
        scar.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return AnalysisReport(depth, os.getpid(), depth, (ReportLine(("m@2",), 0.5),), done=False)


def die(_question: SearchQuestion) -> AnalysisReport:
    """Every process that thinks dies of it."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def deepen(question: SearchQuestion) -> AnalysisReport:
    """A slice that comes a ply deeper; `nodes` names the process."""
    _depths[question.id] += 1
    depth = _depths[question.id]
    return AnalysisReport(depth, os.getpid(), 0.1, (ReportLine(("m@2",), 0.5),), done=False)
