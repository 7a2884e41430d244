"""Servers killed under a crowd that plays: nothing that was acknowledged is lost or doubled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.own_postgresql import why_missing

ROOT = Path(__file__).parents[1]


def run_kills(*options: str) -> dict[str, float]:
    """The figures of a run in which all is well."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.kills", "--tables", "15", *options],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    cells = [line.split("|") for line in done.stdout.splitlines() if line.startswith("| ")]
    figures = {row[1].strip(): float(row[2]) for row in cells[1:]}
    assert figures["acts lost"] == figures["acts doubled"] == 0
    assert figures["acts acknowledged"] > 100
    assert figures["moves of engines"] > 0
    return figures


def test_kills_on_sqlite_lose_nothing() -> None:
    assert run_kills("--kills", "24")["servers killed"] == 24


@pytest.mark.skipif(why_missing() is not None, reason=str(why_missing()))
def test_three_servers_on_postgresql_lose_nothing() -> None:
    pytest.importorskip("asyncpg")
    faults = ("--kills", "10", "--restarts", "10", "--cuts", "10")
    figures = run_kills("--database", "postgresql", "--processes", "3", *faults)
    assert figures["servers killed"] == figures["restarts of PostgreSQL"] == 10
    assert figures["connections cut"] > 10
    for tried in (
        "races for one number",
        "takebacks against moves",
        "rematches agreed on at once",
        "clocks compared",
    ):
        assert figures[tried] > 0, tried
