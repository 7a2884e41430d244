"""`quinconce solve --pawns`: solves all endgames with few pieces, here or on a cluster."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console

from quinconce.commands.options import check_range
from quinconce.commands.workers import WorkerOptions, worker_source
from quinconce.core import counts
from quinconce.core.game import Game
from quinconce.core.phrase import _
from quinconce.core.worker_pools import PoolFactory
from quinconce.terminal.progress import COMPILING_STATUS, STOPPED_NOTICE, progress_bar
from quinconce.terminal.tables import endgames_table
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.solvers.endgames.parallel import TableBuilder
    from quinconce.solvers.endgames.tables import EndgameTable

NOTICE_SECONDS: Final = 60.0  # seconds from which it is told what is needed
DEFAULT_JOBS: Final = min(2, os.cpu_count() or 1)  # each may want gigabytes


@dataclass(frozen=True)
class EndgameOptions:
    """What `solve` is given about endgames."""

    pawns: int | None
    folder: Path | None
    compact: bool

    def any_given(self) -> bool:
        """Whether there is any option that means something only beside `--pawns`."""
        return self.folder is not None or self.compact


def endgame_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of `solve` about endgames; the last comes first, as with decorators."""
    for option in (
        click.option(
            "--compact", is_flag=True, help=_("solve endings in less memory and more time")
        ),
        click.option("--folder", type=click.Path(path_type=Path), help=_("keep the tables here")),
        click.option("--pawns", type=int, metavar="N", help=_("solve all endings up to N pawns")),
    ):
        command = option(command)
    return command


def solve_endgames(
    say: Voice, game: Game[Any], options: EndgameOptions, workers: WorkerOptions
) -> None:
    """Solve every position with at most `--pawns` pawns, keep the tables, print statistics."""
    from quinconce.solvers.endgames.files import default_folder
    from quinconce.solvers.endgames.parallel import TableBuilder
    from quinconce.solvers.endgames.tables import most_pieces  # compiled code is slow to load

    most = most_pieces(game)
    if not most:
        raise ValueError(_("no endings are solved for this game with these options"))
    assert options.pawns is not None
    check_range("--pawns", options.pawns, 2, most)
    workers.check()
    folder, started = options.folder or default_folder(), time.perf_counter()
    jobs = workers.jobs or DEFAULT_JOBS
    builder = TableBuilder(game, options.pawns, folder, jobs, options.compact)
    tell_needs(say, builder, local=workers.cluster is None)
    with worker_source(jobs, workers.cluster) as source:
        found = run_with_progress(say, builder, source.make_executor)
    print_endgames(say, found, folder, time.perf_counter() - started)


def tell_needs(say: Voice, builder: TableBuilder, local: bool) -> None:
    """Say what it takes, where it takes long; ValueError if this machine has too little."""
    from quinconce.solvers.endgames.needs import GIGABYTE, check_needs

    needs = builder.needs()
    if needs is None:
        return
    if local:
        check_needs(needs, builder.folder)
    if needs.seconds > NOTICE_SECONDS:
        notice = _(
            "{positions} up to symmetry are still to be solved: that takes about {memory:.1f} GB"
            " of memory, {disk:.1f} GB of disk and {hours:.1f} hours of one core. Stopped, it goes"
            " on from there when asked again.",
            positions=counts.positions(needs.positions),
            memory=needs.memory / GIGABYTE,
            disk=needs.disk / GIGABYTE,
            hours=needs.seconds / 3600,
        )
        click.echo(say(notice))


def run_with_progress(
    say: Voice, builder: TableBuilder, make_executor: PoolFactory
) -> EndgameTable:
    """Build the tables, with a bar that shows the time left."""
    with progress_bar() as progress:
        task = progress.add_task(say(COMPILING_STATUS), total=None)
        started: float | None = None

        def show_progress(done: float, total: int) -> None:
            nonlocal started
            started = done if started is None else started
            if done == started:  # speed leaves out compiling and what was done before
                progress.reset(task, completed=int(done), total=total)
            else:
                text = say(_("solving {game}", game=builder.game.title))
                progress.update(task, completed=done, description=text)

        try:
            return builder.run(make_executor, show_progress)
        except KeyboardInterrupt:
            click.echo(say(STOPPED_NOTICE), err=True)
            raise


def print_endgames(say: Voice, found: EndgameTable, folder: Path, seconds: float) -> None:
    """Print the statistics of the tables, and where they are."""
    Console().print(endgames_table(say, found.statistics))
    click.echo(
        say(
            _(
                "{game}: {positions} up to symmetry with at most {pawns}, after {seconds:.1f} s.",
                game=found.game.title,
                positions=counts.positions(
                    sum(classes for _weak, _strong, classes in found.statistics.values())
                ),
                pawns=counts.pawns(found.pieces),
                seconds=seconds,
            )
        )
    )
    click.echo(say(_("The tables are in {folder}.", folder=folder)))
