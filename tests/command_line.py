"""The command line as a user types it: what it prints, how it refuses, its prompts."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

import pexpect
import pytest
from waiting import PATIENCE

from quinconce.cli import main

QUINCONCE: Final = [sys.executable, "-m", "quinconce"]


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints, without any complaint."""
    main(arguments)
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def run_refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line by which a command is refused."""
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    captured = capsys.readouterr()
    assert exit_.value.code == 2
    assert captured.out == ""
    assert captured.err.startswith("quinconce: ")
    assert captured.err.count("\n") == 1
    return captured.err


def run_in_french(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What a command does in French, in a process of its own."""
    environment = os.environ | {"QUINCONCE_LANG": "fr"}
    return subprocess.run(
        [*QUINCONCE, *arguments],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def type_lines(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Have these lines typed at the prompts of this process, and then no more."""
    waiting: Iterator[str] = iter(lines)

    def answer(_prompt: str = "") -> str:
        for line in waiting:
            return line
        raise EOFError

    monkeypatch.setattr(builtins, "input", answer)


def spawn_in_terminal(*arguments: str) -> pexpect.spawn[str]:
    """A command in a real terminal, in English."""
    environment = os.environ | {"QUINCONCE_LANG": "en", "TERM": "xterm-256color"}
    return pexpect.spawn(
        QUINCONCE[0],
        [*QUINCONCE[1:], *arguments],
        encoding="utf-8",
        timeout=PATIENCE,
        env=environment,
        dimensions=(50, 120),
    )
