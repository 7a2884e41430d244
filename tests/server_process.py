"""A server in a process of its own, as people run it, for tests that race, listen or kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from postgresql_server import database_for
from waiting import PATIENCE

TESTS = Path(__file__).parent
SCRIPT = """
import sys, fake_engines
from quinconce.server.serve import run_server
from quinconce.server.settings import ServerLimits, Settings
limits = ServerLimits(writes_per_minute=10**6, matches_per_hour=10**6)
settings = Settings(database=sys.argv[1], keepalive=0.2, recheck=0.2, limits=limits)
ready = lambda url, shared: print(url, flush=True)
run_server(settings, int(sys.argv[3]), ready, getattr(fake_engines, sys.argv[2]), verbose=True)
"""


class ServerProcess:
    """A server that can be killed and started again on the same port and database."""

    def __init__(self, folder: Path, mover: str = "first_move", **environ: str) -> None:
        self.folder = folder
        self.log = folder / "server.log"
        path = os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])
        own = {"PYTHONPATH": path, "XDG_DATA_HOME": str(folder), "QUINCONCE_HOME": "wasm"}
        self.environ = os.environ | own | environ
        self.mover = mover
        self.port = 0  # any, until it has one
        self.client = httpx.Client()
        self.start()

    def start(self) -> None:
        database = database_for(self.folder)
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SCRIPT, database, self.mover, str(self.port)],
                stdout=subprocess.PIPE,
                stderr=log,
                env=self.environ,
                encoding="utf-8",
            )
        assert self.process.stdout
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://"), self.log.read_text()
        self.port = int(self.url.rpartition(":")[2])
        self.client.close()
        self.client = httpx.Client(base_url=self.url, timeout=PATIENCE)

    def kill(self) -> None:
        """As a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def stop(self) -> None:
        """As somebody who closes the terminal would."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=PATIENCE)
        self.client.close()

    def create_match(self, **setup: Any) -> dict[str, Any]:
        """A match of friends, unless other seats are asked for."""
        friends = [{"kind": "friend"}, {"kind": "friend"}]
        body = {"game": "diam", "seats": friends, "order": "given", **setup}
        answer = self.client.post("/api/matches", json=body)
        assert answer.status_code == 201, answer.text
        self.client.cookies.clear()
        made: dict[str, Any] = answer.json()
        made["tokens"] = [seat["link"] and seat["link"].split("#")[1] for seat in made["seats"]]
        made["path"] = f"/api/matches/{made['id']}"
        return made

    def move(self, made: dict[str, Any], seat: int, move: str, seq: int) -> httpx.Response:
        """A move, entered as a program does."""
        return self.client.post(
            f"{made['path']}/moves",
            json={"seq": seq, "move": move},
            headers={"Authorization": f"Bearer {made['tokens'][seat]}"},
        )

    def view(self, made: dict[str, Any]) -> dict[str, Any]:
        view: dict[str, Any] = self.client.get(made["path"]).json()
        return view


@contextmanager
def run_server(folder: Path, mover: str = "first_move", **environ: str) -> Iterator[ServerProcess]:
    """A server that is gone afterwards."""
    process = ServerProcess(folder, mover, **environ)
    try:
        yield process
    finally:
        process.stop()
