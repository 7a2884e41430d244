"""The command about puzzles: what it lists, how one solves, and how it refuses."""

from __future__ import annotations

import builtins
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import refused

from quinconce.cli import main
from quinconce.core.registry import game
from quinconce.puzzles.puzzle import puzzles, read

PUZZLES = puzzles(game("diadema"))

pytestmark = pytest.mark.usefixtures("in_english")


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Somebody types these lines, and then no more."""
    waiting: Iterator[str] = iter(lines)

    def answer(_prompt: str = "") -> str:
        for line in waiting:
            return line
        raise EOFError

    monkeypatch.setattr(builtins, "input", answer)


def test_puzzles_are_solved_one_after_the_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = PUZZLES[0]
    wrong = next(text for text in first.match().legal() if text != first.line[0])
    mine = first.line[::2]
    typed(monkeypatch, "", "nonsense", "moves", wrong, mine[0], "show", "retry", *mine, "solution")
    main(["puzzles", "diadema"])
    shown = capsys.readouterr().out
    assert f"Puzzle 1, grade 1 ({first.id})" in shown
    assert "to move wins in 2 moves." in shown
    assert "not a move of this game" in shown
    assert "This does not win any more." in shown
    assert f"Right. The reply is {first.line[1]}." in shown
    assert "Solved!" in shown
    assert f"Puzzle 2, grade 1 ({PUZZLES[1].id})" in shown
    assert f"The solution: {' '.join(PUZZLES[1].line)}" in shown
    assert "No other first move wins." in shown or "Every other first move loses." in shown


def test_after_the_last_puzzle_one_leaves(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "next", "never read")
    main(["puzzles", "diadema", "--number", str(len(PUZZLES))])
    assert capsys.readouterr().out.rstrip().endswith("That was the last puzzle.")
    typed(monkeypatch, "help", "quit", "never read")
    main(["puzzles", "diadema", "--grade", "2"])
    assert ", grade 2 (" in capsys.readouterr().out


def test_one_may_type_in_french(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "fr")
    typed(monkeypatch, "suivant", "quitter", "never read")
    main(["puzzles", "diadema"])
    shown = capsys.readouterr().out
    assert "Problème 2, niveau 1" in shown
    assert "joue et gagne en 2 coups" in shown


def test_they_are_listed_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    main(["puzzles", "diadema", "--list", "--grade", "3"])
    lines = capsys.readouterr().out.splitlines()
    third = [puzzle for puzzle in PUZZLES if puzzle.grade == 3]
    assert len(lines) == len(third)
    assert third[0].id in lines[0]
    main(["puzzles", "diam", "-o", "edition=1997", "--json", "--number", "7"])
    told = json.loads(capsys.readouterr().out)
    assert told[0]["number"] == 7
    assert told[0]["options"] == {"edition": "1997", "players": "2"}
    assert len(told[0]["solution"]) == told[0]["plies"]


def test_a_seed_repeats_its_order(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for seed in ("1", "1", "2"):
        main(["puzzles", "diadema", "--list", "--seed", seed])
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != shown[2]


def test_new_ones_are_found_and_the_rest_of_the_file_is_kept(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["puzzles", "diam", "--mine", "2", "--seed", "5", "-O", "found.txt"])
    assert capsys.readouterr().out == "found.txt: 2 puzzles.\n"
    text = Path("found.txt").read_text()
    main(["puzzles", "diam", "-o", "edition=1997", "--mine", "1", "-O", "found.txt"])
    both = Path("found.txt").read_text()
    assert both.startswith(text)
    assert len(list(read("diam", both))) == 3
    main(["puzzles", "diam", "--mine", "2", "--seed", "5", "-O", "again.txt"])
    assert Path("again.txt").read_text() == text


def test_errors_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no game 'chess'" in refused(capsys, "puzzles", "chess")
    assert "from 1 to" in refused(capsys, "puzzles", "diadema", "--number", "0")
    assert "from 1 to" in refused(capsys, "puzzles", "diadema", "--number", "100000")
    assert "from 1 to 5" in refused(capsys, "puzzles", "diadema", "--grade", "6")
    assert "there is no such puzzle" in refused(
        capsys, "puzzles", "diadema", "--number", str(len(PUZZLES)), "--grade", "1"
    )
    assert "there are some for" in refused(capsys, "puzzles", "seega", "-o", "size=9")
    assert "go together" in refused(capsys, "puzzles", "diadema", "--mine", "3")
    assert "--mine goes from 1" in refused(capsys, "puzzles", "diadema", "--mine", "0", "-O", "f")
    Path("bad.txt").write_text("nonsense\n")
    assert "bad.txt: line 1" in refused(
        capsys, "puzzles", "diadema", "--mine", "1", "-O", "bad.txt"
    )
    assert "no/where" in refused(capsys, "puzzles", "diadema", "--mine", "1", "-O", "no/where.txt")
