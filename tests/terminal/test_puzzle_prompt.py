"""The prompt of puzzles: solving, commands, the last puzzle."""

from __future__ import annotations

import pytest
from command_line import type_lines

from quinconce.cli import main
from quinconce.core.registry import game
from quinconce.puzzles.puzzle import puzzles_for

pytestmark = pytest.mark.usefixtures("in_english")


PUZZLES = puzzles_for(game("diadema"))


def test_puzzles_are_solved_one_after_the_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = PUZZLES[0]
    wrong = next(text for text in first.match().legal() if text != first.line[0])
    mine = first.line[::2]
    type_lines(
        monkeypatch, "", "nonsense", "moves", wrong, mine[0], "show", "retry", *mine, "solution"
    )
    main(["puzzles", "diadema"])
    shown = capsys.readouterr().out
    assert f"Puzzle 1, grade 1 ({first.id})" in shown
    assert ". Win in 2 moves." in shown
    assert "not a move of this game" in shown
    assert "That lets the win slip." in shown
    assert f"Well seen! The opponent plays {first.line[1]}." in shown
    assert "Solved!" in shown
    assert f"Puzzle 2, grade 1 ({PUZZLES[1].id})" in shown
    assert f"The solution: {' '.join(PUZZLES[1].line)}" in shown
    assert "No other first move wins." in shown or "Every other first move loses." in shown


def test_after_the_last_puzzle_one_leaves(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    type_lines(monkeypatch, "next", "never read")
    main(["puzzles", "diadema", "--number", str(len(PUZZLES))])
    assert capsys.readouterr().out.rstrip().endswith("That was the last puzzle.")
    type_lines(monkeypatch, "help", "quit", "never read")
    main(["puzzles", "diadema", "--grade", "2"])
    assert ", grade 2 (" in capsys.readouterr().out


def test_one_may_type_in_french(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "fr")
    type_lines(monkeypatch, "suivant", "quitter", "never read")
    main(["puzzles", "diadema"])
    shown = capsys.readouterr().out
    assert "Problème 2, difficulté 1" in shown
    assert "de gagner en 2 coups" in shown
