"""The files that a host copies: the unit for systemd and the Caddyfiles, read by the real tools."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from quinconce.commands.serve import serve_command

FOLDER = Path(__file__).parents[1] / "docs" / "hosting"
UNIT = FOLDER / "quinconce.service"
PROGRAM = "/opt/quinconce/.venv/bin/quinconce"


def tool(name: str) -> str:
    """A program of the system; where it is missing, the test is skipped and says so."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: what a host copies was NOT checked by it")
    return found


def verify_unit(text: str, folder: Path) -> str:
    """What systemd finds wrong with a unit whose program is where it is not."""
    unit = folder / UNIT.name
    unit.write_text(text.replace(PROGRAM, "/bin/true"))
    command = [tool("systemd-analyze"), "verify", "--man=no", str(unit)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    told = done.stderr if done.returncode == 0 else f"{done.returncode} {done.stderr}"
    return "\n".join(line for line in told.splitlines() if UNIT.name in line or done.returncode)


@pytest.mark.process
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    text = UNIT.read_text(encoding="utf-8")
    assert PROGRAM in text
    assert verify_unit(text, tmp_path) == ""
    assert "KilMode" in verify_unit(text.replace("KillMode", "KilMode"), tmp_path)


@pytest.mark.process
@pytest.mark.parametrize("name", ["Caddyfile", "Caddyfile.several"])
def test_caddy_finds_nothing_wrong_with_its_files(name: str, tmp_path: Path) -> None:
    command = [tool("caddy"), "validate", "--adapter", "caddyfile", "--config", str(FOLDER / name)]
    environment = {"HOME": str(tmp_path), "PATH": ""}
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env=environment
    )
    assert done.returncode == 0, done.stderr


def served_with() -> list[list[str]]:
    """The arguments of `quinconce serve` in the files: what the unit runs, what a remark shows."""
    unit = re.search(rf"^ExecStart={PROGRAM} serve (.*) \$OPTIONS$", UNIT.read_text(), re.M)
    several = re.search(r"«quinconce serve (.*?)»", (FOLDER / "Caddyfile.several").read_text())
    assert unit
    assert several
    shown = several[1].replace("ITS-ADDRESS", "10.0.0.11").replace("THIS-ADDRESS", "10.0.0.5")
    return [shlex.split(unit[1]), shlex.split(shown)]


@pytest.mark.parametrize("arguments", served_with(), ids=["unit", "several"])
def test_the_command_in_them_is_understood(arguments: list[str]) -> None:
    context = serve_command.make_context("serve", list(arguments))
    assert isinstance(context, click.Context)
    assert context.params["names"] == ("games.example",)
    assert context.params["proxy"] or context.params["proxies"]
