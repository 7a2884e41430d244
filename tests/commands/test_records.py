"""`quinconce replay` and `quinconce check`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from command_line import run_command, run_refused

import quinconce
from quinconce import Match, Record, Seat

pytestmark = pytest.mark.usefixtures("in_english")


def saved(moves: str, path: str = "match.quinconce") -> str:
    match = Match(quinconce.game("diadema"))
    for text in moves.split():
        match.play(text)
    Record.of(match).save(Path(path))
    return path


def test_check_says_whether_a_record_holds(capsys: pytest.CaptureFixture[str]) -> None:
    file = saved("@A @D @1 @E @2 @F @C")
    held = run_command(capsys, "check", file)
    assert held == "Diädema: all moves are legal (7). Player 1 (light) wins: four on a line.\n"
    assert "goes on" in run_command(capsys, "check", saved("@A @D"))


def test_check_refuses_a_record_that_does_not_hold(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(saved("@A @D @1 @E @2 @F @C"))
    file.write_text(file.read_text().replace("@1 @E", "@1 @A"))
    assert "match.quinconce: line 10, move 4: " in run_refused(capsys, "check", str(file))


def test_check_turns_text_into_json_and_back(capsys: pytest.CaptureFixture[str]) -> None:
    file = saved("@A @D @1")
    twin = run_command(capsys, "check", file, "--json")
    Path("match.json").write_text(twin, encoding="utf-8")
    assert run_command(capsys, "check", "match.json", "--text") == Path(file).read_text(
        encoding="utf-8"
    )


def test_json_and_text_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "choose --json or --text" in run_refused(
        capsys, "check", saved("@A"), "--json", "--text"
    )


def test_a_file_that_is_not_text_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("noise").write_bytes(b"\xff\xfe\x00\x9f" * 50)
    assert "this is not text" in run_refused(capsys, "check", "noise")


def test_a_file_that_is_too_long_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("long").write_bytes(b"x" * 5_000_000)
    assert "longer than 4,000,000 bytes" in run_refused(capsys, "check", "long")


def test_a_pipe_is_refused_and_not_waited_for(capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    assert "not a regular file" in run_refused(capsys, "check", "pipe")


def test_a_name_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    match = Match(quinconce.game("diadema"))
    Record.of(match, [Seat("\x1b[31mred"), Seat("b")]).save(Path("red"))
    assert "\x1b" not in run_command(capsys, "replay", "red", "--at", "0")


def test_replay_draws_every_position_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_command(capsys, "replay", saved("@A @D @1"))
    assert shown.count("to move.") == 4
    assert shown.count("placed a dark ball on D · @D") == 1


def test_replay_shows_one_position(capsys: pytest.CaptureFixture[str]) -> None:
    file = saved("@A @D @1")
    assert run_command(capsys, "replay", file, "--at", "2") == run_command(
        capsys, "show", "diadema", "--after", "@A @D"
    )
    assert "--at is a number from 0 to 3" in run_refused(capsys, "replay", file, "--at", "4")


def test_replay_shows_how_a_match_ended_beside_the_board(
    capsys: pytest.CaptureFixture[str],
) -> None:
    match = Match(quinconce.game("diadema"))
    match.play("@A")
    match.resign(1)
    Record.of(match).save(Path("resigned"))
    assert "Player 1 (light) wins: resignation." in run_command(
        capsys, "replay", "resigned", "--at", "1"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "nowhere"], "nowhere: there is no such file or folder"),
        (["check", "."], ".: this is a folder"),
        (["check", "/dev/zero"], "/dev/zero: this is not a regular file"),
        (["replay", "nowhere"], "nowhere: there is no such file or folder"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
