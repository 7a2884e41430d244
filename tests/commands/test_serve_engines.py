"""Where `quinconce serve` lets engines think, and what it refuses."""

from __future__ import annotations

import sys

import pytest
from command_line import run_refused


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--engines", "here"), "here is not the address of a Dask scheduler, as tcp://HOST:8786"),
        (("--engines", "http://here:8786"), "is not the address of a Dask scheduler"),
        (("--engines", "tcp://here:many"), "is not the address of a Dask scheduler"),
        (("--local-engines",), "--local-engines goes with --engines"),
    ],
)
def test_engines_that_cannot_think_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], why: str
) -> None:
    assert why in run_refused(capsys, "serve", *arguments)


def test_a_cluster_without_its_library_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    told = run_refused(capsys, "serve", "--engines", "tcp://127.0.0.1:1")
    assert "pip install quinconce[cluster]" in told
