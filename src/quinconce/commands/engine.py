"""`quinconce levels`, `warmup` and `bench`: the levels, compiling ahead, and how fast it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from quinconce.commands.options import check_output_file, check_range, complete_game
from quinconce.core.files import name_file_in_errors, write_atomically
from quinconce.core.phrase import _
from quinconce.core.registry import game_class, game_forms, names
from quinconce.engine.levels import LEVELS
from quinconce.kernels.code_cache import mark_compiled
from quinconce.kernels.homes import WARM_MARK, use_native
from quinconce.puzzles.puzzle import games_with_puzzles, puzzles_for
from quinconce.terminal.progress import progress_bar
from quinconce.terminal.tables import benchmark_tables
from quinconce.words import Voice

# Seconds for each figure of `bench`; the help of `--seconds` names them.
QUICK_SECONDS: Final = 0.2
THOROUGH_SECONDS: Final = 1.0


@click.command("levels", help=_("The levels of the engine by name."))
@click.pass_obj
def show_levels(say: Voice) -> None:
    """Print the levels from the first to full strength."""
    for number, level in enumerate(LEVELS, start=1):
        click.echo(f"{number:2} {say(level.name)}")


@click.command("warmup", help=_("Compile the engine ahead, for every game or for one."))
@click.argument("name", metavar="[GAME]", required=False, shell_complete=complete_game)
@click.pass_obj
def warmup(say: Voice, name: str | None) -> None:
    """Use every part of the engine once, which makes Numba compile it and keep the result."""
    wanted = [game_class(name).name] if name else names()
    use_native("quinconce warmup")
    from quinconce.engine.preparation import one_game_per_kind, prepare  # slow to load
    from quinconce.puzzles.judge import judge_move

    games = one_game_per_kind(form for each in wanted for form in game_forms(each))
    puzzles = [puzzles_for(form)[0] for each in wanted for form in games_with_puzzles(each)]
    with progress_bar() as progress:
        for game in progress.track(games, description=say(_("preparing the engine"))):
            prepare(game, informed=True)
        for puzzle in progress.track(puzzles, description=say(_("preparing the judge of puzzles"))):
            judge_move(puzzle, puzzle.line[:1])
    if not name:
        mark_compiled(WARM_MARK)  # from now on processes use what was compiled
    click.echo(say(_("The engine is ready.")))


@click.command("bench", help=_("Measure the speed of the games on this machine."))
@click.option(
    "--game", "only", metavar="GAME", shell_complete=complete_game, help=_("measure this game only")
)
@click.option(
    "--thorough",
    is_flag=True,
    help=_("measure longer, and what two threads gain: a quarter of an hour"),
)
@click.option(
    "--seconds",
    type=float,
    help=_("how long each figure is measured; else 0.2, or 1 with --thorough"),
)
@click.option("--json", "file", type=click.Path(path_type=Path), help=_("write the figures here"))
@click.pass_obj
def bench(
    say: Voice, only: str | None, thorough: bool, seconds: float | None, file: Path | None
) -> None:
    """Run the benchmarks, which stand in a folder beside the sources."""
    if seconds is None:
        seconds = THOROUGH_SECONDS if thorough else QUICK_SECONDS
    check_range("--seconds", seconds, 0.01, 60)
    check_output_file(file)
    if only:
        game_class(only)
    use_native("quinconce bench")
    root = Path(__file__).parents[3]
    if not (root / "benchmarks").is_dir():
        raise ValueError(_("the benchmarks come with the sources, not with a package"))
    sys.path.insert(0, str(root))
    speed = import_module("benchmarks.speed")
    subjects = speed.bench_subjects([only] if only else names())
    from quinconce.engine.preparation import prepare  # slow to load

    games = list(dict.fromkeys(subject.game for subject in subjects))
    with progress_bar() as progress:
        for game in progress.track(games, description=say(_("preparing the engine"))):
            prepare(game)
    figures = measure_all(say, speed, subjects, seconds, thorough)
    for table in benchmark_tables(say, figures):
        Console().print(table, "")
    if file:
        with name_file_in_errors(file):
            write_atomically(file, json.dumps(figures, indent=2) + "\n")


def measure_all(
    say: Voice, speed: Any, subjects: Sequence[Any], seconds: float, thorough: bool
) -> dict[str, dict[str, float | None]]:
    """The figures of all subjects, with a progress bar that names what is measured."""
    work = {each.name: speed.measurements(each, seconds, thorough) for each in subjects}
    figures: dict[str, dict[str, float | None]] = {}
    with progress_bar() as progress:
        task = progress.add_task("", total=sum(map(len, work.values())))
        for name, measurements in work.items():
            progress.update(task, description=say(_("measuring {name}", name=name)))
            figures[name] = {}
            for measure in measurements:
                figures[name] |= measure()
                progress.advance(task)
    return figures
