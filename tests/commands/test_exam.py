"""`quinconce exam`: a level, or a scripted command that answers questions in words."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import run_command, run_refused

import quinconce
from quinconce import Match
from quinconce.bridges.exam import questions
from quinconce.commands.exam import MOST_BYTES, parse_answer, question_text, run_asked, spread
from quinconce.words import Voice

pytestmark = pytest.mark.usefixtures("in_english")

# Answers with the first right move of the question's position, wrapped as models do.
SCRIPT = """
import sys
from quinconce import game
from quinconce.bridges.exam import questions
text = sys.stdin.read()
for question in questions(game("diadema")):
    if question.game.write(question.position) in text:
        print("Let me think about it.", f"**{min(question.right).upper()}**", "", sep="\\n")
"""


def script(tmp_path: Path, text: str) -> str:
    file = tmp_path / "answers.py"
    file.write_text(text, encoding="utf-8")
    return shlex.join([sys.executable, str(file)])


def test_a_question_has_the_rules_the_position_and_no_list_of_moves() -> None:
    question = questions(quinconce.game("diam"))[0]
    match = Match(question.game, question.position)
    text = question_text(Voice("en"), match)
    assert Voice("en").rules_text("diam") in text
    assert question.game.write(question.position) in text
    assert "edition=2003" in text
    listed = [move for move in match.legal() if f" {move} " in text.replace("\n", " ")]
    assert len(listed) < len(match.legal()) / 2, "the rules name a few as examples"
    assert "Quel coup" in question_text(Voice("fr"), match)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("@a", "@A"),
        ("I would place a ball.\n\n  `@A`.\n\n", "@A"),
        ("**@ a**", "@A"),
        ("@A because it wins", "@Abecauseitwins"),
        ("", ""),
        ("castle", "castle"),
        ("x" * 9999, "x" * 400),
    ],
)
def test_an_answer_is_the_last_line_that_says_anything(text: str, move: str) -> None:
    assert parse_answer(Match(quinconce.game("diadema")), text) == move


def test_some_questions_are_spread_over_all() -> None:
    asked = questions(quinconce.game("diadema"))
    assert spread(asked, None) == spread(asked, 9999) == asked
    some = spread(asked, 24)
    assert len(some) == len(set(some)) == 24
    assert {each.value for each in some} == {"win", "draw"}


@pytest.mark.process
def test_a_command_that_knows_the_answers_keeps_every_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = script(tmp_path, SCRIPT)
    printed = run_command(
        capsys, "exam", "diadema", "--answers", command, "--questions=3", "--json"
    )
    report: dict[str, Any] = json.loads(printed)
    assert report["total"] | {"interval": 0} == {
        "right": 3,
        "asked": 3,
        "illegal": 0,
        "share": 1.0,
        "interval": 0,
    }
    assert all(answer["answer"] in answer["right"] for answer in report["answers"])


@pytest.mark.process
def test_answers_that_are_no_moves_are_counted_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = script(tmp_path, "print('castle')")
    printed = run_command(capsys, "exam", "diadema", "--answers", command, "--questions=2")
    assert "not legal" in printed
    rows = [line.split() for line in printed.splitlines()]
    assert rows[1][:4] == ["all", "2", "0", "0%"]
    assert rows[1][-1] == "2"


@pytest.mark.process
def test_a_command_that_takes_too_long_has_not_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = script(tmp_path, "import threading; threading.Event().wait()")
    limits = ("--questions=1", "--seconds=0.1", "--json")
    printed = run_command(capsys, "exam", "diadema", "--answers", command, *limits)
    assert json.loads(printed)["total"]["illegal"] == 1


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("import sys; sys.stdout.buffer.write(bytes(range(256)))", None),
        ("print('x' * 30_000_000); print('@A')", "@A"),
        ("print('castle', end='')", "castle"),
        # What it has started keeps its output open.
        (
            "import subprocess, sys\n"
            "code = 'import threading; threading.Event().wait()'\n"
            "print('@A', flush=True)\n"
            "subprocess.Popen([sys.executable, '-c', code])",
            "@A",
        ),
    ],
    ids=["binary", "long", "no line", "a child"],
)
def test_whatever_a_command_writes_its_end_is_the_answer(
    tmp_path: Path, text: str, answer: str | None
) -> None:
    status, written, errors = run_asked(shlex.split(script(tmp_path, text)), "?" * 999_999, 100)
    assert (status, errors) == (0, "")
    assert len(written) <= MOST_BYTES
    move = parse_answer(Match(quinconce.game("diadema")), written)
    assert move == answer or answer is None


@pytest.mark.process
def test_a_command_that_never_stops_writing_is_ended(tmp_path: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run_asked(shlex.split(script(tmp_path, "while True: print('@A' * 1000)")), "?", 0.5)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["diadema"], "either --answers or --level"),
        (["diadema", "--level=3", "--answers=cat"], "either --answers or --level"),
        (["chess", "--level=3"], "there is no game"),
        (["buts", "--level=3"], "there is no exam"),
        (["diadema", "--level=11"], "level"),
        (["diadema", "--level=3", "--questions=0"], "--questions"),
        (["diadema", "--answers=/no/such/command"], "cannot be run"),
        (["diadema", "--answers="], "'' is not a command"),
        (["diadema", "--answers=   "], "not a command"),
        (["diadema", "--answers='"], "not a command"),
        (["diadema", "--answers=false", "--questions=1"], "failed"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    assert why in run_refused(capsys, "exam", *arguments)
