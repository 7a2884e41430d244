"""A Dask cluster on this machine, each part a process, for tests."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from waiting import until

LOCAL = ("--host", "127.0.0.1", "--no-dashboard")
WORKER = (*LOCAL, "--nthreads", "1", "--no-nanny")


def ignore_dask_leaks(test: Callable[..., None]) -> Callable[..., None]:
    """For a test in which nobody answers Dask: it then forgets a coroutine of its own."""

    @wraps(test)
    def given_up(*arguments: Any, **named: Any) -> None:
        test(*arguments, **named)
        gc.collect()  # so that this test hears of it, and no other

    ignored = "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::RuntimeWarning"
    for warning in ignored:
        given_up = pytest.mark.filterwarnings(warning)(given_up)
    return given_up


@contextmanager
def dask_process(*arguments: str, **environ: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask's, ended in the end."""
    command = (sys.executable, "-m", "dask", *arguments)
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | environ,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def dask_scheduler(folder: Path, port: int = 0, /, **environ: str) -> Iterator[str]:
    """The address of a scheduler that runs."""
    note = folder / "scheduler.json"
    note.unlink(missing_ok=True)
    with dask_process(
        "scheduler", *LOCAL, "--port", str(port), "--scheduler-file", str(note), **environ
    ) as scheduler:

        def is_written() -> bool:
            assert scheduler.poll() is None, "the scheduler has ended"
            return note.exists() and note.read_text().endswith("}")

        until(is_written)
        yield json.loads(note.read_text())["address"]
