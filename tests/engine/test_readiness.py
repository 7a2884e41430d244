"""What is compiled: told without Numba, and only after it was compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quinconce import game
from quinconce.core.registry import game_forms
from quinconce.engine.preparation import search_kind
from quinconce.engine.readiness import is_compiled, mark_prepared
from quinconce.kernels import code_cache

ASK = """
import sys
import quinconce
from quinconce.engine.readiness import is_compiled
print(is_compiled(quinconce.game("diadema")), "numba" in sys.modules, "numpy" in sys.modules)
"""
# For the sake of time: what is asked is how one process tells another.
NOTHING_IS_COMPILED = """
from quinconce.engine.alpha_beta import AlphaBetaSearch
AlphaBetaSearch.warm_up = lambda search: None
"""
PREPARE = """
import quinconce
from quinconce.engine import prepare
prepare(quinconce.game("diadema"))
"""


def run(program: str, cache: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def empty_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with nothing in it."""
    folder = tmp_path / code_cache.current_digest()
    folder.mkdir()
    monkeypatch.setattr(code_cache, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(code_cache, "cache_directory", lambda: folder)
    return tmp_path


@pytest.mark.process
def test_asking_loads_no_numba_and_makes_no_folder(tmp_path: Path) -> None:
    assert run(ASK, tmp_path) == "False False False"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
@pytest.mark.parametrize(
    "before",
    [
        pytest.param(NOTHING_IS_COMPILED, id="nothing compiled"),
        pytest.param("", marks=pytest.mark.long, id="compiled"),
    ],
)
def test_a_game_is_compiled_for_other_processes_once_it_is_prepared(
    before: str, tmp_path: Path
) -> None:
    run(before + PREPARE, tmp_path)
    assert run(ASK, tmp_path) == "True False False"


def test_marks_tell_forms_and_what_is_proved_apart(empty_room: Path) -> None:
    first, second, *_rest = game_forms("diam")
    mark_prepared([first])
    assert is_compiled(first)
    assert not is_compiled(second)
    assert not is_compiled(first, informed=True)
    mark_prepared([second], informed=True)
    assert is_compiled(second, informed=True)


def test_marks_of_another_processor_do_not_count(
    empty_room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark_prepared([game("buts")])
    monkeypatch.setattr(code_cache, "processor_digest", lambda: "another")
    assert not is_compiled(game("buts"))


def test_a_kind_of_search_serves_several_forms() -> None:
    kinds = {search_kind(form) for form in game_forms("diam")}
    assert 1 < len(kinds) < len(game_forms("diam"))
