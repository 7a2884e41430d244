"""`quinconce replay` and `quinconce check`."""

from __future__ import annotations

import os
from pathlib import Path

import pexpect
import pytest
from command_line import run_command, run_refused, spawn_in_terminal, type_lines

import quinconce
from quinconce import Match, Record, Seat, Variations
from quinconce.cli import main

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


def annotated() -> str:
    """A record with a note, a mark, and a variation in a variation."""
    match = Match(quinconce.game("diadema"))
    for text in ("@A", "@D", "@1"):
        match.play(text)
    tree = Variations.of(match)
    tree.root.note = "before the first move"
    first, second, _third = tree.main_line()
    second.mark, second.note = "?", "too slow"
    other = tree.play(first, "@E")
    tree.play(other, "@F", "@G")
    tree.play(other, "@B")
    Record.of(match, variations=tree).save(Path("annotated"))
    return "annotated"


def test_check_counts_variations_and_notes(capsys: pytest.CaptureFixture[str]) -> None:
    file = annotated()
    held = (
        "Diädema: all moves are legal (3 played, 4 in 2 variations, 2 notes). The match goes on.\n"
    )
    assert run_command(capsys, "check", file) == held
    Path("twin.json").write_text(run_command(capsys, "check", file, "--json"), encoding="utf-8")
    assert run_command(capsys, "check", "twin.json") == held
    text = run_command(capsys, "check", "twin.json", "--text")
    assert text == Path(file).read_text(encoding="utf-8")
    Path(file).write_text(text.replace("@G", "@A"))
    assert "line 12, move 4: " in run_refused(capsys, "check", file)


def test_replay_shows_notes_and_where_variations_begin(capsys: pytest.CaptureFixture[str]) -> None:
    file = annotated()
    shown = run_command(capsys, "replay", file)
    assert "before the first move" in shown
    assert "@D ? too slow" in shown
    assert shown.count("Variation 1: @E @F @G") == 1
    assert "Variation 2" not in shown
    assert shown.count("to move.") == 4


def test_a_note_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    tree = Variations(quinconce.game("diadema"), note="\x1b[31mred")
    Record.of(Match(tree.game), variations=tree).save(Path("red"))
    assert "\x1b" not in run_command(capsys, "replay", "red")


def test_replay_steps_into_a_variation(capsys: pytest.CaptureFixture[str]) -> None:
    file = annotated()
    shown = run_command(capsys, "replay", file, "--variation", "1")
    assert shown.count("to move.") == 5
    assert shown.count("Left for this variation: @D @1") == 1
    assert shown.count("Variation 2: @B") == 1
    at_end = run_command(capsys, "replay", file, "--variation", "2", "--at", "3")
    assert at_end == run_command(capsys, "show", "diadema", "--after", "@A @E @B")
    for wrong in ("0", "3", "x"):
        said = run_refused(capsys, "replay", file, "--variation", wrong)
        assert "--variation is a number from 1 to 2" in said
    assert "no variations" in run_refused(capsys, "replay", saved("@A"), "--variation", "1")
    assert "from 0 to 3" in run_refused(capsys, "replay", file, "--at", "4")


@pytest.mark.process
def test_in_a_terminal_v_goes_on_with_another_variation() -> None:
    child = spawn_in_terminal("replay", annotated())
    child.expect("0 of 3: .* q to leave")
    child.send("n")
    child.expect("1 of 3: .*v for another variation")
    child.send("v")
    child.expect("Left for this variation")
    child.expect("1 of 4: ")
    child.send("n")
    child.expect("2 of 4: ")
    child.send("p")
    child.expect("1 of 4: ")
    child.send("v")
    child.expect("1 of 3: ")
    child.send("q")
    child.expect(pexpect.EOF)


def test_a_record_that_is_played_on_keeps_its_variations(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = annotated()
    type_lines(monkeypatch, "@2", "quit", "y")
    main(["play", "--resume", file])
    capsys.readouterr()
    kept = Record.read(Path(file).read_text(encoding="utf-8"))
    assert kept.moves == ("@A", "@D", "@1", "@2")
    assert kept.variations is not None
    assert len(kept.variations.branches()) == 2
