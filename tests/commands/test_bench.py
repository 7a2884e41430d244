"""`quinconce bench`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run_command, run_refused

pytestmark = pytest.mark.usefixtures("in_english")


@pytest.mark.slow
def test_bench_measures_and_writes_json(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_command(
        capsys, "bench", "--game", "diadema", "--seconds", "0.01", "--json", "figures.json"
    )
    assert "diadema" in shown
    figures = json.loads(Path("figures.json").read_text())
    assert figures["diadema"]["rules_moves_per_s"] > 0


def test_bench_tells_when_it_cannot_write(capsys: pytest.CaptureFixture[str]) -> None:
    """Before it measures for a minute, not after."""
    assert (
        run_refused(capsys, "bench", "--game", "diadema", "--seconds", "60", "--json", "no/f.json")
        == "quinconce: no/f.json: there is no such file or folder\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bench", "--game", "chess"], "there is no game 'chess'"),
        (["bench", "--seconds", "0"], "--seconds goes from 0.01 to 60"),
        (["bench", "--seconds", "nan"], "--seconds goes from 0.01 to 60"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
