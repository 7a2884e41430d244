"""What holds for all tests: their order, files of their own, nothing left behind, interrupts."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import process_guard
import pytest
from corpus import NEAR_FORMS
from hypothesis import settings

from quinconce import Game

if TYPE_CHECKING:
    from browser_users import BrowserPool

process_guard.start_guard()
os.environ.setdefault("QUINCONCE_HOME", "native")  # where bounds are checked
# Threads of NumPy that wait for each other turn round, which costs ten times as much on a busy
# machine as the small products of matrices here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
if "PYTEST_XDIST_WORKER" not in os.environ:  # tests side by side share it
    os.environ["QUINCONCE_ENDINGS"] = tempfile.mkdtemp(prefix="quinconce-endings-")

# No deadlines, and the same examples every time in CI.
settings.register_profile("quinconce", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("quinconce")

NEAR_IDS = {form.form_id for form in NEAR_FORMS}

# A shell has its background commands ignore interrupts, and what they start does so too; but tests
# interrupt commands.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where tests with processes are left out, nobody waits for the questions to every route."""
    left_out = "not process" in config.option.markexpr
    return True if left_out and collection_path.name == "test_openapi.py" else None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what opens a page, and forms much like another: `./test quick` has the other."""
    call = getattr(item, "callspec", None)
    games = [each for each in (call.params.values() if call else ()) if isinstance(each, Game)]
    if any(game.form_id not in NEAR_IDS for game in games):
        item.add_marker(pytest.mark.slow)
    if "profiles" in getattr(item, "fixturenames", ()):  # it opens a page in a browser
        item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def profiles() -> Iterator[BrowserPool]:
    """The browsers of this process, which can have no more than one loop for them."""
    from browser_users import open_browsers  # slow to load

    with open_browsers() as found:
        yield found


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests go first, half of them to each of two processes: quick tests fill up.

    Each process begins with a half of the list (`--dist=worksteal`), and takes from the other's
    end when it has none left.
    """
    files = [list(tests) for _path, tests in groupby(items, key=lambda test: test.path)]
    slow = [tests for tests in files if any(map(is_slow, tests))]
    quick = [tests for tests in files if not any(map(is_slow, tests))]
    halves: tuple[list[pytest.Item], list[pytest.Item]] = ([], [])
    for tests in sorted(slow, key=lambda tests: -sum(map(is_slow, tests))) + quick:
        min(halves, key=len).extend(tests)
    # Playwright's loop runs until a process ends; whoever starts another one comes before.
    items[:] = sorted(halves[0] + halves[1], key=needs_browser)


def needs_browser(test: pytest.Item) -> bool:
    return test.get_closest_marker("browser") is not None


def is_slow(test: pytest.Item) -> bool:
    """Whether a test is one of those that `./test quick` leaves out."""
    return any(test.get_closest_marker(kind) for kind in ("slow", "process", "browser", "long"))


@pytest.fixture
def in_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Commands that speak English, a hundred letters a line, in a folder of their own."""
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
