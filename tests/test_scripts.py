"""./run on machines that lack something: one line that says what to do."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone in which nothing is installed yet."""
    for name in ("run", "pyproject.toml", "hatch_build.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def start(clone: Path, python3: str) -> subprocess.CompletedProcess[str]:
    """`./run` where the only Python is a stand-in."""
    programs = clone / "programs"
    programs.mkdir()
    for name in ("sh", "cat", "cksum", "dirname", "rm"):
        (programs / name).symlink_to(shutil.which(name) or name)
    stand_in = programs / "python3"
    stand_in.write_text(f"#!/bin/sh\n{python3}\n")
    stand_in.chmod(0o755)
    return subprocess.run(
        [clone / "run"],
        env={"PATH": str(programs)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_a_missing_venv_names_the_line_that_installs_it(clone: Path) -> None:
    done = start(clone, 'case "$2" in *ensurepip*) exit 1 ;; *version_info*) exit 0 ;; esac')
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("sudo apt-get install python3-venv")


def test_an_old_python_is_told(clone: Path) -> None:
    done = start(clone, 'case "$1" in --version) echo Python 3.9.2 ;; *) exit 1 ;; esac')
    assert done.returncode == 2
    assert "needs Python 3.11 or newer (python3 is Python 3.9.2)" in done.stderr
    assert not (clone / ".venv").exists()
