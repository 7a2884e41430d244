"""`quinconce perft`."""

from __future__ import annotations

import signal

import pexpect
import pytest
from command_line import QUINCONCE, run_command, run_refused
from waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("in_english")


def test_perft_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(capsys, "perft", "diadema", "3") == "2912\n"
    assert run_command(capsys, "perft", "diadema", "3", "--rules") == "2912\n"
    assert run_command(capsys, "perft", "diadema", "0") == "1\n"
    split = run_command(capsys, "perft", "diam", "2", "-o", "edition=1997", "--split").split("\n")
    assert split[0] == "j@1 14"
    assert split[-2] == "224"
    assert len(split) == 18


def test_perft_ignores_what_looks_back_also_in_the_moves_before(
    capsys: pytest.CaptureFixture[str],
) -> None:
    drawn = "G2-G1 B1-A1 G1-G2 A1-B1 G2-G1 B1-A1 G1-G2 A1-B1"
    assert run_command(capsys, "perft", "buts", "1", "--after", drawn) == "46\n"


@pytest.mark.process
def test_a_long_count_is_ended_by_ctrl_c() -> None:
    child = pexpect.spawn(
        QUINCONCE[0], [*QUINCONCE[1:], "perft", "diadema", "12"], encoding="utf-8", timeout=PATIENCE
    )
    child.expect("perft")  # the bar is there
    child.sendintr()
    child.expect(pexpect.EOF)
    assert "Traceback" not in (child.before or "")
    child.close()
    assert child.signalstatus == signal.SIGINT  # by the system: compiled code does not look


def test_perft_of_a_finished_game_is_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(capsys, "perft", "diadema", "2", "--after", "@A @D @1 @E @2 @F @C") == "0\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["perft", "diam"], "Missing argument 'DEPTH'"),
        (["perft", "diam", "x"], "DEPTH is a number from 0 to 100, not 'x'"),
        (["perft", "diam", "-1"], "No such option"),
        (["perft", "diam", "101"], "DEPTH is a number from 0 to 100"),
        (["perft", "diam", "1_0"], "DEPTH is a number from 0 to 100"),
        (["perft", "diam", "1", "2"], "unexpected extra argument"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
