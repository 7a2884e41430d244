"""Stand-ins for the engine, simple enough to be sent to another process."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from pathlib import Path

from quinconce.core.match_data import MatchData
from quinconce.server.matches.engine_jobs import EngineQuestion, replay_cached


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


def report_first_move_best(data: MatchData) -> str:
    """A report of a reviewer to whom the first legal move is best, and any other costs 0.2."""
    match = data._replace(moves=()).match()
    sides = len(match.game.sides)
    scores = [1 / sides] * sides
    for text in data.moves:
        side = match.game.side(match.seat)
        if text != min(match.legal()):
            given = min(0.2, scores[side])
            scores = [score + given / (sides - 1) for score in scores]
            scores[side] -= given + given / (sides - 1)
        match.play(text)
    best = min(match.legal(), default=None)
    line = [best] if best else []
    return json.dumps({"scores": scores, "best": best, "line": line, "holding": []})
