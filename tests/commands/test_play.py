"""`quinconce play`: its seats, its files, and how it refuses."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from command_line import run_command, run_refused, type_lines

from quinconce import Outcome
from quinconce.core.record import read_record

pytestmark = pytest.mark.usefixtures("in_english")


def test_engines_play_each_other_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    told = run_command(
        capsys,
        "play",
        "diam",
        *("--seat", "1=engine:3", "--seat", "2=engine:1", "--seed", "5", "--save", "kept.json"),
    )
    assert "Engine (level 3, red and orange)" in told
    kept = json.loads(Path("kept.json").read_text(encoding="utf-8"))
    assert [(seat["level"], seat["seed"]) for seat in kept["seats"]] == [(3, 5), (1, 5)]
    assert kept["result"] != "*"


SCRIPT = str(Path(__file__).parents[1] / "ugi_script.py")


def script(manner: str, argument: str = "") -> str:
    """The seat of a program that behaves in a manner."""
    return "ugi:" + shlex.join([sys.executable, SCRIPT, manner, argument])


@pytest.mark.process
def test_a_program_plays_in_a_seat(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("book").write_text("@A @D @1 @E @2 @F @C\n", encoding="utf-8")
    type_lines(monkeypatch, "@A", "@1", "undo", "@1", "@2", "@C")
    seat = script("good", "book")
    told = run_command(capsys, "play", "diadema", "--seat", f"2={seat}", "--save", "kept")
    assert "The Script placed a dark ball on D" in told
    assert "You won" in told
    text = Path("kept").read_text(encoding="utf-8")
    assert '[Seat1 "The Script"]' in text
    assert "ugi" not in text  # a record names no command: it would be run by who resumes it


@pytest.mark.process
def test_a_record_is_resumed_with_a_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("book").write_text("@A @D @1 @E @2 @F @C\n", encoding="utf-8")
    type_lines(monkeypatch, "@A", "quit")
    run_command(capsys, "play", "diadema", "--save", "kept")
    type_lines(monkeypatch, "@1", "quit")
    told = run_command(capsys, "play", "--resume", "kept", "--seat", "2=" + script("good", "book"))
    assert read_record(Path("kept").read_text())[0].moves == ("@A", "@D", "@1", "@E")
    command = " ".join(told.partition("Resume with:")[2].split())  # printed over several lines
    type_lines(monkeypatch, "@2", "quit")
    run_command(capsys, *shlex.split(command)[1:])  # as it is told, the program goes on, too
    assert len(read_record(Path("kept").read_text())[0].moves) == 6


@pytest.mark.process
@pytest.mark.parametrize(
    ("manner", "argument", "said"),
    [
        ("illegal", "e2e4", "The Script played 'e2e4': that is not legal."),
        ("crash", "", "it ended by itself (code 3): IndexError: nothing there."),
    ],
)
def test_what_a_program_does_wrong_is_told_and_loses(
    capsys: pytest.CaptureFixture[str], manner: str, argument: str, said: str
) -> None:
    seat = script(manner, argument)
    told = run_command(capsys, "play", "diam", "--seat", f"1={seat}", "--save", "kept")
    assert said in told
    assert read_record(Path("kept").read_text())[0].outcome == Outcome((1,), "resignation")


@pytest.mark.process
def test_a_program_does_not_agree_to_stop(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("book").write_text("@A @D\n", encoding="utf-8")
    type_lines(monkeypatch, "draw", "y", "@A", "quit")
    seat = script("good", "book")
    assert "The game goes on." in run_command(capsys, "play", "diadema", "--seat", f"2={seat}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play"], "name a game, or a record"),
        (["play", "chess"], "there is no game 'chess'"),
        (["play", "diam", "--seat", "3=Eve"], "'3=Eve' is not like N=NAME with N among 1, 2"),
        (["play", "diam", "--seat", "Eve"], "'Eve' is not like N=NAME"),
        (["play", "diam", "--seat", "1=a", "--seat", "1=b"], "player 1 is named twice"),
        (["play", "diam", "--seat", "1=\udcff"], "is not a name"),
        (["play", "diam", "--save", ""], "there is a file already"),
        (["play", "diam", "--resume", "nowhere"], "give nothing else"),
        (["play", "--resume", "nowhere"], "nowhere: there is no such file or folder"),
        (["play", "diam", "--seat", "1=engine:11"], "is not a level"),
        (["play", "diam", "--seat", "1=engine:strong"], "'strong' is not a level"),
        (["play", "diam", "--seat", "1=ugi:no-such-program"], "there is no program"),
        (["play", "diam", "--seat", "3=ugi:python3"], "is not like N=NAME"),
        (["play", "diam", "--seat", "1=ugi:python3", "--seat", "1=Eve"], "named twice"),
        (["play", "diam", "--resume", "nowhere", "--seat", "1=ugi:python3"], "give nothing else"),
        (
            ["play", "diam", "-o", "edition=1997", "-o", "players=4", "--seat", "1=ugi:python3"],
            "UGI knows two sides",
        ),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
