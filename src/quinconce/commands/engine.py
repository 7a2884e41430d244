"""`quinconce levels`, `warmup` and `bench`: the levels, compiling ahead, and how fast it is."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from quinconce.commands.options import check_output_file, check_range
from quinconce.core.files import name_file_in_errors, write_atomically
from quinconce.core.game import Game
from quinconce.core.phrase import _
from quinconce.core.registry import game_class, game_forms, names
from quinconce.engine.levels import LEVELS
from quinconce.engine.warmup import Step, form_of, mark_puzzles
from quinconce.puzzles.puzzle import games_with_puzzles, puzzles_for
from quinconce.terminal.progress import preparation_bar, progress_bar
from quinconce.terminal.tables import benchmark_tables
from quinconce.words import Voice


@click.command("levels", help=_("The levels of the engine by name."))
@click.pass_obj
def show_levels(say: Voice) -> None:
    """Print the levels from the first to full strength."""
    for number, level in enumerate(LEVELS, start=1):
        click.echo(f"{number:2} {say(level.name)}")


@click.command("warmup", help=_("Compile the engine ahead, for every game or for one."))
@click.argument("name", metavar="[GAME]", required=False)
@click.pass_obj
def warmup(say: Voice, name: str | None) -> None:
    """Compile the engine; Numba caches the result."""
    wanted = [game_class(name).name] if name else names()
    from quinconce.engine.preparation import one_game_per_kind

    for game in one_game_per_kind([game for each in wanted for game in game_forms(each)]):
        compile_engine(say, game)
    for game in [game for each in wanted for game in games_with_puzzles(each)]:
        compile_judge(say, game)
    click.echo(say(_("The engine is ready.")))


def compile_engine(say: Voice, game: Game[Any]) -> None:
    """Compile the engine for a game, with a progress bar while it takes its time."""
    from quinconce.engine.preparation import prepare

    with preparation_bar(say, Step(form_of(game), "play")):
        prepare(game)
    with preparation_bar(say, Step(form_of(game), "proofs")):
        prepare(game, informed=True)


def compile_judge(say: Voice, game: Game[Any]) -> None:
    """Compile what the judge of puzzles needs, with a progress bar."""
    from quinconce.puzzles.judge import judge_move

    with preparation_bar(say, Step(form_of(game), "puzzles")):
        for puzzle in puzzles_for(game)[:1]:
            judge_move(puzzle, puzzle.line[:1])
    mark_puzzles(form_of(game))


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
