"""Another program that speaks UGI: started, asked for moves, and ended whatever it does."""

from __future__ import annotations

import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Any, Final

from quinconce.bridges.time_control import MatchClock, side_to_move
from quinconce.bridges.ugi import option_values, position_line
from quinconce.core.game import MAX_MOVE_LENGTH, Game
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _, quote
from quinconce.engine.match_runner import ForfeitError
from quinconce.words.sentences import printable

START_SECONDS: Final = 60.0  # for `ugiok`
READY_SECONDS: Final = 600.0  # for `readyok` before a match: a program may compile itself
END_SECONDS: Final = 2.0  # after `quit`, before it is killed
MAX_LINE: Final = 1 << 16  # bytes of a line; the rest of a longer one is another line
MAX_NAME: Final = 40  # characters of the name it gives itself
MAX_TOLD: Final = 160  # characters that are told of an error
MAX_LINES: Final = 10_000  # that wait to be read; a program that writes more has to wait


def split_command(command: str) -> list[str]:
    """The words of a command; ValueError if there is no such program."""
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError:  # a quotation mark is missing
        words = []
    if not words or shutil.which(words[0]) is None:
        raise ValueError(_("there is no program {command}", command=quote(command)))
    return words


def kill_session(process: subprocess.Popen[Any]) -> None:
    """End a process that has a session of its own, and what it has started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


class UgiProgram:
    """A program in a process of its own. What it does wrong is a ForfeitError."""

    def __init__(
        self,
        command: Sequence[str],
        name: str = "",
        *,
        now: Callable[[], float] = time.monotonic,
        patience: float | None = None,
    ) -> None:
        self.name = name or command[0]
        self.now = now
        self.start_seconds = patience or START_SECONDS
        self.ready_seconds = patience or READY_SECONDS
        self.options: dict[str, str] = {}  # those it has, by their names in small letters
        self.game: Game[Any] | None = None  # that it was told of
        self._last_errors: deque[str] = deque(maxlen=1)
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_LINES)
        self._ended = threading.Event()
        try:
            self.process = subprocess.Popen(  # noqa: S603 (what the user asked for)
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # an interrupt is for us
            )
        except OSError as error:
            raise self._crash(_("it cannot be started ({why})", why=error.strerror)) from None
        self._threads = [
            threading.Thread(target=target, args=(stream,), daemon=True)
            for target, stream in (
                (self._read_lines, self.process.stdout),
                (self._read_errors, self.process.stderr),
            )
        ]
        for thread in self._threads:
            thread.start()
        try:
            self._introduce(named=bool(name))
        except ForfeitError:
            self.kill()
            raise

    def _introduce(self, named: bool) -> None:
        """Ask what it is called, and what can be set."""
        self.send("ugi")
        deadline = self.now() + self.start_seconds
        while (words := self._next_words(deadline)) != ["ugiok"]:
            if words is None:
                raise self._silence("ugiok")
            if words[:2] == ["id", "name"] and len(words) > 2 and not named:
                self.name = printable(" ".join(words[2:]))[:MAX_NAME]
            if words[:2] == ["option", "name"] and "type" in words:
                option = " ".join(words[2 : words.index("type")])
                self.options[option.lower()] = option

    # What it is told and asked.

    def start_match(self, game: Game[Any]) -> None:
        """Tell it which game comes, and wait until it is ready."""
        if game != self.game:
            for name, value in option_values(game).items():
                if name.lower() in self.options:
                    self.send(f"setoption name {self.options[name.lower()]} value {value}")
            self.game = game
        if not self._is_ready(self.now() + self.ready_seconds):
            raise self._silence("readyok")
        self.send("uginewgame")

    def move(self, match: Match[Any], clock: MatchClock) -> str:
        """Its move for the side to move, a legal one; its time is charged to that side."""
        side, started = side_to_move(match), self.now()
        deadline = started + clock.limit(side)
        self.send(position_line(match))
        move = None
        if self._is_ready(deadline):  # what it said before does not count
            self.send(f"go {clock.go_words()}")
            move = self._best_move(deadline)
        used = self.now() - started
        clock.charge(side, max(used, clock.limit(side)) if move is None else used, self.name)
        assert move is not None
        return self._check(match, move)

    def _best_move(self, deadline: float) -> str | None:
        """The move it names; None once its time is over."""
        while words := self._next_words(deadline):
            if words[0] == "bestmove" and len(words) > 1:
                return words[1]
        return None

    def _check(self, match: Match[Any], move: str) -> str:
        """The move, if it is legal."""
        if len(move) <= MAX_MOVE_LENGTH and match.game.successor(match.position, move) is not None:
            return move
        raise ForfeitError(
            "illegal",
            _("{name} played {move}: that is not legal", name=self.name, move=quote(move)),
        )

    def send(self, line: str) -> None:
        """Tell it a line."""
        assert self.process.stdin
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except OSError:
            raise self._crash() from None

    def _is_ready(self, deadline: float) -> bool:
        """Whether it says in time that it has done what it was told."""
        self.send("isready")
        while words := self._next_words(deadline):
            if words == ["readyok"]:
                return True
        return False

    def _silence(self, word: str) -> ForfeitError:
        """What to tell of a program that gives no answer."""
        return self._crash(_("it does not answer: no {word}", word=word))

    def _next_words(self, deadline: float) -> list[str] | None:
        """The words of its next line that has any; None when it is too late.

        ForfeitError if it has ended.
        """
        while (left := deadline - self.now()) > 0:  # though it may write on and on
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                return None
            if line is None:
                self._lines.put(None)  # it stays ended
                raise self._crash()
            if words := line.split():
                return words
        return None

    def _crash(self, why: Phrase | None = None) -> ForfeitError:
        """What to tell of a program that cannot go on."""
        if why is None:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(END_SECONDS)
            self._threads[1].join(END_SECONDS)
            last = self._last_errors[0] if self._last_errors else ""
            why = _("it ended by itself (code {code})", code=str(self.process.returncode))
            if last:
                why = _("{why}: {last}", why=why, last=printable(last)[:MAX_TOLD])
        return ForfeitError("crash", _("{name} failed: {why}", name=self.name, why=why))

    # Its end.

    def close(self) -> None:
        """Let it leave, or end it."""
        with suppress(ForfeitError):
            self.send("quit")
        with suppress(OSError):
            assert self.process.stdin
            self.process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End it at once, and what it has started."""
        self._ended.set()
        kill_session(self.process)
        with suppress(OSError):
            assert self.process.stdin
            self.process.stdin.close()
        for thread in self._threads:
            thread.join(END_SECONDS)

    # In threads of their own.

    def _read_lines(self, stream: IO[bytes]) -> None:
        with stream:
            for line in iter(lambda: stream.readline(MAX_LINE), b""):
                if not self._put(line.decode(errors="replace")):
                    return
        self._put(None)

    def _put(self, line: str | None) -> bool:
        """Hand a line on as soon as there is room; False once nobody reads any more."""
        while not self._ended.is_set():
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.2)
                return True
        return False

    def _read_errors(self, stream: IO[bytes]) -> None:
        with stream:
            for line in iter(lambda: stream.readline(MAX_LINE), b""):
                if text := line.decode(errors="replace").strip():
                    self._last_errors.append(text)
