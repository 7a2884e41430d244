"""`quinconce replay` and `quinconce check`: a recorded match, shown or checked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from quinconce.commands.options import parse_whole_number
from quinconce.core.files import name_file_in_errors, read_text
from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.core.record import Record, read_record
from quinconce.terminal.scenes import browse_match, render_match
from quinconce.words import Voice
from quinconce.words.sentences import outcome_sentence

MAX_RECORD_BYTES: Final = 4_000_000  # of a file with a record


def read_record_file(path: Path) -> tuple[Record, Match[Any]]:
    """The record in a file, and its match."""
    with name_file_in_errors(path):
        return read_record(read_text(path, MAX_RECORD_BYTES))


@click.command("replay", help=_("Show a recorded match move by move."))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", metavar="N", help=_("only the position after N moves"))
@click.pass_obj
def replay_file(say: Voice, file: Path, at: str | None) -> None:
    """Step through a match at a terminal; draw every position in a pipe."""
    record, match = read_record_file(file)
    console = Console()
    if at is not None:
        ply = parse_whole_number("--at", at, len(match.moves))
        console.print(render_match(match, say, console, record.seats, ply))
    elif console.is_terminal and sys.stdin.isatty():
        browse_match(match, record.seats, say, console)
    else:
        for ply in range(len(match.moves) + 1):
            console.print(render_match(match, say, console, record.seats, ply))
            console.print()


@click.command("check", help=_("Replay a record, and say whether it holds."))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help=_("print the record as JSON"))
@click.option("--text", "as_text", is_flag=True, help=_("print the record as text"))
@click.pass_obj
def check_record(say: Voice, file: Path, as_json: bool, as_text: bool) -> None:
    """Check a record in text or JSON, and print either if asked to."""
    record, match = read_record_file(file)
    if as_json and as_text:
        raise ValueError(_("choose --json or --text"))
    if as_json:
        click.echo(record.json_text(), nl=False)
    elif as_text:
        click.echo(record.text(), nl=False)
    else:
        outcome, title, n = match.outcome(), match.game.title, len(record.moves)
        state = (
            outcome_sentence(match, outcome, record.seats) if outcome else _("The match goes on.")
        )
        click.echo(
            say(_("{game}: all moves are legal ({n}). {state}", game=title, n=n, state=state))
        )
