"""Nothing that a test has started outlives the process of the tests, however that ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from waiting import until

from benchmarks.own_postgresql import why_missing

pytestmark = pytest.mark.process
TESTS = Path(__file__).parent
SLEEPER = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], **options)
print(child.pid, os.environ["TMPDIR"], flush=True)
child.wait()
"""
POSTGRESQL = """
import os, signal
from benchmarks.own_postgresql import run_postgresql
with run_postgresql() as server:
    print(server.process.pid, os.environ["TMPDIR"], flush=True)
    signal.pause()
"""


def has_ended(process: psutil.Process) -> bool:
    """Whether a process is gone, or is a zombie that nobody has asked about."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def kill_one_that_runs(script: str) -> tuple[psutil.Process, Path]:
    """Kill a guarded process as soon as it has told what it started, and where its files are."""
    path = f"import sys; sys.path[:0] = [{str(TESTS)!r}, {str(TESTS.parent)!r}]\n"
    guarded = f"{path}import process_guard\nprocess_guard.start_guard()\n{script}"
    with subprocess.Popen(
        [sys.executable, "-c", guarded],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={"PATH": "/usr/bin:/bin"},
    ) as process:
        assert process.stdout
        pid, folder = process.stdout.readline().split()
        started = psutil.Process(int(pid))
        assert started.is_running()
        process.send_signal(signal.SIGKILL)
    return started, Path(folder)


@pytest.mark.parametrize("options", ["{}", "{'start_new_session': True}"])
def test_a_process_ends_with_the_tests_that_are_killed(options: str) -> None:
    started, folder = kill_one_that_runs(f"options = {options}\n{SLEEPER}")
    until(lambda: has_ended(started))
    until(lambda: not folder.exists())


@pytest.mark.skipif(why_missing() is not None, reason=str(why_missing()))
def test_postgresql_ends_with_the_tests_that_are_killed() -> None:
    started, folder = kill_one_that_runs(POSTGRESQL)
    until(lambda: has_ended(started))
    until(lambda: not folder.exists())
