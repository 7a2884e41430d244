"""`quinconce draw`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run_command, run_in_french, run_refused

pytestmark = pytest.mark.usefixtures("in_english")


def test_draw_prints_svg_and_writes_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    svg = run_command(capsys, "draw", "diam", "--after", "r@1 m@1")
    assert svg.startswith("<svg ")
    assert "Diam after m@1: red and orange to move" in svg
    assert run_command(capsys, "draw", "diam", "--after", "r@1 m@1", "-O", "board.svg") == ""
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == svg
    assert run_command(capsys, "draw", "diam", "--after", "r@1 m@1", "--flip") != svg
    assert "var(" not in run_command(capsys, "draw", "seega", "--theme", "dark")


def test_draw_writes_png(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pixels = []
    for theme in ("light", "dark"):
        run_command(capsys, "draw", "buts", "--theme", theme, "--out", f"{theme}.PNG")
        pixels.append((tmp_path / f"{theme}.PNG").read_bytes())
    assert all(content.startswith(b"\x89PNG") for content in pixels)
    assert pixels[0] != pixels[1]
    run_command(capsys, "draw", "buts", "--out", "plain.png")
    assert (tmp_path / "plain.png").read_bytes() == pixels[0]


@pytest.mark.process
def test_draw_refuses_what_it_cannot_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert "written to .svg or .png" in run_refused(capsys, "draw", "buts", "-O", "board.gif")
    assert "no such file or folder" in run_refused(capsys, "draw", "buts", "-O", "no/board.svg")
    assert "A9" in run_refused(capsys, "draw", "buts", "--after", "A9-B9")
    assert "une image s’écrit" in run_in_french("draw", "buts", "-O", "x.gif").stderr
