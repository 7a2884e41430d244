"""The cache of compiled code: its key covers every module that is compiled."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from quinconce.kernels.code_cache import COMPILED_PACKAGES, PACKAGE, sources, sources_digest

MARKS = re.compile(r"^@(compiled|implements|by_default|njit|jit)\b|^@numba\.", re.MULTILINE)


def has_compiled_code(path: Path) -> bool:
    return bool(MARKS.search(path.read_text(encoding="utf-8")))


def test_every_module_with_compiled_code_is_in_the_key_of_the_cache() -> None:
    compiled = {path for path in PACKAGE.rglob("*.py") if has_compiled_code(path)}
    assert len(compiled) > 10
    assert compiled <= set(sources())


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of what is compiled."""
    for room in COMPILED_PACKAGES:
        shutil.copytree(PACKAGE / room, tmp_path / room)
    return tmp_path


def test_the_key_changes_with_a_module_in_a_folder_below(package: Path) -> None:
    before = sources_digest(package)
    assert before == sources_digest()
    below = package / COMPILED_PACKAGES[0] / "below"
    below.mkdir()
    (below / "search.py").write_text("", encoding="utf-8")
    added = sources_digest(package)
    (below / "search.py").write_text("x = 1\n", encoding="utf-8")
    assert len({before, added, sources_digest(package)}) == 3


def test_the_key_changes_when_a_module_is_moved(package: Path) -> None:
    before = sources_digest(package)
    module = next(path for path in sources(package) if has_compiled_code(path))
    module.rename(module.with_name("moved.py"))
    assert sources_digest(package) != before
