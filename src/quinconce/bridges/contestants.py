"""Who plays in a contest: levels of the engine, bots as Python files, programs that speak UGI."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from quinconce.bridges.bot_file import check_bot_file
from quinconce.bridges.engine_thinker import load_engine
from quinconce.bridges.time_control import MatchClock, side_to_move
from quinconce.bridges.ugi_program import UgiProgram, split_command
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.record import Seat
from quinconce.engine.levels import level_by_number
from quinconce.engine.match_runner import ForfeitError

UGI_PREFIX: Final = "ugi:"
BOT_SUFFIX: Final = ".py"
# Seconds until a bot is ready to play, and any program that has failed to be so before.
BOT_PATIENCE: Final = 60.0
SECOND_PATIENCE: Final = 5.0

TimedPlayer = Callable[[Match[Any], MatchClock, random.Random], str]


class LevelContestant:
    """A level of the engine, which thinks in this process."""

    def __init__(self, level: int, name: str = "") -> None:
        level_by_number(level)
        self.level = level
        self.name = name or f"engine:{level}"
        self._loaded: Game[Any] | None = None

    def seat(self) -> Seat:
        """Its level."""
        return Seat(level=self.level)

    @contextmanager
    def sit_down(self, game: Game[Any]) -> Iterator[TimedPlayer]:
        """It is ready to play before its clock runs."""
        if self._loaded != game:
            load_engine(game)
            self._loaded = game
        yield self.move

    def move(self, match: Match[Any], clock: MatchClock, chance: random.Random) -> str:
        """The move of the level, within its time."""
        from quinconce.engine.move_choice import pick_move  # compiled code is slow to load

        side, level = side_to_move(match), level_by_number(self.level, match.game.form_id)
        started = time.monotonic()
        seconds = min(clock.budget(side), level.seconds or clock.budget(side))
        move = pick_move(match, level, chance, seconds, 1)
        clock.charge(side, time.monotonic() - started, self.name)
        return move


class ProgramContestant:
    """A program that speaks UGI: one process for each match it plays at a time.

    A process that has failed is ended; the next match begins with another one. Once one has not
    begun, others are not waited for as long.
    """

    def __init__(
        self, command: Sequence[str], name: str = "", patience: float | None = None
    ) -> None:
        self.command = command
        self.patience = patience
        self.is_named = bool(name)
        self.name = name or Path(command[0]).name
        self._idle: list[UgiProgram] = []
        self._lock = threading.Lock()

    def learn_name(self) -> None:
        """Start it, and take the name that it gives itself; that of its file if it cannot start."""
        if not self.is_named:
            try:
                self._idle.append(UgiProgram(self.command, patience=self.patience))
            except ForfeitError:
                self.patience = SECOND_PATIENCE
            else:
                self.name = self._idle[-1].name

    def seat(self) -> Seat:
        """Its name."""
        return Seat(self.name)

    @contextmanager
    def sit_down(self, game: Game[Any]) -> Iterator[TimedPlayer]:
        """It takes a process when the first move is asked for, and hands it back at the end."""
        program: UgiProgram | None = None

        def move(match: Match[Any], clock: MatchClock, _chance: random.Random) -> str:
            nonlocal program
            program = program or self._start(game)
            try:
                return program.move(match, clock)
            except ForfeitError:
                program.kill()
                program = None
                raise

        try:
            yield move
        except BaseException:
            if program:
                program.kill()
            raise
        if program:
            with self._lock:
                self._idle.append(program)

    def _start(self, game: Game[Any]) -> UgiProgram:
        """A process that is ready to play a game."""
        program: UgiProgram | None = None
        try:
            program = self._take_process()
            program.start_match(game)
        except BaseException as error:
            if isinstance(error, ForfeitError):
                self.patience = SECOND_PATIENCE
            if program:
                program.kill()
            raise
        return program

    def _take_process(self) -> UgiProgram:
        """One that waits, or another one."""
        with self._lock:
            program = self._idle.pop() if self._idle else None
        if program is None:
            return UgiProgram(self.command, self.name, patience=self.patience)
        program.name = self.name
        return program

    def close(self) -> None:
        """End its processes."""
        while self._idle:
            self._idle.pop().close()


Contestant = LevelContestant | ProgramContestant


def bot_contestant(path: Path) -> ProgramContestant:
    """A bot, which plays in a process of its own; ValueError if there is no such file."""
    check_bot_file(path)
    # -P: what lies in the folder that one stands in, a bot called random.py, is not imported.
    command = [sys.executable, "-P", "-m", "quinconce", "ugi", "--bot", str(path)]
    return ProgramContestant(command, path.name, BOT_PATIENCE)


def parse_contestant(text: str) -> Contestant | None:
    """A bot's file or a program, as one types it; None for another text."""
    if text.startswith(UGI_PREFIX):
        return ProgramContestant(split_command(text.removeprefix(UGI_PREFIX)))
    return bot_contestant(Path(text)) if text.endswith(BOT_SUFFIX) else None
