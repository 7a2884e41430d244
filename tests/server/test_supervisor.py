"""Several server processes on one port: replaced when they die, stopped together."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest
from postgresql_server import database_for
from waiting import PATIENCE, until

from quinconce.server import serve
from quinconce.server.metrics import FOLDER_VARIABLE, render_metrics
from quinconce.server.settings import Settings
from quinconce.server.supervisor import (
    FIRST_PAUSE,
    LONG_LIFE,
    LONGEST_PAUSE,
    Child,
    child_settings,
)

TESTS = Path(__file__).parents[1]
# The rule that a file is served by one process is the command's: what is started, replaced and
# stopped here is the same on any database.
SCRIPT = """
import sys, fake_engines
from quinconce.server.serve import run_server
from quinconce.server.settings import Settings
if __name__ == "__main__":
    settings = Settings(database=sys.argv[1], keepalive=0.2)
    ready = lambda url, shared: print(url, flush=True)
    run_server(settings, 0, ready, fake_engines.first_move, log="json", processes=2)
"""


class Group:
    """Two processes on one port, and the one that started them."""

    def __init__(self, folder: Path) -> None:
        script = folder / "script.py"
        script.write_text(SCRIPT)
        path = os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])
        self.log = folder / "server.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(script), database_for(folder)],
                stdout=subprocess.PIPE,
                stderr=log,
                env=os.environ | {"PYTHONPATH": path, "XDG_DATA_HOME": str(folder)},
                encoding="utf-8",
                start_new_session=True,  # so that Ctrl-C can be sent to all, as a terminal does
            )
        assert self.process.stdout
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://"), self.log.read_text()

    def servers(self) -> set[int]:
        """The processes that answer."""
        children = psutil.Process(self.process.pid).children()
        return {child.pid for child in children if is_server(child)}

    def metric(self, name: str) -> float:
        """What whichever process answers says of all of them."""
        text = httpx.get(f"{self.url}/metrics", timeout=PATIENCE).text
        found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)
        return float(found[1]) if found else 0.0

    def answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/api/health", timeout=PATIENCE).status_code == 200
        except httpx.ConnectError:
            return False


@contextmanager
def run_group(folder: Path) -> Iterator[Group]:
    group = Group(folder)
    try:
        yield group
    finally:
        group.process.kill()
        group.process.communicate()


def is_server(process: psutil.Process) -> bool:
    """Whether a process lives that answers."""
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except psutil.Error:  # it has just ended
        return False


def have_ended(pids: set[int]) -> bool:
    """Whether processes are gone, though nobody may have asked yet how they ended."""
    for pid in pids:
        try:
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                return False
        except psutil.NoSuchProcess:
            pass
    return True


@pytest.mark.process
def test_a_process_that_dies_is_replaced_and_all_stop_together(tmp_path: Path) -> None:
    with run_group(tmp_path) as group:
        first = group.servers()
        assert len(first) == 2
        killed = min(first)
        folder = Path(psutil.Process(killed).environ()[FOLDER_VARIABLE])
        assert until(lambda: list(folder.glob(f"gauge_livesum_{killed}.db")))
        os.kill(killed, signal.SIGKILL)
        until(lambda: have_ended({killed}))  # what it had accepted by then is lost with it
        assert group.answers()
        now = until(lambda: (found := group.servers()) != first and len(found) == 2 and found)
        assert killed not in now
        assert len(first & now) == 1
        # Whichever process is asked counts for all.
        asked = 'quinconce_requests_total{method="GET",route="/api/games",status="200"}'
        for n in range(1, 7):
            httpx.get(f"{group.url}/api/games", timeout=PATIENCE)
            until(lambda: group.metric(asked) >= n)  # noqa: B023 (it is counted once it is sent)
            assert group.metric(asked) == n
        # The one that died has nothing open any more, whatever it had.
        assert not list(folder.glob(f"gauge_livesum_{killed}.db"))
        # Ctrl-C reaches every process of the terminal, and still they stop in order.
        os.killpg(group.process.pid, signal.SIGINT)
        assert group.process.wait(PATIENCE) == 0
        assert until(lambda: have_ended(now))
        assert not group.answers()
        assert not folder.exists()
        assert "Traceback" not in group.log.read_text()
        assert "died (-9)" in group.log.read_text()


@pytest.mark.process
def test_the_processes_do_not_outlive_the_one_that_started_them(tmp_path: Path) -> None:
    with run_group(tmp_path) as group:
        servers = group.servers()
        group.process.kill()
        assert until(lambda: have_ended(servers))
        assert not group.answers()


def test_counts_are_told_while_a_process_makes_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "counter_1.db").touch()
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert render_metrics() == b""


def test_one_who_dies_at_once_again_and_again_is_replaced_ever_later() -> None:
    child = Child(Settings())
    pauses = []
    for _death in range(9):
        child.started_at = 100.0
        child.note_death(101.0)
        pauses.append(child.due - 101.0)
    assert pauses[:3] == [FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE]
    assert pauses[-1] == LONGEST_PAUSE
    child.started_at = 100.0
    child.note_death(100.0 + LONG_LIFE)
    assert child.due == 100.0 + LONG_LIFE


def test_processes_share_the_cores() -> None:
    assert child_settings(Settings(workers=8, preload=True), 3) == Settings(workers=2, preload=True)
    assert child_settings(Settings(workers=1), 3).workers == 1


def test_nobody_looks_for_the_server_of_a_database_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    database = "postgresql://games@localhost/games"
    assert serve.find_running_server(database) is None
    serve.AddressFile(database, "http://localhost:1").write()
    assert not list(tmp_path.rglob("*.json"))
    serve.AddressFile(None, "http://localhost:1").write()
    assert list(tmp_path.rglob("*.json"))
