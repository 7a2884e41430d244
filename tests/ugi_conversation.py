"""A conversation with a text engine in this process: lines said, and lines waited for."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any

from waiting import until

from quinconce import Game
from quinconce.bridges.ugi_engine import Thinker, Thought, UgiEngine


class FakeThinker:
    """Plays the least legal move, once it is let; what it was asked is kept."""

    name = "Fake"

    def __init__(self) -> None:
        self.loaded: list[Game[Any]] = []
        self.may_load = threading.Event()
        self.may_answer = threading.Event()
        self.may_load.set()
        self.may_answer.set()
        self.may_rest = threading.Event()
        self.may_rest.set()
        self.thoughts: list[Thought] = []
        self.options: dict[str, str] = {}
        self.stops = 0

    def option_lines(self) -> Iterator[str]:
        yield "option name Mood type string default calm"

    def set_option(self, name: str, value: str) -> bool:
        if name == "mood":
            self.options[name] = value
        return name == "mood"

    def load(self, game: Game[Any]) -> None:
        self.may_load.wait()
        self.loaded.append(game)

    def think(self, thought: Thought) -> str:
        self.thoughts.append(thought)
        self.may_answer.wait()
        return min(thought.match.legal())

    def stop(self) -> None:
        self.stops += 1
        self.may_answer.set()

    def rest(self) -> None:
        self.may_rest.wait()


class Conversation:
    """Says lines and waits for the answers; leaving it is the end of the input."""

    def __init__(self, thinker: Thinker, rules: Game[Any]) -> None:
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.heard: list[str] = []
        self.engine = UgiEngine(thinker, rules, self.heard.append)
        self.ended: list[bool] = []
        source: Callable[[], str] = self.lines.get
        self.thread = threading.Thread(
            target=lambda: self.ended.append(self.engine.run(iter(source, ""))), daemon=True
        )
        self.read = 0

    def __enter__(self) -> Conversation:
        self.thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.lines.put("")
        until(lambda: self.ended)

    def say(self, *lines: str) -> None:
        for line in lines:
            self.lines.put(line + "\n")

    def hear(self, first: str) -> str:
        """The next line that begins like this; those before it are passed over."""
        until(lambda: any(line.startswith(first) for line in self.heard[self.read :]))
        while not self.heard[self.read].startswith(first):
            self.read += 1
        self.read += 1
        return self.heard[self.read - 1]

    def ask(self, question: str) -> str:
        """The answer to a query."""
        self.say(f"query {question}")
        return self.hear("response").removeprefix("response ")
