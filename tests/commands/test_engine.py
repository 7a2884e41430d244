"""The commands that ask the engine, as a user types them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from command_line import QUINCONCE, run
from moves import played

import quinconce
from quinconce.cli import main
from quinconce.core.record import read_record

THREE_OF_FOUR = "@A @4 @B @5 @C @E"  # Light wins with @D or @G


pytestmark = pytest.mark.usefixtures("in_english")


def test_analyse_tells_a_program_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "analyse", "buts", "--depth", "3", "--json")
    objects = [json.loads(line) for line in told.splitlines()]
    assert [found["depth"] for found in objects] == [1, 2, 3]
    final = objects[-1]
    assert set(final) >= {"best", "line", "depth", "nodes", "score", "value", "plies"}
    assert final["best"] == final["line"][0]
    assert final["value"] is None
    assert final["plies"] is None
    assert type(final["score"]) is int


def test_analyse_tells_a_proved_win_with_its_distance(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "analyse", "diadema", "--after", THREE_OF_FOUR, "--depth", "3", "--json")
    final = json.loads(told.splitlines()[-1])
    assert (final["value"], final["plies"]) == ("win", 1)
    assert final["best"] in ("@D", "@G")
    told = run(capsys, "analyse", "diadema", "--after", THREE_OF_FOUR, "--nodes", "1000")
    assert "wins in 1" in told


def test_analyse_tells_several_lines(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "analyse", "diam", "--depth", "2", "--lines", "3", "--json")
    lines = json.loads(told.splitlines()[-1])["lines"]
    assert len({line["line"][0] for line in lines}) == 3


def test_match_compares_two_levels_and_keeps_the_records(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ("match", "diadema", "4", "1", "--games", "4", "--seed", "2", "--records", "kept")
    told = run(capsys, *arguments)
    assert "Level 4 against level 1, 4 matches:" in told
    assert "confidence 95 %" in told
    files = sorted(Path("kept").iterdir())
    assert [file.name for file in files] == [f"000{n}.quinconce" for n in (1, 2, 3, 4)]
    for n, file in enumerate(files):
        record, match = read_record(file.read_text(encoding="utf-8"))
        assert match.outcome()
        assert [seat.level for seat in record.seats] == [[4, 1], [1, 4]][n % 2]
    first, second = (file.read_text(encoding="utf-8") for file in files[:2])
    opening = [text.split("\n\n")[1].split()[1:3] for text in (first, second)]
    assert opening[0] == opening[1]
    assert run(capsys, *arguments[:-1], "again").split(".")[0] == told.split(".")[0]


def test_levels_have_names_in_both_languages(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    english = run(capsys, "levels").splitlines()
    monkeypatch.setenv("QUINCONCE_LANG", "fr")
    french = run(capsys, "levels").splitlines()
    assert len(english) == len(french) == 10
    assert english[0] == " 1 beginner"
    assert french[0] == " 1 débutant"


def test_warmup_makes_ready(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "warmup", "diadema") == "The engine is ready.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["analyse", "chess"], "there is no game 'chess'"),
        (["analyse", "diam", "--seconds", "nan"], "--seconds goes from 0.001 to"),
        (["analyse", "diam", "--depth", "0"], "--depth goes from 1"),
        (["analyse", "diam", "--nodes", "-5"], "--nodes goes from 1"),
        (["analyse", "diam", "--lines", "0"], "--lines goes from 1 to 64"),
        (["analyse", "diam", "--threads", "1000"], "--threads goes from 1 to 64"),
        (["analyse", "diam", "--depth", "two"], "two"),
        (["analyse", "diam", "--after", "r@1 m@1 r@5 m@5"], "the game is over"),
        (["match", "diam", "0", "3"], "is not a level"),
        (["match", "diam", "3", "11"], "is not a level: they go from 1 to 10"),
        (["match", "diam", "3", "4", "--games", "0"], "--games goes from 1"),
        (["play", "diam", "--seat", "1=engine:11"], "is not a level"),
        (["play", "diam", "--seat", "1=engine:strong"], "'strong' is not a level"),
        (["warmup", "chess"], "there is no game 'chess'"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    told = capsys.readouterr()
    assert stopped.value.code == 2
    assert said in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_ctrl_c_ends_an_analysis_and_nothing_is_left() -> None:
    command = [*QUINCONCE, "analyse", "buts", "--seconds", "1000", "--threads", "2", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as analysis:
        assert analysis.stdout is not None
        analysis.stdout.readline()  # it is searching now
        analysis.send_signal(signal.SIGINT)
        assert analysis.wait(20) == 130


def test_engines_play_each_other_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(
        capsys,
        "play",
        "diam",
        *("--seat", "1=engine:3", "--seat", "2=engine:1", "--seed", "5", "--save", "kept.json"),
    )
    assert "Engine 3 (red and orange)" in told
    kept = json.loads(Path("kept.json").read_text(encoding="utf-8"))
    assert [(seat["level"], seat["seed"]) for seat in kept["seats"]] == [(3, 5), (1, 5)]
    assert kept["result"] != "*"


def test_a_person_plays_an_engine_and_takes_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["@A", "undo", "@B", "hint", "quit"])
    monkeypatch.setattr("builtins.input", lambda _question: next(typed))
    told = run(capsys, "play", "diadema", "--seat", "2=engine:2", "--save", "kept.json")
    assert told.count("Taken back:") == 2  # the engine's move and the person's
    assert "The engine would play" in told
    moves = json.loads(Path("kept.json").read_text(encoding="utf-8"))["moves"]
    assert moves[0] == "@B"
    assert len(moves) == 2


def test_a_resumed_record_knows_who_is_an_engine(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["@A", "quit", "A-G", "A-B", "quit", "quit"])
    monkeypatch.setattr("builtins.input", lambda _question: next(typed))
    run(capsys, "play", "diadema", "--seat", "2=engine:4", "--save", "kept.json")
    run(capsys, "play", "--resume", "kept.json")
    moves = json.loads(Path("kept.json").read_text(encoding="utf-8"))["moves"]
    assert len(moves) in (4, 6)  # its ball on A may have gone both ways
    assert moves[0] == "@A"


def test_an_engine_agrees_to_stop_only_if_it_is_not_better(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Light has given Dark an open row of three: Dark plays on."""
    match = played("diadema", "@4 @A @5 @B @E")
    quinconce.Record.of(match, [quinconce.Seat("Ada"), quinconce.Seat(level=3, seed=1)]).save(
        Path("kept.json")
    )
    typed = iter(["draw", "y", "quit"])
    monkeypatch.setattr("builtins.input", lambda _question: next(typed))
    assert "The game goes on." in run(capsys, "play", "--resume", "kept.json")


def test_the_engine_needs_no_cache_folder(tmp_path: Path) -> None:
    """Broken or unwritable: it compiles again, without a word."""
    (tmp_path / "file").write_text("in the way")
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "file"), "TMPDIR": str(tmp_path)}
    command = [*QUINCONCE, "analyse", "diadema", "--depth", "2", "--json"]
    done = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["value"] == "draw"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
