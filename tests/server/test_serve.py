"""Serving: the names and ports of a server, and how it is found."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from quinconce.server import serve


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_a_server_goes_by_local_names_unless_it_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "network_address", lambda: "192.168.1.4")
    monkeypatch.setattr(socket, "gethostname", lambda: "Desk")
    local = serve.host_names("127.0.0.1", frozenset())
    assert local == {"localhost", "127.0.0.1", "::1"}
    shared = serve.host_names("0.0.0.0", frozenset(["games.example"]))
    assert shared >= {*local, "192.168.1.4", "desk", "desk.local", "games.example"}
    assert serve.host_names("192.168.1.4", frozenset()) == {*local, "192.168.1.4"}


def test_if_the_usual_port_is_taken_another_is_found_unless_it_was_asked_for() -> None:
    with serve.bind_socket("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with pytest.raises(ValueError, match="cannot listen at 127"):
            serve.bind_socket("127.0.0.1", taken)
    with (
        serve.bind_socket("127.0.0.1", None) as usual,
        serve.bind_socket("127.0.0.1", None) as other,
    ):
        assert usual.getsockname()[1] != other.getsockname()[1]


@pytest.mark.parametrize(
    "notice",
    [
        "",
        "[]",
        "{}",
        json.dumps({"url": "file:///etc/passwd"}),
        json.dumps({"url": "http://127.0.0.1:9"}),
    ],
)
def test_a_notice_of_a_server_that_is_gone_is_not_believed(notice: str) -> None:
    serve.address_file(None).write_text(notice)
    assert serve.find_running_server(None) is None


def test_a_browser_is_opened_only_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", shown.append)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    serve.open_browser("http://localhost/")
    assert shown == []
    monkeypatch.setenv("DISPLAY", ":0")
    serve.open_browser("http://localhost/")
    assert shown == ["http://localhost/"]
