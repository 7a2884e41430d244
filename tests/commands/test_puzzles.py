"""The command about puzzles: what it lists, how one solves, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run_refused

from quinconce.cli import main
from quinconce.core.registry import game
from quinconce.puzzles.puzzle import parse_puzzles, puzzles_for

PUZZLES = puzzles_for(game("diadema"))

pytestmark = pytest.mark.usefixtures("in_english")


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


@pytest.mark.slow
def test_new_ones_are_found_and_the_rest_of_the_file_is_kept(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["puzzles", "diam", "--mine", "2", "--seed", "5", "-O", "found.txt"])
    assert capsys.readouterr().out == "found.txt: 2 puzzles.\n"
    text = Path("found.txt").read_text()
    main(["puzzles", "diam", "-o", "edition=1997", "--mine", "1", "-O", "found.txt"])
    both = Path("found.txt").read_text()
    assert both.startswith(text)
    assert len(list(parse_puzzles("diam", both))) == 3
    main(["puzzles", "diam", "--mine", "2", "--seed", "5", "-O", "again.txt"])
    assert Path("again.txt").read_text() == text


def test_errors_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no game 'chess'" in run_refused(capsys, "puzzles", "chess")
    assert "from 1 to" in run_refused(capsys, "puzzles", "diadema", "--number", "0")
    assert "from 1 to" in run_refused(capsys, "puzzles", "diadema", "--number", "100000")
    assert "from 1 to 5" in run_refused(capsys, "puzzles", "diadema", "--grade", "6")
    assert "there is no such puzzle" in run_refused(
        capsys, "puzzles", "diadema", "--number", str(len(PUZZLES)), "--grade", "1"
    )
    assert "there are some for" in run_refused(capsys, "puzzles", "seega", "-o", "size=9")
    assert "go together" in run_refused(capsys, "puzzles", "diadema", "--mine", "3")
    assert "--mine goes from 1" in run_refused(
        capsys, "puzzles", "diadema", "--mine", "0", "-O", "f"
    )
    Path("bad.txt").write_text("nonsense\n")
    assert "bad.txt: line 1" in run_refused(
        capsys, "puzzles", "diadema", "--mine", "1", "-O", "bad.txt"
    )
    assert "no/where" in run_refused(
        capsys, "puzzles", "diadema", "--mine", "1", "-O", "no/where.txt"
    )
