"""Ends what a test process has started, and clears its temporary folder, however it ends."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

# Whatever is started inherits it, also what changes its user, its session or its parent.
MARK: Final = "QUINCONCE_TEST_PROCESS"
ATTEMPTS: Final = 50
MEMORY: Final = Path("/dev/shm")
ROOM: Final = 4 << 30  # bytes, many times what all tests write


def start_guard() -> subprocess.Popen[bytes]:
    """Start a process that outlives this one, to end what this one leaves behind."""
    mark = f"{os.getpid()}-{secrets.token_hex(8)}"
    folder = own_folder()
    guard = subprocess.Popen(
        [sys.executable, __file__, str(os.getpid()), mark, folder],
        env={name: value for name, value in os.environ.items() if name != MARK},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # interrupts are for the tests
    )
    guard.returncode = 0  # it is not waited for
    os.environ[MARK] = mark
    return guard


def own_folder() -> str:
    """A temporary folder for all that is started; empty in a process that has its parent's."""
    if MARK in os.environ:
        return ""
    root = quick_root()
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", root)  # for what pytest keeps of three runs
    folder = tempfile.mkdtemp(prefix="quinconce-tests-", dir=root)
    os.chmod(folder, 0o711)  # noqa: PTH101 (root's PostgreSQL runs as another user)
    os.environ["TMPDIR"] = folder
    tempfile.tempdir = None  # read it again
    return folder


def quick_root() -> str:
    """Where tests write: in memory, unless TMPDIR says where, or there is no room.

    A database waits for the disk at every move, and what is killed in tests is never the machine.
    """
    if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK):
        runs_programs = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
        if runs_programs and shutil.disk_usage(MEMORY).free >= ROOM:
            return str(MEMORY)
    return tempfile.gettempdir()


def marked_processes(mark: str) -> Iterator[psutil.Process]:
    """The processes that were started with this mark."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(MARK) == mark:
                yield process


def clear_up(parent: int, mark: str, folder: str) -> None:
    """Wait for the end of a process, then end what it has left behind."""
    with suppress(psutil.NoSuchProcess):
        psutil.Process(parent).wait()
    while left := list(marked_processes(mark)):
        for process in left:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(left, timeout=1)
    for _attempt in range(ATTEMPTS):
        if folder and Path(folder).exists():  # others may still end what writes there
            shutil.rmtree(folder, ignore_errors=True)
            time.sleep(0.1)


if __name__ == "__main__":
    clear_up(int(sys.argv[1]), sys.argv[2], sys.argv[3])
