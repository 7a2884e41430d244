"""The engine as a text engine asks it: a level that tells what it sees, and can be stopped."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from quinconce.bridges.ugi import info_line
from quinconce.bridges.ugi_engine import Thought
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.option import parse_number
from quinconce.core.phrase import _, quote
from quinconce.engine.levels import LAST_LEVEL, level_by_number
from quinconce.engine.limits import DEFAULT_TABLE_MEGABYTES, Limits

if TYPE_CHECKING:
    from quinconce.engine.levels import Level
    from quinconce.engine.position_search import PositionSearch

MAX_THREADS: Final = 64
MAX_MEGABYTES: Final = 1 << 16
WARM_UP_LIMITS: Final = Limits(nodes=2000)
# For the choice among moves that all lose, which nothing stops; with less time than the second one
# searches instead.
PROOF_SECONDS, LEAST_PROOF_SECONDS = 0.1, 0.08


class EngineThinker:
    """A level of the engine; the last one thinks as long as it may."""

    name = "Quinconce"

    def __init__(
        self,
        level: int = LAST_LEVEL,
        threads: int = 1,
        memory: int = DEFAULT_TABLE_MEGABYTES,
        seed: int | None = None,
    ) -> None:
        level_by_number(level)
        self.options = {"level": level, "threads": threads, "memory": memory}
        self.most = {"level": LAST_LEVEL, "threads": MAX_THREADS, "memory": MAX_MEGABYTES}
        self.chance = random.Random(seed)
        self._lock = threading.Lock()
        self._search: PositionSearch | None = None

    def option_lines(self) -> Iterator[str]:
        """Level, threads and memory, in megabytes."""
        for name, value in self.options.items():
            most = self.most[name]
            yield f"option name {name.title()} type spin default {value} min 1 max {most}"

    def set_option(self, name: str, value: str) -> bool:
        """Set one of these; ValueError beyond its range."""
        if name not in self.options:
            return False
        number = parse_number(value)
        if number is None or not 1 <= number <= self.most[name]:
            raise ValueError(
                _(
                    "{name} is a number from 1 to {last}, not {wrong}",
                    name=name,
                    last=str(self.most[name]),
                    wrong=quote(value),
                )
            )
        self.options[name] = number
        return True

    def load(self, game: Game[Any]) -> None:
        """Compile the engine or load it, and what is proved of the game, its endings too."""
        from quinconce.engine.analysis import run_search
        from quinconce.engine.move_choice import level_search, proved_choice
        from quinconce.solvers.endgames.tables import wait_for_table

        prepare_engine(game)
        wait_for_table(game)
        # The first move of a process takes longer than all others: it is not asked for in time.
        start, strongest = Match(game), level_by_number(LAST_LEVEL, game.form_id)
        proved_choice(start, random.Random(0), 0.0)
        run_search(level_search(start, strongest, random.Random(0), WARM_UP_LIMITS))

    def think(self, thought: Thought) -> str:
        """The move of the level; what it sees is told as it deepens."""
        from quinconce.engine.analysis import iterative_deepening
        from quinconce.engine.move_choice import level_search, proved_choice

        match = thought.match
        level = level_by_number(self.options["level"], match.game.form_id)
        first, *others = islice(match.game.moves(match.position), 2)
        best = first[0]
        if not others:
            return best
        if level.is_full_strength and has_time_for_proofs(thought):
            prepare_engine(match.game)
            if known := proved_choice(match, self.chance, PROOF_SECONDS):
                return known
        search = level_search(match, level, self.chance, self._limits(level, thought))
        with self._under_way(search, thought):
            for found in iterative_deepening(search, 1):
                best = found.best
                thought.tell(info_line(found))
        return best

    def _limits(self, level: Level, thought: Thought) -> Limits:
        """What is asked for, and no more than the level sees; without a limit, the level's own."""
        asked, seconds = thought.limits, seconds_until(thought.deadline)
        nodes = [most for most in (asked.nodes, level.nodes) if most is not None]
        if not (asked.infinite or nodes or asked.depth or seconds is not None):
            seconds = level.seconds
        return Limits(
            seconds,
            min(nodes, default=None),
            asked.depth,
            self.options["threads"],
            self.options["memory"],
        )

    def stop(self) -> None:
        """Stop the search that is under way."""
        with self._lock:
            if self._search:
                self._search.stop()

    @contextmanager
    def _under_way(self, search: PositionSearch, thought: Thought) -> Iterator[None]:
        """Let a search be stopped in the block, by hand or when its time is over."""
        with self._lock:
            self._search = search
            if thought.is_stopped():  # before there was a search
                search.stop()
        left = seconds_until(thought.deadline)
        timer = threading.Timer(left or 0.0, search.stop)
        timer.daemon = True
        if left is not None:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:
                self._search = None


def seconds_until(deadline: float | None) -> float | None:
    """The seconds left until a moment of `time.monotonic`; None if there is none."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def has_time_for_proofs(thought: Thought) -> bool:
    """Whether the best of all proved moves can be looked for before the time is over."""
    left = seconds_until(thought.deadline)
    return not thought.limits.infinite and (left is None or left > LEAST_PROOF_SECONDS)


def prepare_engine(game: Game[Any]) -> None:
    """Compile the engine or load it, and what is proved of the game."""
    from quinconce.engine import prepare  # Numba is slow to load

    prepare(game, informed=True)
