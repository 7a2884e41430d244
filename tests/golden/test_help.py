"""The commands keep their names, arguments, options and help, in both languages."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from golden.compare import compare

# One process a language: a help text that was translated is not translated back.
SCRIPT = """
import sys
from quinconce.cli import main
for line in sys.stdin.read().splitlines():
    print("$ quinconce", line, flush=True)
    try:
        main(line.split())
    except SystemExit:
        pass
    print()
"""
COMMAND = re.compile(r"^  ([a-z]+)  +\S")


def print_help(language: str, commands: list[str]) -> str:
    """What the commands print when they are asked for help, a hundred letters a line."""
    own = {"QUINCONCE_LANG": language, "LANGUAGE": language, "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input="\n".join(f"{command} --help".strip() for command in commands),
        env=os.environ | own | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def subcommands(text: str) -> list[str]:
    """The names in the list of commands, which a help text ends with."""
    return [found[1] for line in text.splitlines() if (found := COMMAND.match(line))]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_command_keeps_its_help(language: str) -> None:
    alone, _group, grouped = print_help(language, ["", "matches"]).partition("$ quinconce matches")
    commands = ["", *subcommands(alone), *(f"matches {name}" for name in subcommands(grouped))]
    assert len(commands) == 27
    compare(f"help.{language}.txt", print_help(language, commands))
