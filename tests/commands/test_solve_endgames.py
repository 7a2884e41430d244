"""`solve --pawns`: what it prints, what it keeps, and how it refuses."""

from __future__ import annotations

import re
import sys
from io import StringIO
from pathlib import Path

import pytest
from command_line import run_refused
from dask_cluster import ignore_dask_leaks
from rich.console import Console
from rich.progress import Progress

from quinconce.cli import main
from quinconce.commands import solve_endgames, workers

pytestmark = pytest.mark.usefixtures("in_english")


@pytest.mark.process
def test_endings_are_solved_kept_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("solve", "seega", "-o", "reach=step", "-o", "quiet=none", "--pawns", "4")
    main([*asked, "--jobs", "1", "--folder", "kept"])
    shown, nothing = capsys.readouterr()
    assert nothing == ""
    rows = {line.split()[0]: line.split() for line in shown.splitlines()}
    assert list(rows)[1:5] == ["1×1", "2×1", "2×2", "3×1"]
    assert rows["3×1"][1:4] == ["100.00%", "0.00%", "0.00%"]
    assert rows["1×1"][1:4] == ["0.00%", "100.00%", "0.00%"]
    assert "positions up to symmetry with at most 4 pawns" in shown
    assert "The tables are in kept." in shown
    assert [path.name for path in sorted(Path("kept").iterdir())] == [
        f"seega-5-step-compulsory-replay-none-{n}.endings" for n in range(1, 5)
    ]
    main([*asked, "--folder", "kept"])
    again, _nothing = capsys.readouterr()
    assert [line for line in again.splitlines() if "×" in line] == [
        line for line in shown.splitlines() if "×" in line
    ]


@pytest.mark.process
def test_a_bar_tells_the_time_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = StringIO()
    console = Console(file=screen, force_terminal=True, width=100)
    monkeypatch.setattr(solve_endgames, "progress_bar", lambda: Progress(console=console))
    main(["solve", "seega", "--pawns", "5", "--jobs", "1", "--folder", "kept"])
    assert "5 pawns" in capsys.readouterr().out
    shown = screen.getvalue()
    assert "compiling" in shown
    assert "solving Seega" in shown
    assert "100%" in shown
    assert re.search(r"\d:\d\d:\d\d", shown)


@pytest.mark.process
@ignore_dask_leaks
def test_what_cannot_be_solved_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "CLUSTER_TIMEOUT", 0.1)
    Path("file").write_text("")
    for arguments, why in (
        (("diam", "--pawns", "4"), "no endings"),
        (("seega", "-o", "chain=optional", "--pawns", "4"), "no endings"),
        (("seega", "-o", "size=7", "--pawns", "4"), "no endings"),
        (("seega", "--pawns", "1"), "from 2 to 10"),
        (("seega", "--pawns", "11"), "from 2 to 10"),
        (("seega", "--pawns", "six"), "--pawns"),
        (("seega", "--pawns", "4", "--jobs", "0"), "--jobs"),
        (("seega", "--pawns", "4", "--within", "3"), "--pawns"),
        (("seega", "--pawns", "4", "--after", "@a1+a2"), "--pawns"),
        (("seega", "--jobs", "2"), "--pawns"),
        (("seega", "--folder", "kept"), "--pawns"),
        (("seega", "--compact"), "--pawns"),
        (("seega", "--pawns", "4", "--folder", "file"), "file: "),
        (("seega", "--pawns", "4", "--jobs", "2", "--cluster", "tcp://localhost:1"), "choose"),
        (("seega", "--pawns", "4", "--cluster", "tcp://127.0.0.1:1"), "no cluster answers"),
        (("seega", "--pawns", "4", "--cluster", "here"), "no cluster answers"),
        (("seega", "--pawns", "4", "--cluster", ""), "no cluster answers"),
    ):
        assert why in run_refused(capsys, "solve", *arguments)


def test_a_cluster_without_its_library_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    asked = ("solve", "seega", "--pawns", "4", "--cluster", "tcp://127.0.0.1:1")
    assert "pip install quinconce[cluster]" in run_refused(capsys, *asked)
