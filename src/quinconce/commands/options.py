"""What several commands share: their options, and how what people typed is parsed and checked."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from quinconce.core.files import name_file_in_errors
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.move_input import play_typed
from quinconce.core.move_limit import read_position
from quinconce.core.option import parse_number, parse_options
from quinconce.core.phrase import _, quote
from quinconce.core.registry import game, names
from quinconce.engine.levels import level_by_number
from quinconce.words import Voice

MAX_COUNT: Final = 10**12  # nodes, games
MAX_JOBS: Final = 64  # processes or threads at a time
DEFAULT_LEVEL: Final = 5  # of an engine whose level is not given


def complete_game(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """The names of games that begin with what was typed, for the completion of a shell."""
    return [name for name in names() if name.startswith(typed)]


game_option = click.option(
    "-o", "options", multiple=True, metavar="KEY=VALUE", help=_("set an option of the game")
)
position_option = click.option(
    "--position", "start", metavar="TEXT", help=_("start from this position")
)
database_option = click.option(
    "--database",
    metavar="URL",
    envvar="QUINCONCE_DATABASE",
    help=_("where matches are kept, like sqlite:///FILE; else in your data folder"),
)


def position_arguments(command: Callable[..., None]) -> Callable[..., None]:
    """GAME with its options, and how to come to a position of it."""
    after = click.option("--after", default="", metavar="MOVES", help=_("play these moves first"))
    name = click.argument("name", metavar="GAME", shell_complete=complete_game)
    return name(game_option(position_option(after(command))))


def parse_game(name: str, options: Sequence[str]) -> Game[Any]:
    """The game of this name, with options like `key=value`."""
    return game(name, **parse_options(options))


def parse_match(name: str, options: Sequence[str], start: str | None, after: str) -> Match[Any]:
    """The match that `position_arguments` describe."""
    rules = parse_game(name, options)
    match = Match(rules, None if start is None else read_position(rules, start))
    play_typed(match, after.split())
    return match


def parse_whole_number(name: str, text: str, last: int) -> int:
    """A number from 0 to `last` that was typed."""
    found = parse_number(text)
    if found is None or found > last:
        wrong = quote(text)
        raise ValueError(
            _(
                "{name} is a number from 0 to {last}, not {wrong}",
                name=name,
                last=str(last),
                wrong=wrong,
            )
        )
    return found


def parse_engine_level(text: str, say: Voice) -> int | None:
    """The level in `engine:LEVEL` or `engine`, also in the user's language; None for another text.

    ValueError if there is no such level.
    """
    word, colon, digits = text.partition(":")
    if word not in ("engine", say(_("engine"))):
        return None
    level = parse_number(digits) if colon else DEFAULT_LEVEL
    level_by_number(digits if level is None else level)
    return level


def check_range(name: str, value: float | None, first: float, last: float) -> None:
    """Raise ValueError if the value of an option is not in its range."""
    if value is not None and not first <= value <= last:  # nan is in no range
        raise ValueError(
            _(
                "{name} goes from {first} to {last}",
                name=name,
                first=f"{first:g}",  # as one types it
                last=f"{last:g}",
            )
        )


def check_output_file(path: Path | None) -> None:
    """Raise ValueError if the folder of a file to be written is missing: before the work."""
    if path is not None:
        with name_file_in_errors(path):
            path.parent.resolve(strict=True)


@contextmanager
def kill_on_ctrl_c() -> Iterator[None]:
    """Compiled code does not look for an interrupt, so the system has to act on it."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
