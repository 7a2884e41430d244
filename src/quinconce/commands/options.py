"""What the commands share: their group, how a game and a position are described, a progress bar."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.move_input import understood
from quinconce.core.option import number
from quinconce.core.phrase import Phrase as _
from quinconce.core.phrase import quoted
from quinconce.core.registry import game


@click.group(
    help=_("A house for abstract strategy games: play, replay, write down, count."),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="quinconce")
def commands() -> None:
    """The group of all commands; each is handed the voice it speaks with."""


game_options = click.option(
    "-o", "options", multiple=True, metavar="KEY=VALUE", help=_("set an option of the game")
)
start_position = click.option(
    "--position", "start", metavar="TEXT", help=_("start from this position")
)


def the_position(command: Callable[..., None]) -> Callable[..., None]:
    """GAME with its options, and how to come to a position of it."""
    after = click.option("--after", default="", metavar="MOVES", help=_("play these moves first"))
    name = click.argument("name", metavar="GAME")
    return name(game_options(start_position(after(command))))


def chosen(name: str, options: Sequence[str]) -> Game[Any]:
    """The game that was named, with its options."""
    settings: dict[str, object] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise ValueError(_("{option} is not like key=value", option=quoted(option)))
        if key in settings:
            raise ValueError(_("the option {name} is given twice", name=quoted(key)))
        settings[key] = value
    return game(name, **settings)


def arrived(name: str, options: Sequence[str], start: str | None, after: str) -> Match[Any]:
    """The match that was described."""
    rules = chosen(name, options)
    match = Match(rules, None if start is None else rules.read(start))
    for typed in after.split():
        match.play(understood(rules, match.position, typed))
    return match


def whole_number(name: str, text: str, last: int) -> int:
    """A number from 0 to `last` that was typed."""
    found = number(text)
    if found is None or found > last:
        wrong = quoted(text)
        raise ValueError(
            _("{name} is a number from 0 to {last}, not {wrong}", name=name, last=last, wrong=wrong)
        )
    return found


def bar() -> Progress:
    """A progress bar on standard error, if somebody is watching."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


@contextmanager
def ended_at_once_by_ctrl_c() -> Iterator[None]:
    """Compiled code does not look for an interrupt, so the system has to act on it."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
