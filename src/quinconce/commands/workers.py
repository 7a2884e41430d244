"""How commands hire workers: processes of this machine, or those of a Dask cluster."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any, Final, NamedTuple

import click

from quinconce.core.phrase import Phrase as _
from quinconce.core.worker_pools import Crew, Hire, processes

MOST_JOBS: Final = 64
PATIENCE: Final = 10  # seconds for a cluster to answer


class Market(NamedTuple):
    """Where workers are hired."""

    together: Hire  # all of them, for tasks that anybody can do
    apart: list[Crew]  # in crews; a process that dies takes no other with it


def workers_options(command: Callable[..., None]) -> Callable[..., None]:
    """What a command is told about workers."""
    for option in (
        click.option("--cluster", metavar="ADDRESS", help=_("work on this Dask cluster; trust it")),
        click.option("--jobs", type=int, help=_("work with so many processes")),
    ):
        command = option(command)
    return command


def check_workers(jobs: int | None, cluster: str | None) -> None:
    """Refuse what cannot be hired."""
    if jobs is not None and not 1 <= jobs <= MOST_JOBS:
        raise ValueError(
            _("{name} goes from {first:g} to {last:g}", name="--jobs", first=1, last=MOST_JOBS)
        )
    if cluster is not None and jobs is not None:
        raise ValueError(_("choose --jobs or --cluster"))


@contextmanager
def market(jobs: int, cluster: str | None) -> Iterator[Market]:
    """So many processes of this machine, or all workers of a cluster."""
    if cluster is None:
        one = partial(processes, 1)
        yield Market(partial(processes, jobs), [Crew(one) for _job in range(jobs)])
        return
    with connected(cluster) as client:
        hire = partial(client.get_executor, pure=False)
        yield Market(hire, [Crew(hire, lambda: max(1, len(client.nthreads())))])


def connected(cluster: str) -> Any:
    """A client of Dask's, to be closed; ValueError if there is none to be had."""
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
        return distributed.Client(cluster, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, AssertionError) as error:
        # Dask asserts that a thread of its own has begun in time; on a busy machine it has not.
        why = str(error).split("\n")[0] or type(error).__name__
        raise ValueError(
            _("{address}: no cluster answers: {why}", address=cluster, why=why)
        ) from None
