"""The engine as an opponent in the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run_command
from moves import match_after

import quinconce

pytestmark = pytest.mark.usefixtures("in_english")


def test_a_person_plays_an_engine_and_takes_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["@A", "undo", "@B", "hint", "quit"])
    monkeypatch.setattr("builtins.input", lambda _question: next(typed))
    told = run_command(capsys, "play", "diadema", "--seat", "2=engine:2", "--save", "kept.json")
    assert told.count("Taken back:") == 2  # the engine's move and the person's
    assert "The engine would play" in told
    moves = json.loads(Path("kept.json").read_text(encoding="utf-8"))["moves"]
    assert moves[0] == "@B"
    assert len(moves) == 2


def test_a_resumed_record_knows_who_is_an_engine(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["@A", "quit", "A-G", "A-B", "quit", "quit"])
    monkeypatch.setattr("builtins.input", lambda _question: next(typed))
    run_command(capsys, "play", "diadema", "--seat", "2=engine:4", "--save", "kept.json")
    run_command(capsys, "play", "--resume", "kept.json")
    moves = json.loads(Path("kept.json").read_text(encoding="utf-8"))["moves"]
    assert len(moves) in (4, 6)  # its ball on A may have gone both ways
    assert moves[0] == "@A"


def test_an_engine_agrees_to_stop_only_if_it_is_not_better(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Light has given Dark an open row of three: Dark plays on."""
    match = match_after("diadema", "@4 @A @5 @B @E")
    quinconce.Record.of(match, [quinconce.Seat("Ada"), quinconce.Seat(level=3, seed=1)]).save(
        Path("kept.json")
    )
    typed = iter(["draw", "y", "quit"])
    monkeypatch.setattr("builtins.input", lambda _question: next(typed))
    assert "The game goes on." in run_command(capsys, "play", "--resume", "kept.json")
