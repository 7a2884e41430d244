"""`quinconce review`: a table, a curve, JSON, pictures, a record; one sentence where it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run_command, run_in_french, run_refused
from moves import match_after

from quinconce.core.record import Record, read_record

MOVES = "@G @1 @4 1-7 @C"  # the fourth loses a drawn game


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "match.txt"
    Record.of(match_after("diadema", MOVES)).save(path)
    return path


@pytest.mark.process
def test_a_review_is_a_table_a_curve_and_how_accurate_everybody_was(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = run_command(capsys, "review", str(record), "--nodes", "100")
    assert "1-7 threw away a proven draw" in shown
    assert " 100 |    *\n" in shown
    assert "     |****\n" in shown  # that it is drawn is proved; what one sees is a little better
    assert "Player 1 (light)      100%" in shown
    french = run_in_french("review", str(record), "--nodes", "100").stdout
    assert "précision" in french
    assert "Joueur 1 (clair)" in french


def test_a_review_as_json_a_picture_and_a_record(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    curve, saved = record.with_name("curve.svg"), record.with_name("saved.txt")
    more = ("--out", str(curve), "--save", str(saved), "--json")
    data = json.loads(run_command(capsys, "review", str(record), "--nodes", "100", *more))
    assert (data["game"], data["options"]) == ("diadema", {})
    judgements = [ply["judgement"] for ply in data["plies"]]
    assert judgements == [None, None, None, "blunder", None]
    fourth = data["plies"][3]
    assert (fourth["ply"], fourth["seat"], fourth["move"]) == (4, 1, "1-7")
    assert (fourth["proven_before"], fourth["proven_after"]) == ("draw", "loss")
    assert (fourth["score_before"], fourth["score_after"]) == (0.5, 0.0)
    assert fourth["line"][0] == fourth["best"]
    assert data["accuracy"][0] == 100
    assert (fourth["punished_in"], fourth["went_by"]) == (1, None)
    assert "blunder" in curve.read_text()
    kept, match = read_record(saved.read_text())
    assert match.moves == MOVES.split()
    assert kept.variations
    assert [node.mark for node in kept.variations.main_line()] == ["", "", "", "??", ""]


@pytest.mark.parametrize(
    ("text", "more", "told"),
    [
        (None, (), "no move has been played"),
        ("nonsense", (), "match.txt"),
        (MOVES, ("--nodes", "0"), "--nodes goes from 1"),
        (MOVES, ("--out", "curve.gif"), "a picture is written to .svg or .png"),
        (MOVES, ("--save", "nowhere/at/all.txt"), "nowhere"),
    ],
)
def test_what_cannot_be_reviewed_is_refused_in_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str | None,
    more: tuple[str, ...],
    told: str,
) -> None:
    path = tmp_path / "match.txt"
    if text == "nonsense":
        path.write_text(text)
    else:
        Record.of(match_after("diadema", text or "")).save(path)
    assert told in run_refused(capsys, "review", str(path), *more)
