"""What a page loads of us: no server, no database, no processes, no threads."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

HEAVY = {
    "litestar",
    "sqlalchemy",
    "alembic",
    "uvicorn",
    "prometheus_client",
    "markdown_it",
    "segno",
    "PIL",
    "multiprocessing",
    "concurrent.futures.thread",
    "concurrent.futures.process",
}
# A plain installation has no compiler, and neither has a page.
LOAD = """
import sys
sys.modules["numba"] = None
import quinconce.device.app
print(*sys.modules)
"""


@pytest.mark.process
def test_a_device_loads_no_server_and_no_database() -> None:
    plain = {name: value for name, value in os.environ.items() if name != "QUINCONCE_HOME"}
    command = [sys.executable, "-c", LOAD]
    done = subprocess.run(command, env=plain, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "quinconce.device.app" in loaded
    assert not loaded & HEAVY
    assert not {name for name in loaded if name.startswith("quinconce.server.routes")}
