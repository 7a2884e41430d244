"""Servers killed under a crowd that plays: nothing that was acknowledged is lost or doubled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.kills import KINDS, LAST_ACTS
from benchmarks.own_postgresql import why_missing

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[1]


def run_kills(*options: str) -> dict[str, float]:
    """The figures of a run in which all is well."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.kills", "--tables", "15", *options],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "QUINCONCE_HOME": "wasm"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    cells = [line.split("|") for line in done.stdout.splitlines() if line.startswith("| ")]
    figures = {row[1].strip(): float(row[2]) for row in cells[1:]}
    assert figures["acts lost"] == figures["acts doubled"] == 0
    assert figures["acts acknowledged"] > LAST_ACTS
    assert figures["moves of engines"] > 0
    return figures


def few_and_many(few: int, many: int) -> pytest.MarkDecorator:
    """The same with few faults, and with many where there is time."""
    return pytest.mark.parametrize("times", [few, pytest.param(many, marks=pytest.mark.long)])


@few_and_many(5, 24)
def test_kills_on_sqlite_lose_nothing(times: int) -> None:
    assert run_kills("--kills", str(times))["servers killed"] == times


@pytest.mark.skipif(why_missing() is not None, reason=str(why_missing()))
@few_and_many(2, 10)
def test_three_servers_on_postgresql_lose_nothing(times: int) -> None:
    pytest.importorskip("asyncpg")
    faults = [word for kind in ("--kills", "--restarts", "--cuts") for word in (kind, str(times))]
    figures = run_kills("--database", "postgresql", "--processes", "3", *faults)
    assert figures["servers killed"] == figures["restarts of PostgreSQL"] == times
    assert figures["connections cut"] >= times
    for tried in KINDS:
        assert figures[tried] > 0, tried
