"""The workers of a command: processes of this machine, or those of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import click

from quinconce.commands.options import MAX_JOBS, check_range
from quinconce.core.errors import error_line
from quinconce.core.phrase import _
from quinconce.core.worker_pools import PoolFactory, WorkerPool, load_distributed, process_pool

CLUSTER_TIMEOUT: Final = 10  # seconds for a cluster to answer


@dataclass(frozen=True)
class WorkerOptions:
    """What a command is given about workers."""

    jobs: int | None
    cluster: str | None

    def any_given(self) -> bool:
        """Whether there is any option about workers."""
        return self.jobs is not None or self.cluster is not None

    def check(self) -> None:
        """Raise ValueError for options that fit no workers."""
        check_range("--jobs", self.jobs, 1, MAX_JOBS)
        if self.cluster is not None and self.jobs is not None:
            raise ValueError(_("choose --jobs or --cluster"))


class WorkerSource(NamedTuple):
    """The workers of a command, all at once or in pools."""

    make_executor: PoolFactory  # all workers, for tasks that any of them can do
    pools: list[WorkerPool]  # one for each process, so that one that dies stops no other


def worker_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options about workers; the last comes first, as with decorators."""
    for option in (
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help=_("work on this Dask cluster, which you must trust"),
        ),
        click.option("--jobs", type=int, help=_("work with this many processes")),
    ):
        command = option(command)
    return command


@contextmanager
def worker_source(jobs: int, cluster: str | None) -> Iterator[WorkerSource]:
    """Processes of this machine, `jobs` of them, or all workers of a cluster."""
    if cluster is None:
        one = partial(process_pool, 1)
        yield WorkerSource(partial(process_pool, jobs), [WorkerPool(one) for _job in range(jobs)])
        return
    with connect_to_cluster(cluster) as client:
        executor = partial(client.get_executor, pure=False)
        yield WorkerSource(executor, [WorkerPool(executor, lambda: max(1, len(client.nthreads())))])


def connect_to_cluster(cluster: str) -> Any:
    """A Dask client, to be closed by the caller; ValueError if no cluster answers."""
    distributed = load_distributed()
    try:
        return distributed.Client(cluster, timeout=CLUSTER_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, AssertionError) as error:
        # Dask asserts that a thread of its own has begun in time; on a busy machine it has not.
        why = error_line(error)
        raise ValueError(
            _("{address}: no cluster answers: {why}", address=cluster, why=why)
        ) from None
