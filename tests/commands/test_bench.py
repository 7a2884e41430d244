"""`quinconce bench`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import NoReturn

import pexpect
import pytest
from command_line import run_command, run_refused
from waiting import PATIENCE

from benchmarks import speed
from benchmarks.speed_page import FIGURE_MEANINGS

pytestmark = pytest.mark.usefixtures("in_english")


@pytest.mark.slow
def test_bench_measures_and_writes_json(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_command(
        capsys, "bench", "--game", "diadema", "--seconds", "0.01", "--json", "figures.json"
    )
    assert "diadema" in shown
    figures = json.loads(Path("figures.json").read_text())
    assert figures["diadema"]["rules_moves_per_s"] > 0


@pytest.mark.slow
def test_bench_alone_leaves_out_what_takes_minutes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_arguments: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(speed, "two_threads", never)
    monkeypatch.setattr(speed, "perft_gain_without_nrt", never)
    shown = run_command(capsys, "bench", "--game", "diadema", "--seconds", "0.01")
    assert "search nodes per s" in shown
    assert "two threads" not in shown


@pytest.mark.slow
def test_a_thorough_bench_measures_all_that_the_page_of_figures_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    subject = speed.bench_subjects(["diam"])[0]
    monkeypatch.setattr(speed, "perft_gain_without_nrt", lambda *_arguments: 1.0)
    monkeypatch.setattr(speed, "OPENING_COUNT", 1)
    figures: speed.Figures = {}
    for measure in speed.measurements(subject, 0.01, thorough=True):
        figures |= measure()
    assert figures.keys() == FIGURE_MEANINGS.keys()


@pytest.mark.parametrize(
    ("options", "seconds", "thorough"),
    [([], 0.2, False), (["--thorough"], 1.0, True), (["--seconds", "3"], 3.0, False)],
)
def test_thorough_means_longer_and_more(
    options: list[str],
    seconds: float,
    thorough: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[float, bool]] = []

    def measurements(_subject: object, seconds: float, thorough: bool) -> list[object]:
        asked.append((seconds, thorough))
        return []

    monkeypatch.setattr(speed, "measurements", measurements)
    run_command(capsys, "bench", "--game", "diadema", *options)
    assert asked == [(seconds, thorough)]


@pytest.mark.process
def test_bench_says_how_far_it_is() -> None:
    arguments = ["-m", "quinconce", "bench", "--game", "diadema", "--seconds", "0.01"]
    environment = os.environ | {"TERM": "xterm-256color", "QUINCONCE_LANG": "en"}
    child = pexpect.spawn(
        sys.executable, arguments, encoding="utf-8", timeout=PATIENCE, env=environment
    )
    child.expect("measuring diadema")
    child.expect(r"\d+%")
    child.expect("rules moves per s")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


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
