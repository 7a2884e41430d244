"""The prompt of lessons: right, wrong and refused moves, commands, the last step."""

from __future__ import annotations

import pytest
from command_line import run_refused, type_lines

import quinconce
from quinconce.cli import main
from quinconce.study.lesson_files import lessons_of, steps_of, words_of_lessons

pytestmark = pytest.mark.usefixtures("in_english")


@pytest.mark.slow
@pytest.mark.parametrize("name", quinconce.names())
def test_all_lessons_are_taken_to_the_end(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [line for step in steps_of(name).values() for line in (step.answer, "")]
    type_lines(monkeypatch, *answers[:-1], "never read")
    main(["learn", name])
    shown = " ".join(capsys.readouterr().out.split())
    for words in words_of_lessons(name, "en").steps.values():
        for text in (words.text, words.task, words.done):
            assert " ".join(text.split()) in shown
    assert shown.endswith("That was the last step.")


def test_a_wrong_move_gets_the_hint_and_an_illegal_one_the_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["r@6", "9", "2.1-3", "moves", "solution", "R@5", "", "back", "retry", "next", "quit"]
    type_lines(monkeypatch, "", *lines, "never read")
    main(["learn", "diam", "parry"])
    shown = capsys.readouterr().out
    assert "The basics, 11 of 12: See the threat (parry)" in shown
    assert "Player 2 (brown and black) would win with m@5." in shown
    assert "Cover cell 5" in shown
    assert "not a move of this game" in shown
    assert "No: there is no pawn at 2.1" in shown
    assert "For example r@5." in shown
    assert "Well parried" in shown
    assert shown.count("See the threat (parry)") == 3
    assert shown.count("Two threats at once (fork)") == 2


def test_one_may_type_in_french(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "fr")
    type_lines(monkeypatch, "suivant", "retour", "solution", "quitter", "never read")
    main(["learn", "seega"])
    shown = capsys.readouterr().out
    assert "Les bases, 1 sur 12\u00a0: Deux par deux (place)" in shown
    assert "Par exemple @b2+d4." in shown


def test_lessons_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["learn", "buts", "--list"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "The basics"
    assert lines[1].split() == ["slide", "At", "home"]
    assert len(lines) == len(lessons_of("buts")) + len(steps_of("buts"))


def test_errors_are_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no game 'chess'" in run_refused(capsys, "learn", "chess")
    assert "there is no step 'fly'" in run_refused(capsys, "learn", "diam", "fly")
    monkeypatch.setattr("quinconce.commands.learn.steps_of", lambda _name: {})
    assert "no lessons for this game yet" in run_refused(capsys, "learn", "diam")
