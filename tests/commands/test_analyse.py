"""`quinconce analyse`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from command_line import QUINCONCE, run_command, run_refused
from waiting import PATIENCE

THREE_OF_FOUR = "@A @4 @B @5 @C @E"  # Light wins with @D or @G

pytestmark = pytest.mark.usefixtures("in_english")


def test_analyse_tells_a_program_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    told = run_command(capsys, "analyse", "buts", "--depth", "3", "--json")
    objects = [json.loads(line) for line in told.splitlines()]
    assert [found["depth"] for found in objects] == [1, 2, 3]
    final = objects[-1]
    assert set(final) >= {"best", "line", "depth", "nodes", "score", "value", "plies"}
    assert final["best"] == final["line"][0]
    assert final["value"] is None
    assert final["plies"] is None
    assert type(final["score"]) is int


def test_analyse_tells_a_proved_win_with_its_distance(capsys: pytest.CaptureFixture[str]) -> None:
    told = run_command(
        capsys, "analyse", "diadema", "--after", THREE_OF_FOUR, "--depth", "3", "--json"
    )
    final = json.loads(told.splitlines()[-1])
    assert (final["value"], final["plies"]) == ("win", 1)
    assert final["best"] in ("@D", "@G")
    told = run_command(capsys, "analyse", "diadema", "--after", THREE_OF_FOUR, "--nodes", "1000")
    assert "Player 1 (light) wins in 1 move " in told


def test_analyse_tells_several_lines(capsys: pytest.CaptureFixture[str]) -> None:
    told = run_command(capsys, "analyse", "diam", "--depth", "2", "--lines", "3", "--json")
    lines = json.loads(told.splitlines()[-1])["lines"]
    assert len({line["line"][0] for line in lines}) == 3


@pytest.mark.process
def test_ctrl_c_ends_an_analysis_and_nothing_is_left() -> None:
    command = [*QUINCONCE, "analyse", "buts", "--seconds", "1000", "--threads", "2", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as analysis:
        assert analysis.stdout is not None
        analysis.stdout.readline()  # it is searching now
        analysis.send_signal(signal.SIGINT)
        assert analysis.wait(PATIENCE) == 130


@pytest.mark.process
@pytest.mark.long
def test_the_engine_needs_no_cache_folder(tmp_path: Path) -> None:
    """Broken or unwritable: it compiles again, without a word; `test_kernels` asks less of it."""
    (tmp_path / "file").write_text("in the way")
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "file"), "TMPDIR": str(tmp_path)}
    command = [*QUINCONCE, "analyse", "diadema", "--depth", "2", "--json"]
    done = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["value"] == "draw"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["analyse", "chess"], "there is no game 'chess'"),
        (["analyse", "diam", "--seconds", "nan"], "--seconds goes from 0.001 to"),
        (["analyse", "diam", "--depth", "0"], "--depth goes from 1"),
        (["analyse", "diam", "--nodes", "-5"], "--nodes goes from 1"),
        (["analyse", "diam", "--lines", "0"], "--lines goes from 1 to 64"),
        (["analyse", "diam", "--threads", "1000"], "--threads goes from 1 to 64"),
        (["analyse", "diam", "--depth", "two"], "two"),
        (["analyse", "diam", "--after", "r@1 m@1 r@5 m@5"], "the game is over"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
