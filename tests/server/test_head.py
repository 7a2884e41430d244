"""HEAD: every address that answers GET answers it with the same headers and no body."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from app_client import FakeClock, open_app
from server_process import run_server
from waiting import PATIENCE

from quinconce.server.views.templates import static_version

pytestmark = pytest.mark.anyio
CHANGING = {"date"}  # headers that two answers may differ in


async def test_head_has_the_headers_of_get_and_no_body(tmp_path: Path) -> None:
    async with open_app(tmp_path, now=FakeClock()) as app:
        match = await app.create_match()
        for path in (
            "/",
            "/game/diam",
            f"/match/{match.id}",
            "/analysis",
            "/known",
            "/favicon.ico",
            f"/static/{static_version()}/match.js",
            f"/static/{static_version()}/nothing.js",
            "/nothing",
            "/api/games",
            "/api/health",
            match.path,
            f"{match.path}/record",
            "/api/schema/openapi.json",
            "/api/nothing",
        ):
            whole = await match.watcher.get(path, accept="text/html")
            head = await match.watcher.request("HEAD", path, accept="text/html")
            assert head.status_code == whole.status_code, path
            told = {k: v for k, v in head.headers.items() if k not in CHANGING}
            assert told == {k: v for k, v in whole.headers.items() if k not in CHANGING}, path
            assert head.content == b"", path
            assert whole.content, path


async def test_an_address_that_only_changes_something_says_what_it_knows(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        answer = await match.watcher.request("HEAD", f"{match.path}/moves")
        assert answer.status_code == 405
        assert "POST" in answer.headers["allow"]
        answer = await match.watcher.post("/api/games")
        assert answer.status_code == 405
        assert {"GET", "HEAD"} <= set(answer.headers["allow"].split(", "))


async def test_the_head_of_a_stream_ends_and_seats_nobody(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        answer = await match.people[0].request(
            "HEAD", f"{match.path}/events", accept="text/event-stream"
        )
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert not (await match.view())["seats"][0]["present"]


@pytest.mark.process
def test_a_real_server_sends_nothing_after_the_headers(tmp_path: Path) -> None:
    with run_server(tmp_path) as server:
        made = server.create_match()
        host, port = server.url.removeprefix("http://").split(":")
        for path in ("/", f"{made['path']}/events"):
            with socket.create_connection((host, int(port)), timeout=PATIENCE) as wire:
                wire.sendall(
                    f"HEAD {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
                )
                answer = b"".join(iter(lambda: wire.recv(65536), b""))
            headers, _, body = answer.partition(b"\r\n\r\n")
            assert headers.startswith(b"HTTP/1.1 200")
            assert body == b""
