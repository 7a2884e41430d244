"""The commands keep their names, arguments, options and help, in both languages."""

from __future__ import annotations

import re

import pytest
from golden.compare import compare
from golden.process import run_all

pytestmark = pytest.mark.process

COMMAND = re.compile(r"^  ([a-z]+)  +\S")


def subcommands(text: str) -> list[str]:
    """The names in the list of commands, which a help text ends with."""
    return [found[1] for line in text.splitlines() if (found := COMMAND.match(line))]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_command_keeps_its_help(language: str) -> None:
    alone, grouped = run_all([["--help"], ["matches", "--help"]], language)
    commands = [[], *([name] for name in subcommands(alone))]
    commands += [["matches", name] for name in subcommands(grouped)]
    assert len(commands) == 34
    told = run_all([[*command, "--help"] for command in commands], language)
    headed = zip(commands, told, strict=True)
    text = "\n".join(f"$ quinconce {' '.join(command)}\n{help_}" for command, help_ in headed)
    compare(f"help.{language}.txt", text)
