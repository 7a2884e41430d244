"""A server on a machine where nothing was ever compiled: the engine moves all the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
        | {"PYTHONPATH": str(TESTS.parent / "src"), "QUINCONCE_LANG": "en"},
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


def test_the_engine_moves_before_anything_is_compiled(client: httpx.Client) -> None:
    seats = [{"kind": "engine", "level": 3}, {"kind": "friend"}]
    setup = {"game": "diadema", "seats": seats, "order": "given"}
    match = client.post("/api/matches", json=setup).json()["id"]
    until(lambda: client.get(f"/api/matches/{match}").json()["moves"])
    told = client.get("/api/engine?game=diadema").json()
    assert told["state"] == "preparing"
    assert told["share"] < 1


def test_full_strength_waits_for_its_table_and_says_so(client: httpx.Client) -> None:
    seats = [{"kind": "engine", "level": 10}, {"kind": "friend"}]
    setup = {"game": "diadema", "seats": seats, "order": "given"}
    path = f"/api/matches/{client.post('/api/matches', json=setup).json()['id']}"

    def look() -> dict[str, Any] | None:
        moves = client.get(path).json()["moves"]
        state: dict[str, Any] = client.get(f"{path}/engine").json()
        assert moves == [] or state["state"] != "preparing"
        return state if state["share"] else None

    told = until(look)
    assert told["state"] == "preparing"
    assert told["words"].startswith("Preparing full strength for Diädema (first time only): about ")
