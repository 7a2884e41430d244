"""The documentation stays true: examples run, commands exist, links lead somewhere."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from doc_pages import DOCS, PAGES, ROOT, blocks, page_name, page_text

import quinconce
from quinconce import Record
from quinconce.cli import main

PROMISE = re.compile(r"print\(.*\)  # (.*)$")
README = page_text(ROOT / "README.md")
PICTURES = DOCS / "pictures"
SCREENSHOTS = {"match-light.png", "match-dark.png"}
MAX_SCREENSHOT_BYTES = 150_000


# Python.


def run_examples(page: Path) -> list[str]:
    """Run the Python of a page, block after block; the lines that print another text than told."""
    lines = page.read_text(encoding="utf-8").split("\n")
    wrong: list[str] = []

    def compare(*values: object) -> None:
        line = sys._getframe(1).f_lineno
        promised = PROMISE.search(lines[line - 1])
        said = " ".join(map(str, values))
        if promised and promised[1] != said:
            wrong.append(f"{page.name}:{line} prints {said}")

    names: dict[str, Any] = {"print": compare, "__name__": "example"}
    for block in blocks(page, "python"):
        assert not re.search(r"^\s*\)  #", block.text, re.M), "a promise stands on one line"
        exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
    return wrong


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=page_name)
def test_every_python_example_prints_what_it_says(page: Path) -> None:
    assert run_examples(page) == []


def test_an_example_that_prints_another_text_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A page\n\n```python\nprint(1 + 1)  # 2\nprint(1 + 1)  # 3\n```\n")
    assert run_examples(page) == ["page.md:5 prints 2"]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "text")], ids=page_name)
def test_every_record_that_is_shown_can_be_read(page: Path) -> None:
    for block in blocks(page, "text"):
        if block.text.startswith("[Format "):
            assert Record.read(block.text).match().outcome()


# The README and its pictures.


def test_the_board_is_drawn_like_this(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    monkeypatch.setenv("COLUMNS", "100")
    page = page_text(DOCS / "play.md")
    shown = page[page.index("### A board in the terminal") :]
    command = re.search(r"`quinconce (show .*)`", shown)
    assert command
    main(shlex.split(command[1]))
    assert shown.split("```")[1].strip("\n") == capsys.readouterr().out.rstrip()


def test_the_table_names_every_game_and_option() -> None:
    table = README[README.index("## The five games") :]
    for name in quinconce.names():
        assert f"`{name}`" in table
        assert all(f"`{option}" in table for option in quinconce.game(name).options)


@pytest.mark.parametrize("name", ["run", "test", ".ci/run", "tools/pictures.sh"])
def test_the_scripts_are_plain_sh_and_can_be_run(name: str) -> None:
    script = ROOT / name
    assert script.read_text().startswith("#!/bin/sh\n")
    assert script.stat().st_mode & 0o111


def drawings() -> list[list[str]]:
    """The arguments of every command that makes a picture of the README."""
    lines = (ROOT / "tools" / "pictures.sh").read_text(encoding="utf-8").split("\n")
    return [shlex.split(line)[1:] for line in lines if line.startswith("quinconce draw ")]


def test_every_picture_is_shown_and_no_other() -> None:
    files = {arguments[-1].removeprefix("$to/") for arguments in drawings()} | SCREENSHOTS
    assert len(files) == 8
    assert set(re.findall(r'src(?:set)?="docs/pictures/([^"]*)"', README)) == files
    assert {path.name for path in PICTURES.iterdir()} == files


@pytest.mark.parametrize("name", sorted(SCREENSHOTS))
def test_a_screenshot_is_a_small_picture(name: str) -> None:
    data = (PICTURES / name).read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    assert len(data) < MAX_SCREENSHOT_BYTES


@pytest.mark.parametrize("arguments", drawings(), ids=lambda arguments: str(arguments[-1]))
def test_a_picture_is_what_draw_draws_now(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    name = arguments[-1].removeprefix("$to/")
    main([*arguments[:-1], str(tmp_path / name)])
    assert (tmp_path / name).read_text() == (PICTURES / name).read_text(), "run tools/pictures.sh"
