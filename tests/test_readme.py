"""The README: what it shows is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import quinconce
from quinconce.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(opening: str, after: str) -> str:
    """The fenced block after a heading."""
    text = README[README.index(after) :]
    return text[text.index(f"```{opening}\n") :].split("```")[1].removeprefix(opening)


def test_the_game_to_paste_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    code = block("python", "## A game to paste")
    exec(code, {})
    printed = capsys.readouterr().out.split("\n")
    promised = re.findall(r"print\(.*#  ?(.*)", code)
    assert len(promised) == 4
    assert printed[:3] == promised[:3]
    assert quinconce.Record.read("\n".join(printed[3:])).moves == ("r@1", "m@1", "r@5")


def test_the_engine_plays_on_from_there(capsys: pytest.CaptureFixture[str]) -> None:
    match = quinconce.Match(quinconce.game("diam"))
    exec(block("python", "The engine plays any game"), {"match": match, "quinconce": quinconce})
    chosen, *deepening = capsys.readouterr().out.splitlines()
    assert chosen in match.legal()
    assert [line.split()[0] for line in deepening] == ["1", "2", "3"]


def test_the_board_is_drawn_like_this(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    monkeypatch.setenv("COLUMNS", "100")
    heading = "## A board in the terminal"
    command = re.search(r"`quinconce (show .*)`", README[README.index(heading) :])
    assert command
    main(shlex.split(command[1]))
    assert block("", heading).strip("\n") == capsys.readouterr().out.rstrip()


def test_every_command_it_names_runs(capsys: pytest.CaptureFixture[str]) -> None:
    lines = block("", "## At the command line").strip().split("\n")
    assert len(lines) == 18
    for line in lines:
        command = re.split(r"  +", line)[0].split(", ")[0]
        arguments = shlex.split(command)[1:]
        known = arguments[:1] + (
            ["--help"]
            if arguments[0] in ("play", "check", "bench", "match", "puzzles", "solve", "verify")
            else arguments[1:]
        )
        main(known)
        assert capsys.readouterr().out


def test_the_table_names_every_game_and_option() -> None:
    table = README[README.index("## The five games") :]
    for name in quinconce.names():
        assert f"`{name}`" in table
        assert all(f"`{option}" in table for option in quinconce.game(name).options)


@pytest.mark.parametrize("name", ["run", "test", ".ci/run"])
def test_the_scripts_are_plain_sh_and_can_be_run(name: str) -> None:
    script = ROOT / name
    assert script.read_text().startswith("#!/bin/sh\n")
    assert script.stat().st_mode & 0o111


def drawings() -> list[list[str]]:
    """The arguments of every command that makes a picture of the README."""
    lines = (ROOT / "tools" / "pictures.sh").read_text(encoding="utf-8").split("\n")
    return [shlex.split(line)[1:] for line in lines if line.startswith("quinconce draw ")]


def test_every_picture_is_shown_and_no_other() -> None:
    files = {arguments[-1].removeprefix("$to/") for arguments in drawings()}
    assert len(files) == 6
    assert set(re.findall(r'src="docs/pictures/([^"]*)"', README)) == files
    assert {path.name for path in (ROOT / "docs" / "pictures").iterdir()} == files


@pytest.mark.parametrize("arguments", drawings(), ids=lambda arguments: str(arguments[-1]))
def test_a_picture_is_what_the_house_draws_now(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    name = arguments[-1].removeprefix("$to/")
    main([*arguments[:-1], str(tmp_path / name)])
    kept = ROOT / "docs" / "pictures" / name
    assert (tmp_path / name).read_text() == kept.read_text(), "run tools/pictures.sh"
