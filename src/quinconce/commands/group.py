"""The group of all commands; it imports the file of a command when the command is needed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

import click

from quinconce.core.phrase import _

# In the order of the help. A command's file has its name, or that of its family.
COMMANDS: Final = (
    "analyse",
    "backup",
    "bench",
    "bot",
    "check",
    "draw",
    "exam",
    "games",
    "known",
    "learn",
    "levels",
    "match",
    "matches",
    "mcp",
    "moves",
    "perft",
    "play",
    "position",
    "puzzles",
    "replay",
    "result",
    "review",
    "rules",
    "serve",
    "show",
    "site",
    "solve",
    "ugi",
    "verify",
    "warmup",
)
FAMILIES: Final = {
    "backup": "matches",
    "bench": "engine",
    "check": "records",
    "levels": "engine",
    "moves": "position",
    "replay": "records",
    "result": "position",
    "rules": "games",
    "show": "position",
    "verify": "solve",
    "warmup": "engine",
}


class CommandGroup(click.Group):
    """The commands by name, each imported the first time it is asked for."""

    on_load: Callable[[click.Command], None] | None = None  # called with each command

    def list_commands(self, _context: click.Context) -> list[str]:
        """The names, as the help shows them."""
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """The command of this name, or None."""
        if name not in COMMANDS:
            return None
        command = load_command(name)
        if self.on_load:
            self.on_load(command)
        return command


def show_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    """Print the version and what is installed, and leave."""
    if not wanted or context.resilient_parsing:
        return
    from quinconce.commands.version import version_lines  # slow to load

    for line in version_lines():
        click.echo(context.obj(line))
    context.exit()


def load_command(name: str) -> click.Command:
    """Import the file of a command, and find the command in it."""
    module = import_module(f"quinconce.commands.{FAMILIES.get(name, name)}")
    commands = (value for value in vars(module).values() if isinstance(value, click.Command))
    return next(command for command in commands if command.name == name)


@click.group(
    cls=CommandGroup,
    help=_("Play, analyse, solve and script five abstract board games."),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=show_version,
    help=_("Show the version and exit."),
)
def command_group() -> None:
    """The group of all commands; each is handed the voice it speaks with."""
