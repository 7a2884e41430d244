"""The commands that ask the engine: analyse a position, match two levels, get ready, measure."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console
from rich.text import Text

from quinconce.commands.options import (
    game_option,
    parse_game,
    parse_match,
    position_arguments,
    progress_bar,
)
from quinconce.core.files import name_file_in_errors, write_atomically
from quinconce.core.phrase import Phrase, _
from quinconce.core.record import Record, Seat
from quinconce.core.registry import game_class, game_forms, names
from quinconce.engine.levels import LEVELS, level_by_number
from quinconce.terminal.tables import benchmark_tables
from quinconce.words import Voice
from quinconce.words.numbers import group_thousands
from quinconce.words.sentences import value_phrase

if TYPE_CHECKING:
    from quinconce.engine.analysis import Analysis
    from quinconce.engine.match_runner import MatchScore
    from quinconce.engine.principal_variation import Line

DEFAULT_SECONDS: Final = 3.0  # seconds of an analysis that is given no limit
MAX_SECONDS: Final = 1e6
MAX_COUNT: Final = 10**12  # nodes, games
MAX_THREADS: Final = 64  # threads, lines
MAX_LINE_MOVES: Final = 12  # moves of a line on the screen


def check_range(name: str, value: float | None, first: float, last: float) -> None:
    """An error that says so if an option's value is not in its range."""
    if value is not None and not first <= value <= last:  # also for what is not a number
        raise ValueError(
            _("{name} goes from {first:g} to {last:g}", name=name, first=first, last=last)
        )


@click.command("analyse", help=_("What the engine thinks of a position: best moves, score, line."))
@position_arguments
@click.option("--seconds", type=float, help=_("think so long; 3 seconds if nothing is said"))
@click.option("--depth", type=int, help=_("look so many plies ahead"))
@click.option("--nodes", type=int, help=_("search so many positions"))
@click.option("--lines", type=int, default=1, help=_("show so many of the best moves"))
@click.option("--threads", type=int, default=1, help=_("think with so many threads"))
@click.option("--memory", type=float, default=64, help=_("megabytes for what is remembered"))
@click.option("--json", "as_json", is_flag=True, help=_("one JSON object a line as it deepens"))
@click.pass_obj
def analyse_command(
    say: Voice,
    name: str,
    options: Sequence[str],
    start: str | None,
    after: str,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    lines: int,
    threads: int,
    memory: float,
    as_json: bool,
) -> None:
    """Results as they deepen; the last one is final."""
    check_range("--seconds", seconds, 0.001, MAX_SECONDS)
    check_range("--depth", depth, 1, MAX_COUNT)
    check_range("--nodes", nodes, 1, MAX_COUNT)
    check_range("--lines", lines, 1, MAX_THREADS)
    check_range("--threads", threads, 1, MAX_THREADS)
    check_range("--memory", memory, 1, 1 << 16)
    match = parse_match(name, options, start, after)
    if seconds is None and depth is None and nodes is None:
        seconds = DEFAULT_SECONDS
    from quinconce.engine import analyse as deepening  # Numba is slow to load

    with compile_engine(say, match.game):
        found = deepening(
            match,
            seconds=seconds,
            nodes=nodes,
            depth=depth,
            lines=lines,
            threads=threads,
            memory=memory,
        )
    for analysis in found:
        if as_json:
            click.echo(json.dumps(analysis_data(analysis)))
        else:
            print_analysis(say, analysis)


def analysis_data(analysis: Analysis) -> dict[str, Any]:
    """An analysis as JSON: the best line, and all of them where several were asked for."""
    best, *others = ({**asdict(line), "line": list(line.moves)} for line in analysis.lines)
    for line in (best, *others):
        del line["moves"]
    common = {"depth": analysis.depth, "nodes": analysis.nodes, "seconds": analysis.seconds}
    more = {"lines": [best, *others]} if others else {}
    return {"best": analysis.best, **best, **common, **more}


def print_analysis(say: Voice, analysis: Analysis) -> None:
    """An analysis for people: depth, nodes, and a row for each line."""
    first = f"{analysis.depth:3} {group_thousands(analysis.nodes):>15}"
    for line in analysis.lines:
        moves = " ".join(line.moves[:MAX_LINE_MOVES]) + (
            " …" if len(line.moves) > MAX_LINE_MOVES else ""
        )
        Console().print(Text(f"{first} {say(line_value(line)):>12}  {moves}"), soft_wrap=True)
        first = " " * len(first)


def line_value(line: Line) -> str:
    """What a move is worth: proved, or estimated in pawns."""
    return value_phrase(line.value, line.plies) if line.value else f"{line.score / 100:+.2f}"


@contextmanager
def compile_engine(say: Voice, game: Any) -> Iterator[None]:
    """Compile what a game needs, saying so if it takes its time."""
    from quinconce.engine.analysis import prepare

    console = Console(stderr=True)
    with console.status(say(_("compiling the engine for this game, once"))):
        prepare(game, informed=True)
    yield


@click.command("warmup", help=_("Compile the engine ahead, for every game or for one."))
@click.argument("name", metavar="[GAME]", required=False)
@click.pass_obj
def warmup(say: Voice, name: str | None) -> None:
    """What is compiled is kept for the next time."""
    wanted = [game_class(name).name] if name else names()
    from quinconce.engine.analysis import one_game_per_kind, prepare

    games = one_game_per_kind([game for each in wanted for game in game_forms(each)])
    with progress_bar() as progress:
        for game in progress.track(games, description=say(_("compiling"))):
            prepare(game, informed=True)
    click.echo(say(_("The engine is ready.")))


@click.command("match", help=_("Let two levels of the engine play matches, and compare them."))
@click.argument("name", metavar="GAME")
@click.argument("first", type=int, metavar="LEVEL")
@click.argument("second", type=int, metavar="LEVEL")
@game_option
@click.option("--games", type=int, default=20, show_default=True, help=_("how many matches"))
@click.option("--seed", type=int, default=0, help=_("of all that is left to chance"))
@click.option("--jobs", type=int, default=1, help=_("so many matches at a time"))
@click.option(
    "--records",
    type=click.Path(path_type=Path),
    help=_("the folder for their records"),
)
@click.pass_obj
def match_levels(
    say: Voice,
    name: str,
    first: int,
    second: int,
    options: Sequence[str],
    games: int,
    seed: int,
    jobs: int,
    records: Path | None,
) -> None:
    """Each opening is played twice, with the sides exchanged."""
    rules = parse_game(name, options)
    level_by_number(first)
    level_by_number(second)
    check_range("--games", games, 1, MAX_COUNT)
    check_range("--jobs", jobs, 1, MAX_THREADS)
    folder = records or Path(f"{name}-{first}-{second}-{datetime.now():%Y%m%d-%H%M%S}")
    from quinconce.engine.match_runner import MatchScore, run_matches
    from quinconce.engine.move_choice import level_player

    score = MatchScore()
    with name_file_in_errors(folder):
        folder.mkdir(parents=True, exist_ok=records is not None)
    with compile_engine(say, rules), progress_bar() as progress:
        task = progress.add_task(say(_("playing")), total=games)
        try:
            for done in run_matches(
                rules, level_player(first), level_player(second), games, seed=seed, jobs=jobs
            ):
                score.add(done)
                seats = [
                    Seat(level=first if seat in done.seats else second, seed=seed)
                    for seat in range(rules.seats)
                ]
                path = folder / f"{done.number + 1:04}.quinconce"
                with name_file_in_errors(path):
                    Record.of(done.match, seats, date.today()).save(path)
                progress.update(task, advance=1, description=say(score_phrase(score)))
        except KeyboardInterrupt:
            click.echo(say(_("Stopped.")), err=True)
    if score.games:
        click.echo(say(match_summary(score, first, second)))
        click.echo(say(_("The records are in {folder}.", folder=folder)))


def score_phrase(score: MatchScore) -> Phrase:
    """The results so far."""
    won, drawn, lost = score.wins_draws_losses()
    return _("{won} won, {drawn} drawn, {lost} lost", won=won, drawn=drawn, lost=lost)


def match_summary(score: MatchScore, first: int, second: int) -> Phrase:
    """What the matches say of two levels."""
    difference, low, high = (rating_text(value) for value in score.elo_interval())
    return _(
        "Level {first} against level {second}, {games} matches: {standing} ({share} %). "
        "Difference of ratings {difference} (from {low} to {high}, confidence 95 %).",
        first=first,
        second=second,
        games=score.games,
        standing=score_phrase(score),
        share=f"{100 * score.share:.1f}",
        difference=difference,
        low=low,
        high=high,
    )


def rating_text(value: float) -> str:
    """A rating difference without its fractions."""
    return f"{value:+.0f}" if math.isfinite(value) else "+∞" if value > 0 else "-∞"


@click.command("levels", help=_("The levels of the engine by name."))
@click.pass_obj
def show_levels(say: Voice) -> None:
    """From the first to full strength."""
    for number, level in enumerate(LEVELS, start=1):
        click.echo(f"{number:2} {say(level.name)}")


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
    """What is measured stands in the folder of benchmarks, beside the sources."""
    check_range("--seconds", seconds, 0.01, 60)
    if only:
        game_class(only)
    root = Path(__file__).parents[3]
    if not (root / "benchmarks").is_dir():
        raise ValueError(_("the benchmarks come with the sources of the house, not with a package"))
    sys.path.insert(0, str(root))
    speed = import_module("benchmarks.speed")
    figures: dict[str, dict[str, float | None]] = {}
    with progress_bar() as progress:
        subjects = speed.bench_subjects([only] if only else names())
        for subject in progress.track(subjects, description=say(_("measuring"))):
            figures[subject.name] = speed.measure_subject(subject, seconds)
    for table in benchmark_tables(figures):
        Console().print(table, "")
    if file:
        with name_file_in_errors(file):
            write_atomically(file, json.dumps(figures, indent=2) + "\n")


COMMANDS: Final = (analyse_command, match_levels, warmup, show_levels, bench)
