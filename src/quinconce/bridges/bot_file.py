"""A bot as a Python file: one function, `choose(match)`, that returns the text of a move."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import IO, Any, Final

from quinconce.bridges.ugi_engine import Thought
from quinconce.core.files import name_file_in_errors
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.phrase import _

FUNCTION: Final = "choose"  # what it has to be called


class BotThinker:
    """Asks the function of a file. Nothing can stop it, and its errors end the process."""

    def __init__(self, path: Path) -> None:
        check_bot_file(path)
        self.path = path
        self.name = path.name
        self.choose: Callable[[Match[Any]], object] | None = None

    def option_lines(self) -> Iterator[str]:
        """A bot has none."""
        return iter(())

    def set_option(self, _name: str, _value: str) -> bool:
        """A bot has none."""
        return False

    def load(self, _game: Game[Any]) -> None:
        """Run the file, once."""
        self.choose = self.choose or load_function(self.path)

    def think(self, thought: Thought) -> str:
        """What the function returns, whatever that is: others judge it."""
        self.load(thought.match.game)
        assert self.choose
        return str(self.choose(thought.match))

    def stop(self) -> None:
        """A function goes on until it returns."""

    def rest(self) -> None:
        """Nothing goes on once it has returned."""


def check_bot_file(path: Path) -> None:
    """ValueError if there is no such file."""
    with name_file_in_errors(path):
        path.open("rb").close()


def load_function(path: Path) -> Callable[[Match[Any]], object]:
    """The function of a bot; it may import other files of its folder. ValueError without it."""
    sys.path.insert(0, str(path.resolve().parent))
    # A bot called random.py may itself import random.
    name = path.stem if path.stem not in sys.modules else f"bot {path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ValueError(_("{file}: the name of a bot ends in .py", file=path))
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    found = getattr(module, FUNCTION, None)
    if not callable(found):
        raise ValueError(_("{file}: there is no function {name}", file=path.name, name=FUNCTION))
    return found  # type: ignore[no-any-return]


def keep_streams_apart() -> tuple[IO[str], IO[str]]:
    """The input and the output of this process, for us alone.

    From now on a bot that prints writes to standard error, and one that reads finds nothing.
    """
    own_input = os.fdopen(os.dup(sys.stdin.fileno()), encoding="utf-8", errors="replace")
    own_output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", errors="replace")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return own_input, own_output
