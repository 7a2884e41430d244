"""A server for a benchmark alone: a process that runs a script, on a database of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def server_process(
    script: str, database: str | None = None, *more: str
) -> Iterator[subprocess.Popen[str]]:
    """A process that serves; the script is told the address of a database, by default a new one."""
    with tempfile.TemporaryDirectory() as folder:
        served = database or f"sqlite:///{Path(folder) / 'matches.sqlite'}"
        process = subprocess.Popen(  # noqa: S603 (ourselves)
            [sys.executable, "-c", script, served, *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        try:
            yield process
        finally:
            process.terminate()
            process.communicate()


def served_host(process: subprocess.Popen[str]) -> str:
    """Where a server is found that prints its address first."""
    assert process.stdout
    return process.stdout.readline().strip().removeprefix("http://")
