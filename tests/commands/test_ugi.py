"""`quinconce ugi`, as a match runner starts it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from command_line import QUINCONCE, run_in_french, run_refused

pytestmark = pytest.mark.usefixtures("in_english")


def converse(
    *arguments: str, lines: bytes, folder: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """All that it answers to these lines, after which its input ends."""
    return subprocess.run(
        [*QUINCONCE, "ugi", *arguments], input=lines, cwd=folder, capture_output=True, check=False
    )


@pytest.mark.process
def test_it_answers_and_ends_with_its_input() -> None:
    done = converse("buts", lines=b"ugi\nposition startpos\nquery p1turn\nquery gameover\n")
    assert done.returncode == 0
    assert done.stderr == b""
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "id name Quinconce"
    assert lines[-3:] == ["ugiok", "response true", "response false"]


@pytest.mark.process
@pytest.mark.parametrize(
    "garbage",
    [b"", b"\n\n", b"\xff\xfe\x00\nugi ugi\n", b"x" * 3_000_000, b"go fish\r\nquit now\r\n"],
)
def test_garbage_is_survived(garbage: bytes) -> None:
    done = converse(
        "diam", "--bot", __file__, lines=b"position fen " + garbage + b"\nquery result\n"
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"response none" in done.stdout or b"quit" in garbage


@pytest.mark.process
def test_nothing_slow_is_loaded_before_isready() -> None:
    script = (
        "import sys\nfrom quinconce.cli import main\nmain(['ugi'])\n"
        "print([n for n in ('numba', 'numpy', 'litestar') if n in sys.modules], file=sys.stderr)"
    )
    lines = b"ugi\nposition startpos moves r@1\nquery islegal m@1\nquit\n"
    done = subprocess.run(
        [QUINCONCE[0], "-c", script], input=lines, capture_output=True, check=True
    )
    assert done.stderr == b"[]\n"


@pytest.mark.process
def test_a_bot_speaks_ugi(tmp_path: Path) -> None:
    text = "def choose(match):\n    return max(match.legal())\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    done = converse("--bot", "mine.py", lines=b"ugi\nisready\ngo depth 1\n", folder=tmp_path)
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "id name mine.py"
    assert lines[-2:] == ["readyok", "bestmove r@8"]


@pytest.mark.process
def test_french_players_are_told_in_french() -> None:
    told = run_in_french("ugi", "diam", "-o", "edition=1997", "-o", "players=4")
    assert told.returncode == 2
    assert "UGI ne connaît que deux camps" in told.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ugi", "chess"], "there is no game 'chess'"),
        (["ugi", "diam", "-o", "edition=1997", "-o", "players=4"], "UGI knows two sides"),
        (["ugi", "--level", "11"], "is not a level"),
        (["ugi", "--threads", "0"], "--threads goes from 1"),
        (["ugi", "--memory", "0"], "--memory goes from 1"),
        (["ugi", "--bot", "none.py"], "none.py: there is no such file"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
