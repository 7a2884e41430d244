"""Other programs in a seat of ours: good ones, and all ways to fail."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest
from moves import match_after

import quinconce
from quinconce.bridges.time_control import MatchClock, TimeControl
from quinconce.bridges.ugi_program import UgiProgram, split_command
from quinconce.engine.match_runner import ForfeitError

pytestmark = pytest.mark.process

SCRIPT = str(Path(__file__).parents[1] / "ugi_script.py")
GAME = quinconce.game("diam")
LONG, SHORT = TimeControl(600.0), TimeControl(0.05, lag=0.05)  # seconds
Start = Callable[..., UgiProgram]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start the script, which behaves in a manner; it is ended at last."""
    with ExitStack() as at_last:

        def run(manner: str, argument: str = "", patience: float | None = None) -> UgiProgram:
            command = [sys.executable, SCRIPT, manner, argument]
            program = UgiProgram(command, patience=patience)
            at_last.callback(program.kill)
            return program

        yield run


@pytest.fixture
def book(tmp_path: Path) -> str:
    """A file of moves that the script plays."""
    path = tmp_path / "book"
    path.write_text("r@1 m@1 r@2 m@2\n", encoding="utf-8")
    return str(path)


def test_a_good_program_is_told_the_game_and_asked_for_its_moves(
    start: Start, book: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UGI_SCRIPT_LOG", str(tmp_path / "log"))
    program = start("good", book)
    assert program.name == "The Script"
    program.start_match(GAME)
    clock = MatchClock(LONG)
    match = match_after("diam", "")
    for expected in ("r@1", "m@1", "r@2"):
        assert program.move(match, clock) == expected
        match.play(expected)
    program.close()
    assert [side.moves for side in clock.sides] == [2, 1]
    assert all(side.used > 0 for side in clock.sides)
    log = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    assert log[:4] == ["ugi", "setoption name EDITION value 2003", "isready", "uginewgame"]
    assert "position startpos moves r@1 m@1" in log
    assert "go movetime 600000" in log


def test_an_answer_that_was_given_twice_counts_once(start: Start, book: str) -> None:
    program = start("twice", book)
    program.start_match(GAME)
    match = match_after("diam", "")
    for expected in ("r@1", "m@1", "r@2"):
        assert program.move(match, MatchClock(LONG)) == expected
        match.play(expected)


def test_garbage_before_the_answer_is_passed_over(start: Start, book: str) -> None:
    program = start("garbage", book)
    program.start_match(GAME)
    assert program.move(match_after("diam", ""), MatchClock(LONG)) == "r@1"


@pytest.mark.parametrize(
    ("manner", "argument", "kind", "said"),
    [
        ("illegal", "m@1", "illegal", "The Script played 'm@1': that is not legal"),
        ("illegal", "0000", "illegal", "The Script played '0000': that is not legal"),
        ("illegal", "x" * 5000, "illegal", "that is not legal"),
        ("crash", "", "crash", "failed: it ended by itself (code 3): IndexError: nothing there"),
        ("vanish", "", "crash", "The Script failed"),
    ],
)
def test_what_a_program_does_wrong_is_told(
    start: Start, manner: str, argument: str, kind: str, said: str
) -> None:
    program = start(manner, argument)
    program.start_match(GAME)
    with pytest.raises(ForfeitError) as failed:
        program.move(match_after("diam", ""), MatchClock(LONG))
    assert failed.value.kind == kind
    assert said in str(failed.value.why)
    assert len(str(failed.value.why)) < 200


@pytest.mark.parametrize("manner", ["slow", "flood", "slow-to-read"])
def test_a_program_that_gives_no_move_runs_out_of_time(start: Start, manner: str) -> None:
    program = start(manner)
    program.start_match(GAME)
    clock = MatchClock(SHORT)
    with pytest.raises(ForfeitError, match="The Script was out of time") as late:
        program.move(match_after("diam", ""), clock)
    assert late.value.kind == "time"
    assert clock.sides[0].used >= clock.limit(0)


def test_a_program_that_is_silent_from_the_first_is_ended(start: Start) -> None:
    with pytest.raises(ForfeitError, match="it does not answer: no ugiok"):
        start("mute", patience=0.1)


def test_a_program_that_is_never_ready_is_ended(start: Start) -> None:
    program = start("never-ready")
    program.ready_seconds = 0.1
    with pytest.raises(ForfeitError, match="it does not answer: no readyok"):
        program.start_match(GAME)


def test_a_program_that_does_not_start_is_told() -> None:
    with pytest.raises(ForfeitError, match="cannot be started"):
        UgiProgram(["/dev/null"])
    with pytest.raises(ForfeitError, match="it ended by itself"):
        UgiProgram([sys.executable, "-c", "pass"])


def test_a_program_that_does_not_leave_is_killed(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quinconce.bridges.ugi_program.END_SECONDS", 0.1)
    program = start("stubborn")
    program.close()
    assert not psutil.pid_exists(program.process.pid)


@pytest.mark.parametrize("command", ["", "   ", "no-such-program --x", "'half"])
def test_a_command_that_is_none_is_refused(command: str) -> None:
    with pytest.raises(ValueError, match="there is no program"):
        split_command(command)
