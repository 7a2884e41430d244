"""The part of `solve` that works out endings with few pieces, here or on a cluster."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console

from quinconce.commands.options import progress_bar
from quinconce.commands.workers import check_worker_options, worker_source
from quinconce.core.game import Game
from quinconce.core.phrase import _
from quinconce.core.worker_pools import PoolFactory
from quinconce.terminal.tables import endgames_table
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.solvers.endgames.tables import EndgameTable

DEFAULT_JOBS: Final = min(2, os.cpu_count() or 1)  # each may want gigabytes


def endgame_options(command: Callable[..., None]) -> Callable[..., None]:
    """What `solve` is told about endings."""
    for option in (
        click.option("--folder", type=click.Path(path_type=Path), help=_("keep the tables here")),
        click.option("--pawns", type=int, metavar="N", help=_("solve all endings up to N pawns")),
    ):
        command = option(command)
    return command


def solve_endgames(
    say: Voice,
    game: Game[Any],
    pawns: int,
    jobs: int | None,
    folder: Path | None,
    cluster: str | None,
) -> None:
    """Every position with at most so many pawns, and what they come to."""
    from quinconce.solvers.endgames.files import default_folder
    from quinconce.solvers.endgames.tables import most_pieces  # Numba is slow to load

    most = most_pieces(game)
    if not most:
        raise ValueError(_("no endings are solved for this game with these options"))
    if not 2 <= pawns <= most:
        raise ValueError(
            _("{name} goes from {first:g} to {last:g}", name="--pawns", first=2, last=most)
        )
    check_worker_options(jobs, cluster)
    kept, started = folder or default_folder(), time.perf_counter()
    with worker_source(jobs or DEFAULT_JOBS, cluster) as workers:
        found = run_with_progress(say, game, pawns, kept, workers.make_executor)
    print_endgames(say, found, kept, time.perf_counter() - started)


def run_with_progress(
    say: Voice, game: Game[Any], pawns: int, folder: Path, hire: PoolFactory
) -> EndgameTable:
    """The endings, with a bar that tells the time left."""
    from quinconce.solvers.endgames.parallel import TableBuilder

    campaign = TableBuilder(game, pawns, folder)
    with progress_bar() as progress:
        first = say(_("compiling, which takes some seconds the first time"))
        task = progress.add_task(first, total=None)
        started: float | None = None

        def look(done: float, total: int) -> None:
            nonlocal started
            started = done if started is None else started
            if done == started:  # compiling, and what was done before, is not taken for speed
                progress.reset(task, completed=int(done), total=total)
            else:
                told = say(_("solving {game}", game=game.title))
                progress.update(task, completed=done, description=told)

        try:
            return campaign.run(hire, look)
        except KeyboardInterrupt:
            click.echo(say(_("Stopped. The same command goes on from here.")), err=True)
            raise


def print_endgames(say: Voice, found: EndgameTable, folder: Path, seconds: float) -> None:
    """What the endings have come to."""
    Console().print(endgames_table(say, found.statistics))
    click.echo(
        say(
            _(
                "{game}: {n} positions up to symmetry with at most {pawns} pawns, "
                "after {seconds:.1f} s.",
                game=found.game.title,
                n=sum(classes for _weak, _strong, classes in found.statistics.values()),
                pawns=found.pieces,
                seconds=seconds,
            )
        )
    )
    click.echo(say(_("The tables are in {folder}.", folder=folder)))
