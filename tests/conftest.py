"""What holds for all tests: Hypothesis on noisy machines, endings of their own, interrupts."""

import atexit
import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

if "PYTEST_XDIST_WORKER" not in os.environ:  # tests side by side share it
    os.environ["QUINCONCE_ENDINGS"] = tempfile.mkdtemp(prefix="quinconce-endings-")
    atexit.register(shutil.rmtree, os.environ["QUINCONCE_ENDINGS"], ignore_errors=True)

# No deadlines, and the same examples every time in CI.
settings.register_profile("quinconce", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("quinconce")

# A shell has its background commands ignore interrupts, and what they start does so too; but tests
# interrupt commands.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def in_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Commands that speak English, a hundred letters a line, in a folder of their own."""
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
