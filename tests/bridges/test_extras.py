"""A bridge whose package is missing says in one line which extra brings it."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    ("bridge", "package", "extra"),
    [
        ("pettingzoo", "pettingzoo", "rl"),
        ("pettingzoo", "gymnasium", "rl"),
        ("gymnasium", "gymnasium", "rl"),
        ("openspiel", "pyspiel", "openspiel"),
        ("batch", "numba", "native"),
        ("mcp", "mcp", "mcp"),
    ],
)
def test_a_missing_package_names_its_extra(
    bridge: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, f"quinconce.bridges.{bridge}", raising=False)
    for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, name)  # else it is found, whatever stands above it
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError) as caught:
        import_module(f"quinconce.bridges.{bridge}")
    assert str(caught.value) == f"{package} is not installed: pip install 'quinconce[{extra}]'"
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.process
def test_numbers_and_planes_need_numpy_alone() -> None:
    program = """
import sys
for package in ("gymnasium", "pettingzoo", "pyspiel", "numba", "PIL", "resvg_py", "litestar"):
    sys.modules[package] = None
from quinconce import game
from quinconce.bridges.episode import Episode
episode = Episode(game(sys.argv[1]))
episode.touch(episode.legal_actions()[0])
print(episode.observation(0).shape, episode.mask().sum())
"""
    command = [sys.executable, "-c", program, "diadema"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "(9, 16) 13\n"
