"""A server that is told to stop: it says so, begins nothing new, and finishes what is open."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from postgresql_server import database_for
from waiting import PATIENCE, until

pytestmark = pytest.mark.process
TESTS = Path(__file__).parents[1]
# The command as it is typed, but whatever is open has all the time that a slow machine needs.
SCRIPT = """
import sys
from quinconce.cli import main
from quinconce.server import http_server
http_server.GRACEFUL_SECONDS = 3600
if __name__ == "__main__":
    main(sys.argv[1:])
"""
FRIENDS = {"game": "diam", "seats": [{"kind": "friend"}, {"kind": "friend"}], "order": "given"}


class ServeCommand:
    """`quinconce serve` as it is typed, with its log as JSON."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.log = folder / "server.log"
        database = database_for(folder)
        common = ["--port", "0", "--database", database, "--no-warmup", "--log", "json"]
        environment = {
            "PYTHONPATH": str(TESTS.parent / "src"),
            "XDG_DATA_HOME": str(folder),
            "QUINCONCE_LANG": "en",
        }
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SCRIPT, "serve", *common, "--verbose", *options],
                stdout=subprocess.PIPE,
                stderr=log,
                env=os.environ | environment,
                encoding="utf-8",
            )
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, self.log.read_text()
        self.client = httpx.Client(base_url=found[0], timeout=PATIENCE)

    def status(self, path: str) -> int:
        return self.client.get(path).status_code

    def why_not_ready(self) -> str | None:
        why: str | None = self.client.get("/api/ready?lang=en").json()["why"]
        return why

    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@contextmanager
def run_command(folder: Path, *options: str) -> Iterator[ServeCommand]:
    server = ServeCommand(folder, *options)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()
        server.client.close()


def make_match(server: ServeCommand) -> tuple[str, list[str]]:
    """The path of a new match, and the tokens of its seats."""
    made = server.client.post("/api/matches", json=FRIENDS).json()
    server.client.cookies.clear()
    return f"/api/matches/{made['id']}", [seat["link"].split("#")[1] for seat in made["seats"]]


def test_while_it_drains_it_is_not_ready_and_what_goes_on_goes_on(tmp_path: Path) -> None:
    with run_command(tmp_path, "--drain", "600") as server:
        match, tokens = make_match(server)
        until(lambda: server.status("/api/ready") == 200)
        server.process.send_signal(signal.SIGTERM)
        until(lambda: server.why_not_ready() == "the server is stopping")
        assert server.status("/api/ready") == 503
        assert server.status("/api/health") == 200
        refused = server.client.post("/api/matches", json=FRIENDS)
        assert (refused.status_code, refused.json()["code"]) == (503, "stopping")
        assert "about to stop" in refused.json()["error"]
        assert int(refused.headers["retry-after"]) > 0
        move = server.client.post(
            f"{match}/moves",
            json={"seq": 0, "move": "r@1"},
            headers={"Authorization": f"Bearer {tokens[0]}"},
        )
        assert move.status_code == 200
        # Somebody is out of patience: the second signal ends at once.
        server.process.send_signal(signal.SIGTERM)
        server.process.communicate(timeout=PATIENCE)  # and whatever it has started has ended
        log = server.log.read_text()
        asked = [entry for entry in server.entries() if entry.get("path") == "/api/matches"]
        assert [(entry["method"], entry["status"]) for entry in asked] == [
            ("POST", 201),
            ("POST", 503),
        ]
        assert all(entry["milliseconds"] >= 0 and entry["time"] for entry in asked)
        assert "Traceback" not in log
        assert not [token for token in tokens if token in log]
        assert match.rpartition("/")[2] not in log


@pytest.mark.parametrize(
    ("accept", "bye"),
    [
        ("application/x-ndjson", ['{"kind":"bye"}']),
        ("text/event-stream", ["event: bye", 'data: {"kind":"bye"}']),
    ],
)
def test_streams_are_told_to_go_elsewhere_and_open_requests_are_finished(
    tmp_path: Path, accept: str, bye: list[str]
) -> None:
    with run_command(tmp_path) as server:
        match, tokens = make_match(server)
        address = (server.client.base_url.host, server.client.base_url.port or 0)
        body = b'{"seq": 0, "move": "r@1"}'
        head = (
            f"POST {match}/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {tokens[0]}\r\nContent-Length: {len(body)}\r\n"
            "Expect: 100-continue\r\n\r\n"
        )
        with (
            socket.create_connection(address) as half,
            httpx.Client(base_url=server.client.base_url, timeout=PATIENCE) as listener,
            listener.stream("GET", f"{match}/events", headers={"Accept": accept}) as stream,
        ):
            lines = stream.iter_lines()
            next(lines)
            half.sendall(head.encode())
            assert half.recv(1000).startswith(b"HTTP/1.1 100")  # it waits for the rest
            half.sendall(body[:10])
            server.process.send_signal(signal.SIGTERM)
            heard = [line for line in lines if line]
            assert heard[-len(bye) :] == bye
            half.sendall(body[10:])
            assert half.recv(100).startswith(b"HTTP/1.1 200")
        server.process.wait(PATIENCE)
        assert "Traceback" not in server.log.read_text()


def test_a_server_closes_at_once_though_pages_are_open(tmp_path: Path) -> None:
    with run_command(tmp_path) as server:
        match, _tokens = make_match(server)
        headers = {"Accept": "text/event-stream"}
        with server.client.stream("GET", f"{match}/events", headers=headers) as page:
            server.process.terminate()
            assert "event: bye" in list(page.iter_lines())
        server.process.wait(PATIENCE)  # much less than it would have for what does not end
        log = server.log.read_text()
        assert "Traceback" not in log
        assert "graceful" not in log
