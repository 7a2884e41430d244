"""A text engine: answers a match runner that speaks UGI, and reads its input while it thinks."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import takewhile
from typing import Any, Final, NoReturn, Protocol

from quinconce.bridges import ugi
from quinconce.bridges.time_control import check_two_sides, side_to_move
from quinconce.core.errors import MoveError
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.move_limit import read_position
from quinconce.core.phrase import Phrase, _, quote
from quinconce.core.registry import game_class

CLOSE_SECONDS: Final = 1.0  # that a thought has to end once the input has
MAX_LINE: Final = 1 << 20  # characters of a line; what is longer is not read as one

Tell = Callable[[str], None]  # is given a line for the match runner


@dataclass(frozen=True)
class Thought:
    """What is to be thought of: a match, for how long, until when by `time.monotonic`."""

    match: Match[Any]
    limits: ugi.GoLimits
    deadline: float | None
    is_stopped: Callable[[], bool]
    tell: Tell
    tell_error: Callable[[ValueError], None]


class Thinker(Protocol):
    """What finds the moves: the engine, or a bot. `load` and `think` run in a thread apart."""

    name: str

    def option_lines(self) -> Iterator[str]:
        """Options of its own, as UGI offers them."""

    def set_option(self, name: str, value: str) -> bool:
        """Set one of its options, the name in small letters; False if it has none such.

        ValueError if it cannot have this value.
        """

    def load(self, game: Game[Any]) -> None:
        """Do what takes long before the first move."""

    def think(self, thought: Thought) -> str:
        """The move to play."""

    def stop(self) -> None:
        """Let `think` return soon; called in another thread, once `is_stopped` says so."""

    def rest(self) -> None:
        """Called after `think`: wait for what of it still goes on."""


class UgiEngine:
    """One conversation. The thread that reads never waits for the one that thinks."""

    def __init__(
        self, thinker: Thinker, rules: Game[Any], write: Tell, say: Callable[[Phrase], str] = str
    ) -> None:
        check_two_sides(rules)
        self.thinker = thinker
        self.say = say
        self.match: Match[Any] = Match(rules)
        self.loser: int | None = None  # the side that played what the rules refuse
        self.asked: dict[str, str] = {}  # options that were set, and may not fit together yet
        self.is_thinking = False
        self.loaded: Game[Any] | None = None
        self._stopped = threading.Event()
        self._write_line = write
        self._write_lock = threading.Lock()
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._worker = threading.Thread(target=self._run_work, daemon=True)
        self.commands: dict[str, Callable[[Sequence[str]], None]] = {
            "ugi": self.introduce,
            "isready": self.get_ready,
            "uginewgame": self.start_game,
            "setoption": self.set_option,
            "position": self.set_position,
            "go": self.go,
            "stop": self.stop,
            "query": self.answer,
        }

    def run(self, lines: Iterable[str]) -> bool:
        """Do what is asked until `quit` or the end; whether nothing is under way any more."""
        self._worker.start()
        for line in takewhile(lambda line: line.split()[:1] != ["quit"], lines):
            self.handle(line.split())
        self.stop(())
        self._work.put(None)
        self._worker.join(CLOSE_SECONDS)
        return not self._worker.is_alive()

    def handle(self, words: Sequence[str]) -> None:
        """Do what one line asks; what cannot be done is told, and nothing else happens."""
        if not words:
            return
        command = self.commands.get(words[0])
        try:
            if command is None:
                raise ValueError(_("there is no command {word}", word=quote(words[0])))
            command(words[1:])
        except ValueError as error:
            self.tell_error(error)

    def write(self, line: str) -> None:
        """Send a line; both threads do."""
        with self._write_lock:
            self._write_line(line)

    def tell_error(self, error: ValueError) -> None:
        """Say on one line what was wrong."""
        first = error.args[0] if error.args else ""
        told = self.say(first) if isinstance(first, Phrase) else str(error)
        self.write("info string " + " ".join(told.split()))

    # What is asked.

    def introduce(self, _words: Sequence[str]) -> None:
        """Say who this is, and what can be set."""
        self.write(f"id name {self.thinker.name}")
        self.write(f"id author The Quinconce developers, version {version('quinconce')}")
        for line in (*ugi.game_option_lines(self.match.game), *self.thinker.option_lines()):
            self.write(line)
        self.write("ugiok")

    def get_ready(self, _words: Sequence[str]) -> None:
        """Load what takes long, the first time; in the middle of a thought all is ready."""
        self.settle_options()
        if self.is_thinking:
            self.write("readyok")
            return
        rules = self.match.game

        def load() -> None:
            self._load(rules)
            self.write("readyok")

        self._work.put(load)

    def start_game(self, _words: Sequence[str]) -> None:
        """Go back to the start."""
        self.settle_options()
        self.match, self.loser = Match(self.match.game), None

    def set_option(self, words: Sequence[str]) -> None:
        """Set an option; an unknown one is ignored."""
        name, value = ugi.parse_setoption(words)
        known = {key.lower(): key for key in ("Game", *ugi.game_options())}
        if name in known:
            self.asked[known[name]] = value.lower()
        else:
            self.thinker.set_option(name, value)

    def settle_options(self) -> None:
        """Change to the game that was asked for, without the options that it does not offer.

        What is wrong is told. Until then options may come in any order.
        """
        asked, self.asked = self.asked, {}
        if not asked:
            return
        current = self.match.game
        try:
            rules = game_class(asked.pop("Game", current.name))
            chosen = dict(current.chosen) if type(current) is rules else {}
            for key in filter(rules.options.__contains__, asked):
                try:
                    chosen[key] = rules.options[key].validate(key, asked[key])
                except ValueError as error:  # the others are set
                    self.tell_error(error)
            wanted = rules(**chosen)
            check_two_sides(wanted)
        except ValueError as error:
            self.tell_error(error)
        else:
            if wanted != current:
                self.match, self.loser = Match(wanted), None

    def set_position(self, words: Sequence[str]) -> None:
        """Set up a position and play moves; the side that plays what the rules refuse has lost."""
        self.settle_options()
        text, moves = ugi.split_position(words)
        rules = self.match.game
        start = rules.start() if text is None else read_position(rules, text)
        if start != self.match.start:
            self.match = Match(rules, start)
        self.loser = None
        same = sum(1 for _same in takewhile(lambda pair: pair[0] == pair[1], self._pairs(moves)))
        while len(self.match.moves) > same:
            self.match.undo()
        for move in moves[same:]:
            try:
                self.match.play(move)
            except MoveError:
                if not self.match.outcome():
                    self.loser = side_to_move(self.match)
                raise

    def _pairs(self, moves: Sequence[str]) -> Iterator[tuple[str, str]]:
        return zip(self.match.moves, moves, strict=False)

    def go(self, words: Sequence[str]) -> None:
        """Begin to think."""
        now = time.monotonic()
        self.settle_options()
        if self.is_thinking:
            raise ValueError(_("there is a search under way: send stop first"))
        if self.is_over():
            self.write(f"bestmove {ugi.NO_MOVE}")
            raise ValueError(_("the game is over: there is no move to choose"))
        limits = ugi.parse_go(words, side_to_move(self.match))
        match = self.match.copy()
        self.is_thinking = True
        self._stopped.clear()

        def think() -> None:
            # Who did not say `isready` waits until it is: there is no time to think before.
            started = time.monotonic() if self._load(match.game) else now
            deadline = None if limits.seconds is None else started + limits.seconds
            thought = Thought(
                match, limits, deadline, self._stopped.is_set, self.write, self.tell_error
            )
            move = self.thinker.think(thought)
            if limits.infinite:
                self._stopped.wait()
            self.is_thinking = False  # before the answer: the next question may come at once
            self.write(f"bestmove {ugi.one_word(move)}")
            self.thinker.rest()

        self._work.put(think)

    def stop(self, _words: Sequence[str]) -> None:
        """End the thought that is under way, if any."""
        self._stopped.set()
        if self.is_thinking:
            self.thinker.stop()

    def answer(self, words: Sequence[str]) -> None:
        """Answer a question about the position."""
        self.settle_options()
        self.write(f"response {ugi.one_word(self.response(words))}")

    def response(self, words: Sequence[str]) -> str:
        """The answer to a question, in one word."""
        rules, position, over = self.match.game, self.match.position, self.is_over()
        match words:
            case ["gameover", *_rest]:
                return str(over).lower()
            case ["p1turn", *_rest]:
                return str(side_to_move(self.match) == 0).lower()
            case ["result", *_rest] if self.loser is not None:
                return f"p{2 - self.loser}win"
            case ["result", *_rest]:
                return ugi.result_word(rules, self.match.outcome())
            case ["fen", *_rest]:
                return rules.write(position)
            case ["islegal", move, *_rest]:
                return str(not over and rules.successor(position, move) is not None).lower()
        return "unknown"

    def is_over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.loser is not None or self.match.outcome() is not None

    # In the thread that thinks.

    def _load(self, rules: Game[Any]) -> bool:
        """Do what takes long before the first move of a game; False if it was done before."""
        if self.loaded == rules:
            return False
        self.thinker.load(rules)
        self.loaded = rules
        return True

    def _run_work(self) -> None:
        """Do what was put off, one thing after the other; a defect ends the process."""
        try:
            while (task := self._work.get()) is not None:
                task()
        except BrokenPipeError:
            end_process(1)
        except BaseException:
            traceback.print_exc()
            end_process(1)


def end_process(code: int) -> NoReturn:
    """Leave at once, though another thread waits for input."""
    sys.stderr.flush()
    os._exit(code)


def input_lines(stream: Any) -> Iterator[str]:
    """The lines of a stream as they come; one without end is cut."""
    return iter(lambda: stream.readline(MAX_LINE), "")
