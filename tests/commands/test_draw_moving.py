"""`quinconce draw --moving`, and pictures of records."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run_command, run_refused
from PIL import Image

from quinconce import Match, Record, game
from quinconce.cli import main
from quinconce.draw import raster

pytestmark = pytest.mark.usefixtures("in_english")
MOVES = "r@1 m@1 o@3"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    match = Match(game("diam"))
    for move in MOVES.split():
        match.play(move)
    path = tmp_path / "match.quinconce"
    path.write_text(Record.of(match).text(), encoding="utf-8")
    return path


def look(path: Path) -> tuple[str | None, int, int]:
    """The format, the number of frames and the width of a picture."""
    with Image.open(path) as file:
        return file.format, getattr(file, "n_frames", 1), file.width


def test_a_match_is_written_as_gif_or_webp(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, record: Path
) -> None:
    told = run_command(
        capsys, "draw", "diam", "--after", MOVES, "--moving", "a.GIF", "--width", "100"
    )
    assert told == ""
    assert look(tmp_path / "a.GIF") == ("GIF", 4, 100)
    run_command(capsys, "draw", "--record", str(record), "--moving", "b.webp", "--width", "100",
                "-O", "end.png")  # fmt: skip
    assert look(tmp_path / "b.webp") == ("WEBP", 4, 100)
    assert look(tmp_path / "end.png") == ("PNG", 1, 100)


def test_a_record_is_drawn_like_its_moves(capsys: pytest.CaptureFixture[str], record: Path) -> None:
    drawn = run_command(capsys, "draw", "--record", str(record))
    assert drawn == run_command(capsys, "draw", "diam", "--after", MOVES)


def test_a_long_match_says_how_many_moves_are_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(raster, "MAX_FRAMES", 3)
    main(["draw", "diam", "--after", MOVES, "--moving", "a.gif", "--width", "80"])
    assert "leaves some moves out" in capsys.readouterr().err
    assert look(tmp_path / "a.gif") == ("GIF", 3, 80)


def test_what_cannot_be_drawn_is_refused_before_the_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, record: Path
) -> None:
    for wrong, why in {
        ("buts", "--moving", "a.png"): ".gif or .webp",
        ("buts", "--moving", "no/a.gif"): "no such file or folder",
        ("buts", "--moving", "a.gif", "--width", "5"): "64 to 1600 pixels",
        ("--moving", "a.gif"): "name a game",
        ("buts", "--record", str(record)): "which game it is",
        ("--record", "none.txt"): "no such file",
    }.items():
        assert why in run_refused(capsys, "draw", *wrong)
    assert not (tmp_path / "a.gif").exists()
