"""`quinconce replay` and `quinconce check`: a recorded match, shown or checked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from quinconce.commands.options import parse_whole_number
from quinconce.core import counts
from quinconce.core.files import name_file_in_errors, read_text
from quinconce.core.match import Match
from quinconce.core.option import parse_number
from quinconce.core.phrase import Phrase, _, quote
from quinconce.core.record import Record, read_record
from quinconce.core.variations import Node
from quinconce.terminal.record_lines import RecordLines
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
@click.option("--variation", metavar="N", help=_("the line of variation N of the record"))
@click.pass_obj
def replay_file(say: Voice, file: Path, at: str | None, variation: str | None) -> None:
    """Step through a match at a terminal; draw every position in a pipe."""
    shown = RecordLines(*read_record_file(file))
    console = Console()
    if variation is not None:
        shown.show(parse_variation(variation, shown.branches))
    if at is not None:
        shown.print(parse_whole_number("--at", at, len(shown.match.moves)), say, console)
    elif console.is_terminal and sys.stdin.isatty():
        shown.browse(say, console)
    else:
        for ply in range(len(shown.match.moves) + 1):
            shown.print(ply, say, console)
            console.print()


def parse_variation(text: str, branches: Sequence[Node]) -> Node:
    """The first move of the variation with this number."""
    if not branches:
        raise ValueError(_("this record has no variations"))
    number = parse_number(text)
    if number is None or not 1 <= number <= len(branches):
        raise ValueError(
            _(
                "--variation is a number from 1 to {last}, not {wrong}",
                last=str(len(branches)),
                wrong=quote(text),
            )
        )
    return branches[number - 1]


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
        outcome, title = match.outcome(), match.game.title
        state = (
            outcome_sentence(match, outcome, record.seats) if outcome else _("The match goes on.")
        )
        click.echo(say(legality_sentence(title, record, state)))


def legality_sentence(title: Phrase, record: Record, state: Phrase) -> Phrase:
    """That a record holds, and how much there is in it."""
    n, tree = len(record.moves), record.variations
    if tree is None:
        return _("{game}: all moves are legal ({n}). {state}", game=title, n=n, state=state)
    return _(
        "{game}: all moves are legal ({n} played, {more} in {variations}, {notes}). {state}",
        game=title,
        n=n,
        more=len(tree) - n,
        variations=counts.variations(len(tree.branches())),
        notes=counts.notes(tree.note_count()),
        state=state,
    )
