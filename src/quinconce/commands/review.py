"""`quinconce review`: what decided a recorded match, move by move."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from quinconce.commands.options import MAX_COUNT, check_output_file, check_range
from quinconce.commands.records import read_record_file
from quinconce.core.files import name_file_in_errors, write_atomically
from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.core.record import Record
from quinconce.draw.raster import render_png
from quinconce.draw.svg import THEMES
from quinconce.study.review import USUAL_NODES, Review, check_reviewable, review
from quinconce.study.review_record import review_curve, reviewed_tree
from quinconce.terminal.progress import progress_bar
from quinconce.terminal.review import accuracy_table, curve_lines, review_table
from quinconce.words import Voice


@click.command("review", help=_("Judge every move of a recorded match, and show what decided it."))
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--nodes",
    type=int,
    default=USUAL_NODES,
    show_default=True,
    help=_("search this many positions for each move"),
)
@click.option("--json", "as_json", is_flag=True, help=_("print the review as JSON"))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=_("write the curve of the expected result to this file, .svg or .png"),
)
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    help=_("write the record with marks and better lines to this file"),
)
@click.pass_obj
def review_file(
    say: Voice, file: Path, nodes: int, as_json: bool, out: Path | None, save: Path | None
) -> None:
    """Print the review of the match that was played; variations are left alone."""
    check_range("--nodes", nodes, 1, MAX_COUNT)
    if out and out.suffix.lower() not in (".svg", ".png"):
        raise ValueError(_("{file}: a picture is written to .svg or .png", file=out))
    check_output_file(out)
    check_output_file(save)
    record, match = read_record_file(file)
    with name_file_in_errors(file):
        check_reviewable(match)
    found = run_review(say, match, nodes)
    if as_json:
        click.echo(json.dumps(found.json()))
    else:
        print_review(say, record, match, found)
    if out:
        write_curve(say, out, record, match, found)
    if save:
        tree = reviewed_tree(match, found, say)
        with name_file_in_errors(save):
            dataclasses.replace(record, variations=tree).save(save)


def run_review(say: Voice, match: Match[Any], nodes: int) -> Review:
    """The review, with a progress bar."""
    with progress_bar() as progress:
        task = progress.add_task(say(_("reviewing")), total=len(match.moves) + 1)
        for step in review(match, nodes):
            if isinstance(step, Review):
                return step
            progress.update(task, completed=step.done, total=step.total)
    raise AssertionError("a review ends with a review")


def print_review(say: Voice, record: Record, match: Match[Any], found: Review) -> None:
    """Print the moves, the curve and how accurate the players were."""
    console = Console()
    console.print(review_table(found, say), "")
    console.print("\n".join(curve_lines(found, console.width)), "", highlight=False, markup=False)
    console.print(accuracy_table(found, match, say, record.seats))


def write_curve(say: Voice, file: Path, record: Record, match: Match[Any], found: Review) -> None:
    """Write the curve as a picture."""
    png = file.suffix.lower() == ".png"
    svg = review_curve(match, found, record.seats, say, THEMES[0] if png else None)
    with name_file_in_errors(file):
        write_atomically(file, render_png(svg) if png else svg)
