"""The engine as a text engine asks it: a level that tells what it sees, and can be stopped."""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
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
from quinconce.kernels.homes import is_native

if TYPE_CHECKING:
    from quinconce.engine.analysis import Analysis
    from quinconce.engine.levels import Level
    from quinconce.engine.position_search import PositionSearch

MAX_THREADS: Final = 64
MAX_MEGABYTES: Final = 1 << 16
MODULE_MEGABYTES: Final = 4095  # that fit into the memory of a module of WebAssembly
# For the choice among moves that all lose; with less time than the second one searches instead.
PROOF_SECONDS, LEAST_PROOF_SECONDS = 0.1, 0.08
# Seconds in which a search that was stopped, or whose time is over, may still tell its best move:
# with nothing else to do it needs less, except where it has hardly begun.
STOP_PATIENCE, END_PATIENCE = 0.008, 0.005


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
        self.most = {"level": LAST_LEVEL, "threads": MAX_THREADS, "memory": max_megabytes()}
        self.chance = random.Random(seed)
        self._lock = threading.Lock()
        self._choice: MoveChoice | None = None

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
        """Make the engine ready for its first move."""
        load_engine(game)

    def think(self, thought: Thought) -> str:
        """The move of the level; what it sees is told as it deepens."""
        match = thought.match
        first, *others = islice(match.game.moves(match.position), 2)
        if not others:
            return first[0]
        level = level_by_number(self.options["level"], match.game.form_id)
        limits = self._limits(level, thought)
        choice = MoveChoice(thought, level, limits, self.chance, first[0])
        with self._lock:
            self._choice = choice
            if thought.is_stopped():  # before there was a choice
                choice.stop()
        return choice.move()

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
        """Stop what is under way."""
        with self._lock:
            if self._choice:
                self._choice.stop()

    def rest(self) -> None:
        """Wait for the end of a search that was too slow for its own answer."""
        if self._choice:
            self._choice.thread.join()


class MoveChoice:
    """The choice of one move, in a thread of its own: nothing that it waits for delays the answer.

    That thread may go on for a moment after an answer.
    """

    def __init__(
        self, thought: Thought, level: Level, limits: Limits, chance: random.Random, legal: str
    ) -> None:
        self.thought = thought
        self.level = level
        self.limits = limits
        self.chance = chance
        self.best = legal  # the best move so far
        self.end = thought.deadline  # of the time to think, then of the patience after it
        self.thread = threading.Thread(target=self._run, daemon=True)
        self._lock = threading.Lock()
        self._is_stopped = False
        self._search: PositionSearch | None = None
        # What the search has found; the move at last, or the error that ended it. None: stopped.
        self._news: queue.SimpleQueue[Analysis | str | BaseException | None] = queue.SimpleQueue()

    def stop(self) -> None:
        """Let `move` return soon."""
        with self._lock:
            self._is_stopped = True
            if self._search:
                self._search.stop()
        self._news.put(None)

    def move(self) -> str:
        """The move; soon after the end of its time, or a stop, the best one so far."""
        self.thread.start()
        late = False
        while True:
            try:
                news = self._news.get(timeout=seconds_until(self.end))
            except queue.Empty:
                if late:
                    return self._best_so_far()
                late, self.end = True, time.monotonic() + self._patience()
                self.stop()
                continue
            if isinstance(news, BaseException):
                raise news
            if isinstance(news, str):
                return news
            if news is not None:
                self.best = news.best
                self.thought.tell(info_line(news))
            elif not late:
                late, self.end = True, time.monotonic() + STOP_PATIENCE

    def _patience(self) -> float:
        """The seconds that the last result may come late when the time is over."""
        seconds = self.thought.limits.seconds
        return STOP_PATIENCE if seconds is None else min(END_PATIENCE, seconds / 2)

    def _best_so_far(self) -> str:
        """The best move of the last depth that was searched whole, told or not."""
        search = self._search
        return search.root_moves[0].text if search and search.depth_reached else self.best

    # In its own thread.

    def _run(self) -> None:
        try:
            self._news.put(self._find())
        except BaseException as error:
            self._news.put(error)

    def _find(self) -> str:
        """The move that is proved to be best; else that of a search."""
        from quinconce.engine.analysis import iterative_deepening
        from quinconce.engine.move_choice import level_search, proved_choice

        match = self.thought.match
        if self.level.is_full_strength and has_time_for_proofs(self.thought):
            prepare_engine(match.game)
            if known := proved_choice(match, self.chance, PROOF_SECONDS):
                return known
        try:
            search = level_search(match, self.level, self.chance, self.limits)
        except ValueError as error:  # the machine has less memory than it is asked for
            self.thought.tell_error(error)
            limits = replace(self.limits, memory=DEFAULT_TABLE_MEGABYTES)
            search = level_search(match, self.level, self.chance, limits)
        with self._lock:
            self._search = search
            if self._is_stopped:
                search.stop()
        best = self.best
        for found in iterative_deepening(search, 1):
            self._news.put(found)
            best = found.best
        return best


def seconds_until(deadline: float | None) -> float | None:
    """The seconds left until a moment of `time.monotonic`; None if there is none."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def has_time_for_proofs(thought: Thought) -> bool:
    """Whether the best of all proved moves can be looked for before the time is over."""
    left = seconds_until(thought.deadline)
    return not thought.limits.infinite and (left is None or left > LEAST_PROOF_SECONDS)


def max_megabytes() -> int:
    """The largest table of this process, wherever it has its compiled code."""
    return MAX_MEGABYTES if is_native() else MODULE_MEGABYTES


def load_engine(game: Game[Any]) -> None:
    """Load all that its first move would wait for: code, proofs, endings."""
    from quinconce.engine.analysis import run_search
    from quinconce.engine.move_choice import level_search, proved_choice
    from quinconce.engine.preparation import WARM_UP_LIMITS
    from quinconce.engine.winning_chances import winning_chances
    from quinconce.solvers.endgames.tables import wait_for_table
    from quinconce.solvers.retrograde import solution

    prepare_engine(game)
    wait_for_table(game)
    if solution(game):  # once on each machine this takes seconds
        winning_chances(game)
    # The first move of a process takes longer than all others.
    start, strongest = Match(game), level_by_number(LAST_LEVEL, game.form_id)
    proved_choice(start, random.Random(0), 0.0)
    run_search(level_search(start, strongest, random.Random(0), WARM_UP_LIMITS))


def prepare_engine(game: Game[Any]) -> None:
    """Compile the engine or load it, and what is proved of the game."""
    from quinconce.engine import prepare  # compiled code is slow to load

    prepare(game, informed=True)
