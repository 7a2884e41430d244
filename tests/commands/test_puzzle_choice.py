"""Puzzles chosen in the terminal: that of the day, those of a theme, and hints."""

from __future__ import annotations

import json

import pytest
from command_line import run_refused, type_lines

from quinconce.cli import main
from quinconce.core.registry import game
from quinconce.puzzles.puzzle import daily_puzzle, puzzles_for, today
from quinconce.puzzles.themes import themes_of

pytestmark = pytest.mark.usefixtures("in_english")
FIRST = puzzles_for(game("diadema"))[0]


@pytest.mark.parametrize("edition", ["2003", "1997"])
def test_the_puzzle_of_the_day_is_one(edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    day = today()
    main(["puzzles", "diam", "-o", f"edition={edition}", "--today", "--json"])
    (told,) = json.loads(capsys.readouterr().out)
    rules = game("diam", edition=edition)
    expected = [daily_puzzle(rules, date) for date in (day, today())]  # midnight may have passed
    assert told["id"] in [puzzle.id for puzzle in expected if puzzle]
    assert puzzles_for(rules)[told["number"] - 1].id == told["id"]


def test_the_puzzle_of_the_day_is_solved_like_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    type_lines(monkeypatch, "next", "never read")
    main(["puzzles", "diadema", "--today"])
    assert "That was the last puzzle." in capsys.readouterr().out


def test_puzzles_are_chosen_by_theme(capsys: pytest.CaptureFixture[str]) -> None:
    main(["puzzles", "diadema", "--theme", "save", "--grade", "2", "--json"])
    told = json.loads(capsys.readouterr().out)
    wanted = [
        each.id
        for each in puzzles_for(game("diadema"))
        if each.grade == 2 and "save" in themes_of(each)
    ]
    assert [each["id"] for each in told] == wanted
    assert wanted


def test_what_cannot_be_chosen_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "stands alone" in run_refused(capsys, "puzzles", "diam", "--today", "--grade", "2")
    assert "no puzzles" in run_refused(capsys, "puzzles", "seega", "-o", "size=9", "--today")
    assert "no such puzzle" in run_refused(capsys, "puzzles", "buts", "--theme", "captures")
    assert "--theme" in run_refused(capsys, "puzzles", "buts", "--theme", "magic")


def test_a_hint_says_where_the_move_begins_and_a_wrong_move_is_refuted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = next(text for text in FIRST.match().legal() if text != FIRST.line[0])
    type_lines(monkeypatch, "hint", wrong, "quit")
    main(["puzzles", "diadema"])
    shown = capsys.readouterr().out
    (place,) = FIRST.game.touches(FIRST.line[0])[0]
    assert f"The move begins here: {place}" in shown
    assert f"After {wrong} the opponent plays" in shown
