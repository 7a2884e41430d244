"""The part of `solve` that works out endings with few pieces, here or on a cluster."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console

from quinconce.commands.options import bar
from quinconce.commands.workers import check_workers, market
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase as _
from quinconce.core.worker_pools import Hire
from quinconce.terminal.tables import endings_table
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.solvers.endgames.tables import Endings

USUAL_JOBS: Final = min(2, os.cpu_count() or 1)  # each may want gigabytes


def endings_options(command: Callable[..., None]) -> Callable[..., None]:
    """What `solve` is told about endings."""
    for option in (
        click.option("--folder", type=click.Path(path_type=Path), help=_("keep the tables here")),
        click.option("--pawns", type=int, metavar="N", help=_("solve all endings up to N pawns")),
    ):
        command = option(command)
    return command


def solve_endings(
    say: Voice,
    game: Game[Any],
    pawns: int,
    jobs: int | None,
    folder: Path | None,
    cluster: str | None,
) -> None:
    """Every position with at most so many pawns, and what they come to."""
    from quinconce.solvers.endgames.files import usual_folder
    from quinconce.solvers.endgames.tables import most_pieces  # Numba is slow to load

    most = most_pieces(game)
    if not most:
        raise ValueError(_("no endings are solved for this game with these options"))
    if not 2 <= pawns <= most:
        raise ValueError(
            _("{name} goes from {first:g} to {last:g}", name="--pawns", first=2, last=most)
        )
    check_workers(jobs, cluster)
    kept, started = folder or usual_folder(), time.perf_counter()
    with market(jobs or USUAL_JOBS, cluster) as workers:
        found = carried_out(say, game, pawns, kept, workers.together)
    tell(say, found, kept, time.perf_counter() - started)


def carried_out(say: Voice, game: Game[Any], pawns: int, folder: Path, hire: Hire) -> Endings:
    """The endings, with a bar that tells the time left."""
    from quinconce.solvers.endgames.parallel import Campaign

    campaign = Campaign(game, pawns, folder)
    with bar() as progress:
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


def tell(say: Voice, found: Endings, folder: Path, seconds: float) -> None:
    """What the endings have come to."""
    Console().print(endings_table(say, found.figures))
    click.echo(
        say(
            _(
                "{game}: {n} positions up to symmetry with at most {pawns} pawns, "
                "after {seconds:.1f} s.",
                game=found.game.title,
                n=sum(classes for _weak, _strong, classes in found.figures.values()),
                pawns=found.pieces,
                seconds=seconds,
            )
        )
    )
    click.echo(say(_("The tables are in {folder}.", folder=folder)))
