"""Runs commands of `quinconce` one after the other in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

SCRIPT = """
import contextlib, io, json, sys
from quinconce.cli import main
printed = []
if __name__ == "__main__":
    for arguments in json.load(sys.stdin):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            with contextlib.suppress(SystemExit):
                main(arguments)
        printed.append(output.getvalue())
    print(json.dumps(printed))
"""


def run_all(
    commands: Sequence[Sequence[str]], language: str = "en", folder: Path | None = None
) -> list[str]:
    """What each command prints in a language, a hundred letters a line, without a complaint.

    A process speaks one language: a help text that was translated is not translated back.
    """
    own = {"QUINCONCE_LANG": language, "LANGUAGE": language, "COLUMNS": "100"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps(commands),
        env=os.environ | own | {"PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stderr == ""
    printed: list[str] = json.loads(done.stdout)
    return printed
