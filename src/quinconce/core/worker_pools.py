"""Pools of worker processes that are started when needed and never outlive their parent."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import wait as wait_for
from typing import Any, Final, TypeVar

from quinconce.core.errors import phrase_of
from quinconce.core.phrase import _

POOL_ATTEMPTS: Final = 3  # with new workers each, when one dies and takes the others with it
PROGRESS_INTERVAL: Final = 0.5  # seconds between two looks at how far the workers are
LOW_PRIORITY: Final = 10  # that is added to the niceness of patient workers
WORKERS_DIE: Final = _("the worker processes die: there may not be enough memory")
PoolFactory = Callable[[], Executor]
T = TypeVar("T")


def process_pool(
    workers: int, initializer: Callable[..., object] | None = None, initargs: tuple[Any, ...] = ()
) -> Executor:
    """Workers on this machine, as fresh processes; `initializer` runs first in each."""
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(
        workers, mp_context=spawn, initializer=init_worker, initargs=(initializer, initargs)
    )


def patient_process_pool(
    workers: int, initializer: Callable[..., object] | None = None, initargs: tuple[Any, ...] = ()
) -> Executor:
    """Workers at low priority, which take only the time that nobody else needs."""
    return process_pool(workers, init_patient_worker, (initializer, initargs))


def init_worker(
    initializer: Callable[..., object] | None = None, initargs: tuple[Any, ...] = ()
) -> None:
    """Run first in a worker: ignore Ctrl-C, which the parent handles, and exit with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=exit_with_parent, daemon=True).start()
    if initializer:
        initializer(*initargs)


def init_patient_worker(
    initializer: Callable[..., object] | None = None, initargs: tuple[Any, ...] = ()
) -> None:
    """Run first in a worker at low priority."""
    if hasattr(os, "nice"):
        os.nice(LOW_PRIORITY)
    if initializer:
        initializer(*initargs)


def exit_with_parent() -> None:
    """Exit as soon as the parent process is gone, however it died."""
    if employer := multiprocessing.parent_process():
        wait_for([employer.sentinel])
        os._exit(0)


def kill_workers(executor: Executor, *, wait: bool = False) -> None:
    """Kill the processes of an executor, whatever they are doing.

    With `wait`, what they shared with this process is given back before it returns.
    """
    processes = list((getattr(executor, "_processes", None) or {}).values())
    for process in processes:
        with suppress(OSError, ValueError):
            process.kill()
    executor.shutdown(wait=wait and bool(processes))


def load_distributed() -> Any:
    """Dask's package, which says nothing by itself; ValueError if it is not installed."""
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise ValueError(
            _("a cluster needs the package distributed: pip install quinconce[cluster]")
        ) from None
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] == "distributed":  # our own error says what matters
            logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


class WorkerPool:
    """An executor that is made when the first task comes and killed when the block ends."""

    def __init__(self, make_executor: PoolFactory, capacity: Callable[[], int] = lambda: 1) -> None:
        self.capacity = capacity  # how many tasks run at a time
        self._make_executor = make_executor
        self._executor: Executor | None = None

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()

    def submit(self, do: Callable[..., T], *about: Any) -> Future[T]:
        """Run a function in a worker."""
        self._executor = self._executor or self._make_executor()
        return self._executor.submit(do, *about)

    def kill(self, *, wait: bool = False) -> None:
        """Kill all workers, whatever they are doing."""
        executor, self._executor = self._executor, None
        if executor:
            kill_workers(executor, wait=wait)


def task_result(task: Future[T]) -> T:
    """The result of a task; ValueError if the worker failed or the cluster is gone."""
    try:
        return task.result()
    except BrokenExecutor:
        raise
    except CancelledError:
        raise ValueError(_("the cluster is gone, or has dropped the work")) from None
    except ValueError as error:
        if phrase_of(error) is not None:
            raise
        raise worker_error(error) from None
    except Exception as error:
        raise worker_error(error) from None


def worker_error(error: Exception) -> ValueError:
    """The error that tells why a worker failed."""
    return ValueError(_("a worker failed: {why}", why=f"{type(error).__name__}: {error}"))
