"""A server on a machine where no engine ever played: it moves all the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from waiting import PATIENCE, until

pytestmark = [pytest.mark.process, pytest.mark.sqlite("it never comes to the database")]
TESTS = Path(__file__).parents[1]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    """A way to a server as people start it, with an empty cache."""
    folders = {name: str(tmp_path) for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME")}
    server = subprocess.Popen(
        [sys.executable, "-m", "quinconce", "serve", "--port", "0"],
        env=os.environ
        | folders
        | {"PYTHONPATH": str(TESTS.parent / "src"), "QUINCONCE_LANG": "en"}
        | {"QUINCONCE_HOME": "wasm"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert server.stdout
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found
        with httpx.Client(base_url=found[0], timeout=PATIENCE) as opened:
            yield opened
    finally:
        server.terminate()
        _out, errors = server.communicate(timeout=PATIENCE)
    assert errors == ""


@pytest.mark.parametrize("level", [3, 10])
def test_the_engine_moves_on_a_machine_where_it_never_played(
    client: httpx.Client, level: int
) -> None:
    seats = [{"kind": "engine", "level": level}, {"kind": "friend"}]
    setup = {"game": "diadema", "seats": seats, "order": "given"}
    path = f"/api/matches/{client.post('/api/matches', json=setup).json()['id']}"

    def look() -> bool:
        told = client.get(f"{path}/engine").json()
        assert told["share"] is None
        assert told["state"] in ("asked", "thinking", "idle")
        return bool(client.get(path).json()["moves"])

    until(look)
