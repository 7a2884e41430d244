"""The group of commands: where each stands, and that only the one that runs is imported."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from quinconce.commands import group
from quinconce.commands.group import COMMANDS, FAMILIES, load_command

FOLDER = Path(group.__file__).parent
FILES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in ("__init__", "group"))
SLOW = ("numba", "numpy", "litestar", "rich.markdown", "rich.console", "asyncio")


def commands_in(file: str) -> dict[str | None, click.Command]:
    """The commands that are defined in a file, by name."""
    module = import_module(f"quinconce.commands.{file}")
    found = [value for value in vars(module).values() if isinstance(value, click.Command)]
    return {command.name: command for command in found}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_stands_in_the_file_of_its_name_or_of_its_family(name: str) -> None:
    assert name in commands_in(FAMILIES.get(name, name))
    assert load_command(name).name == name


def test_every_command_of_every_file_is_in_the_group() -> None:
    found = [command for file in FILES for command in commands_in(file).values()]
    nested = [
        part
        for command in found
        if isinstance(command, click.Group)
        for part in command.commands.values()
    ]
    assert sorted(str(one.name) for one in found if one not in nested) == list(COMMANDS)


def test_a_family_is_a_file_of_commands_that_have_none_of_their_own() -> None:
    assert set(FAMILIES) <= set(COMMANDS)
    assert not set(FAMILIES) & set(FILES)
    assert set(FAMILIES.values()) <= set(FILES)


@pytest.mark.process
def test_a_quick_command_loads_nothing_slow() -> None:
    script = f"""
import sys
from quinconce.cli import main
main(["moves", "diam"])
print([name for name in {SLOW} if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stderr == "[]\n"
