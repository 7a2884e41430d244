"""A stream sends its history in pieces, and stands still while its reader does not read."""

from __future__ import annotations

import asyncio
import socket
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from app_client import AppClient, MatchDriver, open_app
from raw_requests import RawRequest
from waiting import until_true

from quinconce.server.answers import streams
from quinconce.server.serve import MAX_UNSENT_BYTES, bind_socket

anyio = pytest.mark.anyio
EVENTS = 40


async def long_match(app: AppClient) -> MatchDriver:
    """A match with a history: somebody has called themselves many things."""
    match = await app.create_match()
    for n in range(EVENTS):
        await match.send_ok(n % 2, "seat", name=f"name {n}", seq=n)
    return match


def sent(reader: RawRequest, pieces: int) -> bool:
    return len(reader.parts) == pieces


def events_in(parts: list[bytes]) -> int:
    return b"".join(parts).count(b'"kind":"name"')


@anyio
async def test_a_reader_is_sent_the_next_piece_when_the_one_before_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "EVENTS_AT_ONCE", 8)
    async with open_app(tmp_path) as app:
        match = await long_match(app)

        async def read_late() -> None:
            reader = RawRequest("GET", f"{match.path}/events")
            reader.reads = asyncio.Semaphore(0)
            following = asyncio.create_task(reader.run(app.client.app))
            await until_true(lambda: reader.status)
            for pieces in range(1, EVENTS // 8 + 1):
                assert events_in(reader.parts) == 8 * (pieces - 1)
                reader.reads.release()  # it has read what came
                await until_true(partial(sent, reader, pieces))
            assert events_in(reader.parts) == EVENTS
            reader.left.set()
            reader.reads.release()
            await following

        app.call_in_app(read_late)


@anyio
async def test_only_the_last_event_of_a_history_comes_with_the_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "EVENTS_AT_ONCE", 8)
    async with open_app(tmp_path) as app:
        match = await long_match(app)

        async def read() -> list[Any]:
            reader = RawRequest("GET", f"{match.path}/events")
            reader.scope["headers"].append((b"accept", b"text/event-stream"))  # type: ignore[attr-defined]
            following = asyncio.create_task(reader.run(app.client.app))
            await until_true(lambda: events_in(reader.parts) == EVENTS)
            reader.left.set()
            await following
            return reader.parts

        text = b"".join(app.call_in_app(read)).decode()
        told = [line for line in text.splitlines() if '"kind":"name"' in line]
        assert ['"view":' in line for line in told] == [False] * (EVENTS - 1) + [True]


def test_the_system_keeps_little_of_what_a_reader_does_not_read() -> None:
    with (
        bind_socket("127.0.0.1", 0) as door,
        socket.create_connection(door.getsockname()),
        door.accept()[0] as accepted,
    ):
        kept = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT)
        assert kept == MAX_UNSENT_BYTES
