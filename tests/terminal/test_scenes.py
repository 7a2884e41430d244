"""A match browsed in the terminal."""

from __future__ import annotations

from pathlib import Path

import pexpect
import pytest
from command_line import spawn_in_terminal

import quinconce
from quinconce import Match, Record

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("in_english")]


def test_a_record_is_leafed_through_with_the_arrow_keys(tmp_path: Path) -> None:
    match = Match(quinconce.game("diadema"))
    for text in ("@A", "@D", "@1"):
        match.play(text)
    file = tmp_path / "match.quinconce"
    Record.of(match).save(file)
    child = spawn_in_terminal("replay", str(file))
    child.expect("0 of 3")
    child.send("\x1b[C")
    child.expect("1 of 3")
    child.send("n")
    child.expect("2 of 3")
    child.send("\x1b[D")
    child.expect("1 of 3")
    child.send("q")
    child.expect(pexpect.EOF)


def test_keys_that_are_pressed_early_are_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "match.quinconce"
    match = Match(quinconce.game("diadema"))
    match.play("@A")
    Record.of(match).save(file)
    child = spawn_in_terminal("replay", str(file))
    child.send("n\x1b[Dn\x1b[D\x1b[Cq")  # before there is anything to see
    for ply in (0, 1, 0, 1, 0, 1):
        child.expect(f"{ply} of 1")
    child.expect(pexpect.EOF)
