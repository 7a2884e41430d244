"""The entry point of `quinconce`: it translates the help, and prints errors on one line."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import NoReturn

import click

from quinconce.commands.group import command_group
from quinconce.core.errors import phrase_of
from quinconce.core.files import describe_error
from quinconce.core.phrase import _
from quinconce.words import Voice, preferred_language


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. What a user got wrong is printed on one line, with exit code 2."""
    answers = sys.stdout is not None
    open_closed_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # better a ? than no answer
    say = Voice(preferred_language())
    if not answers:
        exit_with_error(say(_("standard output is closed: send it to a file or to /dev/null")))
    say.set_process_language()
    translate_help(say, command_group)
    command_group.on_load = partial(translate_help, say)
    try:
        given = list(sys.argv[1:] if arguments is None else arguments)
        command_group.main(given or ["--help"], "quinconce", standalone_mode=False, obj=say)
        sys.stdout.flush()
    except click.ClickException as error:
        exit_with_error(error.format_message())
    except click.Abort:
        sys.exit(130)
    except OSError as error:
        # The reader of our output has left, or the disk is full: nothing more can be written.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(1)
        exit_with_error(say(describe_error(error)))
    except ValueError as error:
        phrase = phrase_of(error)
        if phrase is None:
            raise
        exit_with_error(say(phrase))


def open_closed_streams() -> None:
    """Let what was closed lead nowhere, lest the next file that is opened take its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


def translate_help(say: Voice, command: click.Command) -> None:
    """Translate the help of a command, its options and its subcommands."""
    command.help = say.catalogue.gettext(command.help or "")
    for option in command.params:
        if isinstance(option, click.Option) and option.help:
            option.help = say.catalogue.gettext(option.help)
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            translate_help(say, subcommand)


def exit_with_error(message: str) -> NoReturn:
    """Print one line on standard error, and leave with exit code 2."""
    click.echo(f"quinconce: {' '.join(message.splitlines())}", err=True)
    sys.exit(2)
