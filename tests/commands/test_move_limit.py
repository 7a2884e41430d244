"""A position with more moves than can be listed, at the command line: refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run_command, run_in_french, run_refused, type_lines
from many_moves import BEFORE_MANY, LEADS_TO_MANY, MANY, OPTIONS

import quinconce
from quinconce.core.record import Record

pytestmark = pytest.mark.usefixtures("in_english")
GAME = ("seega", "-o", "size=9")
COUNTED = "this position has too many moves: 4,097 were counted before the count stopped"


@pytest.mark.parametrize(
    "command", ["moves", "position", "result", "show", "analyse", "draw", "play", "perft"]
)
def test_every_command_refuses_it_and_says_how_many_it_counted(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    more = ("1",) if command == "perft" else ()
    assert COUNTED in run_refused(capsys, command, *GAME, "--position", MANY, *more)


@pytest.mark.process
def test_in_french() -> None:
    done = run_in_french("moves", *GAME, "--position", MANY)
    assert (done.returncode, done.stdout) == (2, "")
    assert "trop de coups" in done.stderr


def test_a_record_that_starts_there_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = quinconce.game("seega", **OPTIONS)
    file = tmp_path / "many.quinconce"
    Record(rules, start=rules.read(MANY)).save(file)
    assert COUNTED in run_refused(capsys, "replay", str(file))


def test_a_match_that_comes_there_is_shown_but_not_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = ("--position", BEFORE_MANY, "--after", LEADS_TO_MANY)
    assert COUNTED in run_refused(capsys, "moves", *GAME, *line)
    assert '"over": false' in run_command(capsys, "result", *GAME, *line)


def test_a_match_that_comes_there_is_played_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = quinconce.game("seega", **OPTIONS)
    after = rules.after(rules.read(BEFORE_MANY), LEADS_TO_MANY)
    reply = next(text for text, _after in rules.moves(after))
    type_lines(monkeypatch, LEADS_TO_MANY, "moves", reply, "quit")
    printed = " ".join(run_command(capsys, "play", *GAME, "--position", BEFORE_MANY).split())
    assert COUNTED in printed
    assert "No:" not in printed
