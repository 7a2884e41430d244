"""Stand-ins for the engine, simple enough to be sent to another process."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

from quinconce.server.matches.engine_pool import Question, match_of


def first(question: Question) -> str:
    """The first legal move."""
    return min(match_of(question).legal())


def chance(question: Question) -> str:
    """Any legal move."""
    return random.Random(question.seed).choice(sorted(match_of(question).legal()))


def dying(question: Question) -> str:
    """The first process that thinks dies of it; the next one answers."""
    scar = Path(os.environ["QUINCONCE_SCAR"])
    if not scar.exists():
        scar.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return first(question)


def wrong(_question: Question) -> str:
    """No move at all."""
    return "nonsense"


def where(_question: Question) -> str:
    """Not a move, but the process in which it was thought of."""
    return str(os.getpid())
