"""The part of `solve` that works out endings with few pieces, here or on a cluster."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console

from quinconce.arguments import bar
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase as _
from quinconce.tables import endings_table
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.solvers.endings import Endings

USUAL_JOBS: Final = min(2, os.cpu_count() or 1)  # each may want gigabytes
MOST_JOBS: Final = 64
PATIENCE: Final = 10  # seconds for a cluster to answer


def endings_options(command: Callable[..., None]) -> Callable[..., None]:
    """What `solve` is told about endings."""
    for option in (
        click.option("--cluster", metavar="ADDRESS", help=_("work on this Dask cluster; trust it")),
        click.option("--folder", type=click.Path(path_type=Path), help=_("keep the tables here")),
        click.option("--jobs", type=int, help=_("work with so many processes; usually two")),
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
    from quinconce.solvers.endings import most_pieces  # Numba is slow to load
    from quinconce.solvers.shelf import usual_folder

    most = most_pieces(game)
    if not most:
        raise ValueError(_("no endings are solved for this game with these options"))
    for name, value, first, last in (("--pawns", pawns, 2, most), ("--jobs", jobs, 1, MOST_JOBS)):
        if value is not None and not first <= value <= last:
            raise ValueError(
                _("{name} goes from {first:g} to {last:g}", name=name, first=first, last=last)
            )
    if cluster and jobs is not None:
        raise ValueError(_("choose --jobs or --cluster"))
    kept, started = folder or usual_folder(), time.perf_counter()
    with workers(cluster, jobs or USUAL_JOBS) as hire:
        found = carried_out(say, game, pawns, kept, hire)
    tell(say, found, kept, time.perf_counter() - started)


def carried_out(
    say: Voice, game: Game[Any], pawns: int, folder: Path, hire: Callable[[], Executor]
) -> Endings:
    """The endings, with a bar that tells the time left."""
    from quinconce.solvers.campaign import Campaign

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


@contextmanager
def workers(cluster: str | None, jobs: int) -> Iterator[Callable[[], Executor]]:
    """How workers are hired: processes of this machine, or those of a cluster."""
    if cluster is None:
        from quinconce.solvers.campaign import processes

        yield partial(processes, jobs)
        return
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ValueError(
            _("a cluster needs the package distributed: pip install quinconce[cluster]")
        ) from None
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] == "distributed":  # what matters, an error of ours tells
            logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(cluster, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        why = str(error).split("\n")[0] or type(error).__name__
        raise ValueError(
            _("{address}: no cluster answers: {why}", address=cluster, why=why)
        ) from None
    with client:
        yield partial(client.get_executor, pure=False)
