"""`quinconce matches make`: its engines and its file; tests/server/clubs has the rest."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command_line import run_command, run_refused

from quinconce.cli import main
from quinconce.server.storage.database import PRAGMAS

MAKE = ("matches", "make", "club", "diam", "--url", "https://games.example")
pytestmark = pytest.mark.usefixtures("in_english", "database")


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "matches.sqlite"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("QUINCONCE_DATABASE", f"sqlite:///{path}")
    return path


@pytest.mark.parametrize(
    ("language", "seat"),
    [("en", "2=engine:3"), ("en", "2=engine"), ("fr", "2=moteur:3"), ("fr", "2=engine:3")],
)
def test_a_seat_is_given_to_the_engine_in_the_words_of_play(
    language: str,
    seat: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", language)
    made = run_command(capsys, *MAKE, "--given", "--seat", seat)
    rows = list(csv.DictReader(io.StringIO(made)))
    assert [row["kind"] for row in rows] == ["friend", "engine"]


@pytest.mark.parametrize("seat", ["2=Ada", "2=", "x=engine:3", "0=engine:3", "engine:3"])
def test_any_other_seat_is_refused(seat: str, capsys: pytest.CaptureFixture[str]) -> None:
    refusal = run_refused(capsys, "matches", "make", "club", "diam", "--seat", seat)
    assert "is not like N=engine:LEVEL with N from 1 to 2" in refusal


def test_no_match_is_made_if_its_links_cannot_be_written(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refusal = run_refused(capsys, "matches", "make", "club", "diam", "--csv", "no/links.csv")
    assert "no/links.csv: there is no such file or folder" in refusal
    assert not database.exists()


@pytest.mark.parametrize(
    ("url", "warned"),
    [(None, True), ("http://127.0.0.1:9000", True), ("http://192.168.1.20:8000", False)],
)
def test_links_that_work_on_this_machine_only_are_warned_of(
    url: str | None, warned: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*MAKE[:4], *(["--url", url] if url else [])])
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 3  # the links are there all the same
    assert ("work on this machine only" in told.err) == warned


def test_slips_have_a_code_and_a_name_for_each_friend(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names, slips = tmp_path / "names.csv", tmp_path / "slips.html"
    names.write_text("Ada,Zo\u00eb <b>\nBo,Cy\n", encoding="utf-8")
    given = ("--given", "--names", str(names), "--slips", str(slips))
    rows = list(csv.DictReader(io.StringIO(run_command(capsys, *MAKE, *given))))
    page = slips.read_text(encoding="utf-8")
    assert page.count('class="slip"') == page.count("<svg") == 4
    for row in rows:
        assert row["link"] in page
    assert "Ada (red and orange)" in page
    assert "With Zo\u00eb &lt;b&gt; (brown and black)" in page
    assert "http-equiv" not in page
    assert "src=" not in page  # nothing is loaded from elsewhere


def test_a_full_disk_is_told_on_one_line(
    database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_command(capsys, *MAKE)
    full = (*PRAGMAS, "PRAGMA max_page_count = 1")  # which means: no more than now
    monkeypatch.setattr("quinconce.server.storage.database.PRAGMAS", full)
    refusal = run_refused(capsys, "matches", "make", "club", "diam", "--count", "1000")
    assert "this database cannot be used" in refusal
    assert "full" in refusal


def test_a_data_folder_that_cannot_be_made_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.delenv("QUINCONCE_DATABASE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    refusal = run_refused(capsys, "matches", "make", "club", "diam")
    assert f"{tmp_path / 'file' / 'quinconce'}: a part of the path is not a folder" in refusal
