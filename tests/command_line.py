"""The command line as a user types it: what it says, and how it refuses."""

from __future__ import annotations

import sys
from typing import Final

import pytest

from quinconce.cli import main

QUINCONCE: Final = [sys.executable, "-m", "quinconce"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints, without any complaint."""
    main(arguments)
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line by which a command is refused."""
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    captured = capsys.readouterr()
    assert exit_.value.code == 2
    assert captured.out == ""
    assert captured.err.startswith("quinconce: ")
    assert captured.err.count("\n") == 1
    return captured.err
