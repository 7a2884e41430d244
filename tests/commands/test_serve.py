"""`quinconce serve`: its limits by option and environment, and what it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import run_refused

from quinconce.commands.serve import PREFIX, parse_address, parse_limits
from quinconce.server.settings import ServerLimits

HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"


def test_every_limit_is_in_the_table_with_its_default() -> None:
    text = HOSTING.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| .+ \| .+ \|$", text, re.M)
    limits = ServerLimits()
    assert [(name, int(value)) for name, value in rows] == [
        (name, getattr(limits, name)) for name in ServerLimits.__struct_fields__
    ]


@pytest.mark.parametrize("name", ServerLimits.__struct_fields__)
def test_every_limit_is_set_by_an_option_or_a_variable(name: str) -> None:
    environment = {PREFIX + name.upper(): "7", "OTHER": "8"}
    assert getattr(parse_limits([], environment), name) == 7
    assert getattr(parse_limits([f"{name}=9"], environment), name) == 9
    assert parse_limits([], {PREFIX + name.upper(): ""}) == ServerLimits()


@pytest.mark.usefixtures("in_english")
def test_a_limit_that_is_none_is_refused_with_those_there_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = run_refused(capsys, "serve", "--limit", "stream=5")
    assert "there is no limit 'stream'" in line
    assert "streams_per_address, total_streams, loaded_matches" in line
    for wrong in ("total_streams=many", "total_streams=0", "total_streams=-1", "total_streams="):
        assert "total_streams is a number from 1 to" in run_refused(
            capsys, "serve", "--limit", wrong
        )
    assert "is not like key=value" in run_refused(capsys, "serve", "--limit", "total_streams")
    monkeypatch.setenv(f"{PREFIX}TOTAL_STREAM", "5")
    assert "there is no limit 'total_stream'" in run_refused(capsys, "serve")


@pytest.mark.usefixtures("in_english")
def test_several_processes_need_a_database_server(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path / 'matches.sqlite'}"
    line = run_refused(capsys, "serve", "--processes", "2", "--database", database)
    assert "SQLite is served by one process" in line
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("in_english")
@pytest.mark.parametrize("wrong", ["proxy.example", "10.0.0", "10.0.0.5:80", "10.0.0.0/99", ""])
def test_a_proxy_is_given_by_its_address(capsys: pytest.CaptureFixture[str], wrong: str) -> None:
    assert "is not an address like 10.0.0.5" in run_refused(capsys, "serve", "--proxy-at", wrong)


def test_an_address_or_a_network_is_understood() -> None:
    given = ("10.0.0.5", "10.0.0.9/24", "::1", "fd00::/8")
    assert [parse_address(text) for text in given] == ["10.0.0.5", "10.0.0.0/24", "::1", "fd00::/8"]
