"""The command line: what it prints, and how it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pexpect
import pytest
from command_line import QUINCONCE, refused, run

import quinconce
from quinconce import Match, Record, Seat, words
from quinconce.cli import main

pytestmark = pytest.mark.usefixtures("in_english")


def in_french(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"QUINCONCE_LANG": "fr"}
    return subprocess.run(
        [*QUINCONCE, *arguments],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_games_shows_every_game_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "games")
    for name in quinconce.names():
        assert name in shown
        for option in quinconce.game(name).options:
            assert f"{option}=" in shown


def test_moves_are_listed_one_a_line_in_plain_order(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "moves", "buts").split("\n")
    assert lines.pop() == ""
    assert lines == sorted(lines)
    assert len(lines) == 46
    moves = run(capsys, "moves", "diam", "-o", "edition=1997", "-o", "players=4", "--after", "r@1")
    assert moves.split() == [f"j@{cell}" for cell in range(2, 9)]


def test_no_moves_are_listed_when_the_game_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    won = "@A @D @1 @E @2 @F @C"
    assert run(capsys, "moves", "diadema", "--after", won) == ""
    drawn = "G2-G1 B1-A1 G1-G2 A1-B1 G2-G1 B1-A1 G1-G2 A1-B1"
    assert run(capsys, "moves", "buts", "--after", drawn) == ""


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
    assert json.loads(run(capsys, "result", *arguments)) == result


def test_position_is_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "position", "seega", "--after", "@a1+a2 @b1+b2").strip()
    assert text == "...../...../...../wb.../wb... turn=0 phase=1 duty=0"
    assert run(capsys, "position", "seega", "--position", text).strip() == text


def test_perft_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "perft", "diadema", "3") == "2912\n"
    assert run(capsys, "perft", "diadema", "3", "--rules") == "2912\n"
    assert run(capsys, "perft", "diadema", "0") == "1\n"
    split = run(capsys, "perft", "diam", "2", "-o", "edition=1997", "--split").split("\n")
    assert split[0] == "j@1 14"
    assert split[-2] == "224"
    assert len(split) == 18


def test_perft_ignores_what_looks_back_also_in_the_moves_before(
    capsys: pytest.CaptureFixture[str],
) -> None:
    drawn = "G2-G1 B1-A1 G1-G2 A1-B1 G2-G1 B1-A1 G1-G2 A1-B1"
    assert run(capsys, "perft", "buts", "1", "--after", drawn) == "46\n"


def test_a_long_count_is_ended_by_ctrl_c() -> None:
    child = pexpect.spawn(
        QUINCONCE[0], [*QUINCONCE[1:], "perft", "diadema", "12"], encoding="utf-8", timeout=60
    )
    child.expect("perft")  # the bar is there
    time.sleep(3)
    child.sendintr()
    child.expect(pexpect.EOF, timeout=10)
    assert "Traceback" not in (child.before or "")


def test_perft_of_a_finished_game_is_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "perft", "diadema", "2", "--after", "@A @D @1 @E @2 @F @C") == "0\n"


def test_show_draws_pieces_marks_and_turn(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "show", "diam", "--after", "r@1 m@1")
    assert "(r)" in shown
    assert "(m)" in shown
    assert "Player 1 (red and orange) to move" in shown
    assert "reserve of Player 2 (brown and black): m m m   n n n n" in shown
    shown = run(capsys, "show", "diadema", "--after", "@A @D @1 @E @2 @F @C")
    assert "Player 1 (light) wins: four on a line" in shown


def test_typed_moves_are_forgiven(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "position", "buts", "--after", "g6-e4") == run(
        capsys, "position", "buts", "--after", "G6^E4"
    )


def test_rules_are_shown_in_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    for name in quinconce.names():
        english = run(capsys, "rules", name)
        french = run(capsys, "rules", name, "--lang", "fr")
        assert english != french
        folder = Path(words.__file__).parent / "rules"
        assert english == (folder / f"{name}.en.md").read_text(encoding="utf-8")
        assert french == (folder / f"{name}.fr.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["moves"], "Missing argument 'GAME'"),
        (["moves", "chess"], "there is no game 'chess': choose among buts, diadema, diam, seega"),
        (["moves", "diam", "-o", "players=7"], "option players cannot be '7': choose 2, 3, 4"),
        (["moves", "diam", "-o", "players"], "'players' is not like key=value"),
        (["moves", "diam", "-o", "players=2", "-o", "players=3"], "given twice"),
        (["moves", "diam", "-o", "edition=1997", "-o", "players=3"], "no rules for 3 players"),
        (["moves", "diam", "-o", "=3"], "there is no option ''"),
        (["moves", "buts", "-o", "size=3"], "this game has none"),
        (["moves", "diam", "--after", "r@9"], "not a move of this game"),
        (["moves", "diam", "--after", "r@1 r@2"], "the red reserve is not yours"),
        (["result", "diadema", "--after", "@A @D @1 @E @2 @F @C @B"], "the game is over"),
        (["position", "diam", "--position", "rrrrr"], "is not a position"),
        (["position", "diam", "--position", ""], "is not a position"),
        (["position", "diam", "--position", "x" * 10_000], "is not a position"),
        (["perft", "diam"], "Missing argument 'DEPTH'"),
        (["perft", "diam", "x"], "DEPTH is a number from 0 to 100, not 'x'"),
        (["perft", "diam", "-1"], "No such option"),
        (["perft", "diam", "101"], "DEPTH is a number from 0 to 100"),
        (["perft", "diam", "1_0"], "DEPTH is a number from 0 to 100"),
        (["perft", "diam", "1", "2"], "unexpected extra argument"),
        (["rules", "diam", "--lang", "de"], "Invalid value for '--lang'"),
        (["rules", "../rules/diam"], "there is no game"),
        (["check", "nowhere"], "nowhere: there is no such file or folder"),
        (["check", "."], ".: this is a folder"),
        (["check", "/dev/zero"], "/dev/zero: this is not a regular file"),
        (["replay", "nowhere"], "nowhere: there is no such file or folder"),
        (["play"], "name a game, or a record"),
        (["play", "chess"], "there is no game 'chess'"),
        (["play", "diam", "--seat", "3=Eve"], "'3=Eve' is not like N=NAME with N among 1, 2"),
        (["play", "diam", "--seat", "Eve"], "'Eve' is not like N=NAME"),
        (["play", "diam", "--seat", "1=a", "--seat", "1=b"], "player 1 is named twice"),
        (["play", "diam", "--seat", "1=\udcff"], "is not a name"),
        (["play", "diam", "--save", ""], "there is a file already"),
        (["moves", "diam", "-o", "self=1"], "there is no option 'self'"),
        (["games", "chess"], "there is no game 'chess'"),
        (["play", "diam", "--resume", "nowhere"], "give nothing else"),
        (["play", "--resume", "nowhere"], "nowhere: there is no such file or folder"),
        (["bench", "--game", "chess"], "there is no game 'chess'"),
        (["bench", "--seconds", "0"], "--seconds goes from 0.01 to 60"),
        (["bench", "--seconds", "nan"], "--seconds goes from 0.01 to 60"),
        (["dance"], "No such command 'dance'"),
        (["moves", "diam", "--loud"], "No such option"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in refused(capsys, *arguments)


def test_a_file_that_is_not_text_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("noise").write_bytes(b"\xff\xfe\x00\x9f" * 50)
    assert "this is not text" in refused(capsys, "check", "noise")


def saved(moves: str, path: str = "match.quinconce") -> str:
    match = Match(quinconce.game("diadema"))
    for text in moves.split():
        match.play(text)
    Record.of(match).save(Path(path))
    return path


def test_check_says_whether_a_record_holds(capsys: pytest.CaptureFixture[str]) -> None:
    file = saved("@A @D @1 @E @2 @F @C")
    held = run(capsys, "check", file)
    assert held == "Diädema: all moves are legal (7). Player 1 (light) wins: four on a line.\n"
    assert "goes on" in run(capsys, "check", saved("@A @D"))


def test_check_refuses_a_record_that_does_not_hold(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(saved("@A @D @1 @E @2 @F @C"))
    file.write_text(file.read_text().replace("@1 @E", "@1 @A"))
    assert "match.quinconce: line 10, move 4: " in refused(capsys, "check", str(file))


def test_check_turns_text_into_json_and_back(capsys: pytest.CaptureFixture[str]) -> None:
    file = saved("@A @D @1")
    twin = run(capsys, "check", file, "--json")
    Path("match.json").write_text(twin, encoding="utf-8")
    assert run(capsys, "check", "match.json", "--text") == Path(file).read_text(encoding="utf-8")


def test_json_and_text_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "choose --json or --text" in refused(capsys, "check", saved("@A"), "--json", "--text")


def test_a_file_that_is_too_long_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("long").write_bytes(b"x" * 5_000_000)
    assert "longer than 4000000 bytes" in refused(capsys, "check", "long")


def test_a_pipe_is_refused_and_not_waited_for(capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    assert "not a regular file" in refused(capsys, "check", "pipe")


def test_a_name_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    match = Match(quinconce.game("diadema"))
    Record.of(match, [Seat("\x1b[31mred"), Seat("b")]).save(Path("red"))
    assert "\x1b" not in run(capsys, "replay", "red", "--at", "0")


def test_games_explains_the_options_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "games", "seega")
    for option in quinconce.game("seega").options.values():
        for meaning in option.meanings.values():
            assert meaning in shown


def test_a_narrow_terminal_crops_the_board_and_wraps_the_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    lines = run(capsys, "show", "diam").split("\n")
    monkeypatch.setenv("COLUMNS", "100")
    wide = run(capsys, "show", "diam").split("\n")
    starts = [next(i for i, line in enumerate(x) if "reserve" in line) for x in (lines, wide)]
    assert starts[0] == starts[1]  # the board has as many lines as ever
    assert max(map(len, lines)) <= 30


def test_a_full_disk_is_told_on_one_line() -> None:
    command = " ".join(f"'{word}'" for word in [*QUINCONCE, "moves", "diam"])
    full = subprocess.run(
        ["sh", "-c", f"{command} > /dev/full"], capture_output=True, encoding="utf-8", check=False
    )
    assert full.returncode == 2
    assert full.stderr == "quinconce: the disk is full\n"


def test_replay_draws_every_position_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "replay", saved("@A @D @1"))
    assert shown.count("to move.") == 4
    assert shown.count("Last move: @D.") == 1


def test_replay_shows_one_position(capsys: pytest.CaptureFixture[str]) -> None:
    file = saved("@A @D @1")
    assert run(capsys, "replay", file, "--at", "2") == run(
        capsys, "show", "diadema", "--after", "@A @D"
    )
    assert "--at is a number from 0 to 3" in refused(capsys, "replay", file, "--at", "4")


def test_replay_shows_how_a_match_ended_beside_the_board(
    capsys: pytest.CaptureFixture[str],
) -> None:
    match = Match(quinconce.game("diadema"))
    match.play("@A")
    match.resign(1)
    Record.of(match).save(Path("resigned"))
    assert "Player 1 (light) wins: resignation." in run(capsys, "replay", "resigned", "--at", "1")


def test_bench_measures_and_writes_json(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "bench", "--game", "diadema", "--seconds", "0.01", "--json", "figures.json")
    assert "diadema" in shown
    figures = json.loads(Path("figures.json").read_text())
    assert figures["diadema"]["rules_moves_per_s"] > 0


def test_bench_tells_when_it_cannot_write(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "--game", "diadema", "--seconds", "0.01", "--json", "no/where.json"])
    assert capsys.readouterr().err == "quinconce: no/where.json: there is no such file or folder\n"


def test_alone_it_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys) == run(capsys, "--help")


def test_help_and_errors_are_in_french_too() -> None:
    helped = in_french("--help")
    assert "Commandes" in helped.stdout
    assert "Rejouer une partie notée" in helped.stdout
    assert "Afficher ce message" in helped.stdout
    wrong = in_french("moves", "diam", "-o", "players=7")
    assert wrong.returncode == 2
    assert wrong.stderr == (
        "quinconce: l’option players ne peut pas être '7'\u00a0: choisissez 2, 3, 4\n"
    )
    assert "Il n’y a pas de commande 'danse'" in in_french("danse").stderr
    assert "rouge et orange" in in_french("show", "diam").stdout
    assert "# Buts" in in_french("rules", "buts").stdout


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = " ".join(f"'{word}'" for word in [*QUINCONCE, "moves", "seega", "-o", "size=9"])
    piped = subprocess.run(
        ["sh", "-c", f"{command} | head -n 1"], capture_output=True, encoding="utf-8", check=False
    )
    assert piped.stdout == "@a1+a2\n"
    assert piped.stderr == ""


def test_colours_where_the_terminal_has_them() -> None:
    environment = os.environ | {"TERM": "xterm-256color", "QUINCONCE_LANG": "en"}
    environment.pop("NO_COLOR", None)
    child = pexpect.spawn(
        QUINCONCE[0],
        [*QUINCONCE[1:], "show", "diam", "--after", "r@1"],
        encoding="utf-8",
        env=environment,
    )
    child.expect(pexpect.EOF)
    assert "\x1b[" in (child.before or "")


def test_no_colours_in_a_pipe() -> None:
    plain = subprocess.run(
        [*QUINCONCE, "show", "diam", "--after", "r@1"],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    assert "\x1b" not in plain.stdout
    assert "(r)" in plain.stdout


def test_a_terminal_without_unicode_gets_letters_and_dots() -> None:
    plain = subprocess.run(
        [*QUINCONCE, "show", "buts"],
        capture_output=True,
        encoding="ascii",
        check=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "QUINCONCE_LANG": "en"},
    )
    assert "(w)" in plain.stdout
    assert " o " in plain.stdout
    french = subprocess.run(
        [*QUINCONCE, "games"],
        capture_output=True,
        encoding="ascii",
        check=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "QUINCONCE_LANG": "fr"},
    )
    assert "d'abord" in french.stdout.replace("?", "'")


def test_draw_prints_svg_and_writes_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    svg = run(capsys, "draw", "diam", "--after", "r@1 m@1")
    assert svg.startswith("<svg ")
    assert "Diam after m@1: red and orange to move" in svg
    assert run(capsys, "draw", "diam", "--after", "r@1 m@1", "-O", "board.svg") == ""
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == svg
    assert run(capsys, "draw", "diam", "--after", "r@1 m@1", "--flip") != svg
    assert "var(" not in run(capsys, "draw", "seega", "--theme", "dark")


def test_draw_writes_png(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pixels = []
    for theme in ("light", "dark"):
        run(capsys, "draw", "buts", "--theme", theme, "--out", f"{theme}.PNG")
        pixels.append((tmp_path / f"{theme}.PNG").read_bytes())
    assert all(content.startswith(b"\x89PNG") for content in pixels)
    assert pixels[0] != pixels[1]
    run(capsys, "draw", "buts", "--out", "plain.png")
    assert (tmp_path / "plain.png").read_bytes() == pixels[0]


def test_draw_refuses_what_it_cannot_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert "written to .svg or .png" in refused(capsys, "draw", "buts", "-O", "board.gif")
    assert "no such file or folder" in refused(capsys, "draw", "buts", "-O", "no/board.svg")
    assert "A9" in refused(capsys, "draw", "buts", "--after", "A9-B9")
    assert "une image s’écrit" in in_french("draw", "buts", "-O", "x.gif").stderr
