"""`quinconce bench`: measures the speed of the games on this machine."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

import click
from rich.console import Console

from quinconce.commands.options import check_output_file, check_range
from quinconce.core.files import name_file_in_errors, write_atomically
from quinconce.core.phrase import _
from quinconce.core.registry import game_class, names
from quinconce.terminal.progress import progress_bar
from quinconce.terminal.tables import benchmark_tables
from quinconce.words import Voice


@click.command("bench", help=_("Measure the speed of the games on this machine."))
@click.option("--game", "only", metavar="GAME", help=_("measure this game only"))
@click.option(
    "--seconds",
    type=float,
    default=1.0,
    show_default=True,
    help=_("how long each figure is measured"),
)
@click.option("--json", "file", type=click.Path(path_type=Path), help=_("write the figures here"))
@click.pass_obj
def bench(say: Voice, only: str | None, seconds: float, file: Path | None) -> None:
    """Run the benchmarks, which stand in a folder beside the sources."""
    check_range("--seconds", seconds, 0.01, 60)
    check_output_file(file)
    if only:
        game_class(only)
    root = Path(__file__).parents[3]
    if not (root / "benchmarks").is_dir():
        raise ValueError(_("the benchmarks come with the sources, not with a package"))
    sys.path.insert(0, str(root))
    speed = import_module("benchmarks.speed")
    figures: dict[str, dict[str, float | None]] = {}
    with progress_bar() as progress:
        subjects = speed.bench_subjects([only] if only else names())
        for subject in progress.track(subjects, description=say(_("measuring"))):
            figures[subject.name] = speed.measure_subject(subject, seconds)
    for table in benchmark_tables(say, figures):
        Console().print(table, "")
    if file:
        with name_file_in_errors(file):
            write_atomically(file, json.dumps(figures, indent=2) + "\n")
