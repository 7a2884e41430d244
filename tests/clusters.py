"""A Dask cluster on this machine, each part a process, for tests."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 300.0
LOCAL = ("--host", "127.0.0.1", "--no-dashboard")
WORKER = (*LOCAL, "--nthreads", "1", "--no-nanny")


def until(true: Callable[[], object], process: subprocess.Popen[bytes] | None = None) -> None:
    """Wait for something, but not for a process that is dead."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        assert process is None or process.poll() is None
        time.sleep(0.002)


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask's, ended in the end."""
    command = (sys.executable, "-m", "dask", *arguments)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def scheduled(folder: Path) -> Iterator[str]:
    """The address of a scheduler that runs."""
    note = folder / "scheduler.json"
    with started("scheduler", *LOCAL, "--port", "0", "--scheduler-file", str(note)) as scheduler:
        until(lambda: note.exists() and note.read_text().endswith("}"), scheduler)
        yield json.loads(note.read_text())["address"]
