"""`quinconce position`, `moves`, `result` and `show`."""

from __future__ import annotations

import json

import pytest
from command_line import run_command, run_refused

pytestmark = pytest.mark.usefixtures("in_english")


def test_moves_are_listed_one_a_line_in_plain_order(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run_command(capsys, "moves", "buts").split("\n")
    assert lines.pop() == ""
    assert lines == sorted(lines)
    assert len(lines) == 46
    moves = run_command(
        capsys, "moves", "diam", "-o", "edition=1997", "-o", "players=4", "--after", "r@1"
    )
    assert moves.split() == [f"j@{cell}" for cell in range(2, 9)]


def test_no_moves_are_listed_when_the_game_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    won = "@A @D @1 @E @2 @F @C"
    assert run_command(capsys, "moves", "diadema", "--after", won) == ""
    drawn = "G2-G1 B1-A1 G1-G2 A1-B1 G2-G1 B1-A1 G1-G2 A1-B1"
    assert run_command(capsys, "moves", "buts", "--after", drawn) == ""


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        (["diadema"], {"over": False, "winners": [], "reason": None}),
        (
            ["diadema", "--after", "@A @D @1 @E @2 @F @C"],
            {"over": True, "winners": [0], "reason": "line"},
        ),
        (
            ["buts", "--after", "G2-G1 B1-A1 G1-G2 A1-B1 G2-G1 B1-A1 G1-G2 A1-B1"],
            {"over": True, "winners": [], "reason": "repetition"},
        ),
        (
            [
                "diam",
                "-o",
                "players=3",
                "--after",
                "m@1",
                "--position",
                "r.../..../..../..../rm../..../..../.... turn=1",
            ],
            {"over": True, "winners": [1, 2], "reason": "diam"},
        ),
    ],
)
def test_result_is_json(
    capsys: pytest.CaptureFixture[str], arguments: list[str], result: dict[str, object]
) -> None:
    assert json.loads(run_command(capsys, "result", *arguments)) == result


def test_position_is_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    text = run_command(capsys, "position", "seega", "--after", "@a1+a2 @b1+b2").strip()
    assert text == "...../...../...../wb.../wb... turn=0 phase=1 duty=0"
    assert run_command(capsys, "position", "seega", "--position", text).strip() == text


def test_typed_moves_are_forgiven(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(capsys, "position", "buts", "--after", "g6-e4") == run_command(
        capsys, "position", "buts", "--after", "G6^E4"
    )


def test_show_draws_pieces_marks_and_turn(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_command(capsys, "show", "diam", "--after", "r@1 m@1")
    assert "(r)" in shown
    assert "(m)" in shown
    assert "Player 1 (red and orange) to move" in shown
    assert "reserve of Player 2 (brown and black): m m m   n n n n" in shown
    shown = run_command(capsys, "show", "diadema", "--after", "@A @D @1 @E @2 @F @C")
    assert "Player 1 (light) wins: four on a line" in shown


def test_a_narrow_terminal_crops_the_board_and_wraps_the_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    lines = run_command(capsys, "show", "diam").split("\n")
    monkeypatch.setenv("COLUMNS", "100")
    wide = run_command(capsys, "show", "diam").split("\n")
    starts = [next(i for i, line in enumerate(x) if "reserve" in line) for x in (lines, wide)]
    assert starts[0] == starts[1]  # the board has as many lines as ever
    assert max(map(len, lines)) <= 30


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["result", "diadema", "--after", "@A @D @1 @E @2 @F @C @B"], "the game is over"),
        (["position", "diam", "--position", "rrrrr"], "is not a position"),
        (["position", "diam", "--position", ""], "is not a position"),
        (["position", "diam", "--position", "x" * 10_000], "is not a position"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)


def test_moves_are_listed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    after = ["--after", "G6-F6"]
    moves = json.loads(run_command(capsys, "moves", "buts", "--json", *after))
    assert [move["move"] for move in moves] == run_command(capsys, "moves", "buts", *after).split()
    (jump,) = (move for move in moves if move["move"] == "B1^D3")
    assert jump["touches"] == [["B1"], ["D3"]]
    played = run_command(capsys, "position", "buts", "--after", "G6-F6 B1^D3")
    assert jump["position"] == played.rstrip()
    (first, *_others) = json.loads(run_command(capsys, "moves", "diam", "--json", "--proven"))
    assert first["result"] == "loss"
    assert first["touches"]
    over = "@A @D @1 @E @2 @F @C"
    assert run_command(capsys, "moves", "diadema", "--json", "--after", over) == "[]\n"


def test_moves_are_listed_with_what_is_proved_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run_command(capsys, "moves", "diadema", "--proven").splitlines()
    moves = run_command(capsys, "moves", "diadema").split()
    assert sorted(line.split()[0] for line in lines) == sorted(moves)
    assert {line.split(maxsplit=1)[1] for line in lines} == {"drawn"}
    assert run_command(capsys, "moves", "buts", "--proven").splitlines()[0].endswith("open")
    lost = run_command(capsys, "moves", "diam", "--proven").splitlines()[0].split(maxsplit=1)[1]
    assert lost.startswith("Player 2 (brown and black) wins in ")
    over = "@A @D @1 @E @2 @F @C"
    assert run_command(capsys, "moves", "diadema", "--proven", "--after", over) == ""
