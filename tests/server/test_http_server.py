"""Connections on which no whole request comes are closed; all others are left alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from app_client import make_settings
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState
from waiting import until_true

from quinconce.server.app import application
from quinconce.server.http_server import RequestTimeLimit, limit_request_time, uvicorn_config

PROTOCOLS: list[type[asyncio.Protocol]] = [H11Protocol]
try:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    PROTOCOLS.append(HttpToolsProtocol)
except ImportError:  # it is installed where there is one ready-made
    pass

pytestmark = pytest.mark.anyio
HEADERS = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n"


class Timer:
    """A timer that runs out when it is told to."""

    def __init__(self, seconds: float, do: Callable[[], None]) -> None:
        self.seconds = seconds
        self.do = do
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Loop:
    """The running event loop, with timers that wait for the test."""

    def __init__(self) -> None:
        self.timers: list[Timer] = []
        self.create_task = asyncio.get_running_loop().create_task

    def call_later(self, seconds: float, do: Callable[[], None]) -> Timer:
        self.timers.append(Timer(seconds, do))
        return self.timers[-1]


class Transport(asyncio.Transport):
    """A connection whose other side is the test."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False
        self.sent = b""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += data

    def pause_reading(self) -> None:
        """Nothing comes by itself."""

    def resume_reading(self) -> None:
        """Nothing comes by itself."""


class Connection:
    """A connection to an application that answers when the body is there and it may."""

    def __init__(self, protocol: type[asyncio.Protocol]) -> None:
        self.may_answer = asyncio.Event()
        self.loop, self.transport = Loop(), Transport()
        config = uvicorn.Config(self.answer, interface="asgi3", lifespan="off", log_config=None)
        timed: Any = limit_request_time(protocol, 30.0)
        self.protocol = timed(config, ServerState(), {}, self.loop)
        self.protocol.connection_made(self.transport)

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        await self.may_answer.wait()
        while (await receive()).get("more_body"):
            pass
        headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    def send(self, data: bytes) -> None:
        self.protocol.data_received(data)

    def running_limits(self) -> list[Timer]:
        return [
            timer for timer in self.loop.timers if timer.seconds == 30.0 and not timer.cancelled
        ]

    async def until_answered(self) -> None:
        self.may_answer.set()
        await until_true(lambda: b"200" in self.transport.sent)
        await until_true(lambda: self.protocol.cycle.response_complete)
        self.transport.sent = b""


@pytest.fixture(params=PROTOCOLS, ids=lambda protocol: str(protocol.__name__))
async def connection(request: pytest.FixtureRequest) -> Connection:
    return Connection(request.param)


@pytest.mark.parametrize(
    "pieces",
    [(), (b"GET", b" / HT", b"TP/1.1\r\n"), (HEADERS,), (HEADERS[:9], HEADERS[9:], b"12", b"3")],
    ids=["nothing", "headers", "no body", "body"],
)
async def test_a_connection_with_an_unfinished_request_is_closed(
    connection: Connection, pieces: tuple[bytes, ...]
) -> None:
    for piece in pieces:
        connection.send(piece)
    (limit,) = connection.running_limits()  # pieces do not begin it anew
    assert len(connection.loop.timers) == 1
    assert not connection.transport.closed
    limit.do()
    assert connection.transport.closed
    connection.protocol.connection_lost(None)


async def test_a_request_that_came_whole_has_all_the_time(connection: Connection) -> None:
    connection.send(HEADERS + b"12")
    connection.send(b"34")
    assert connection.running_limits() == []
    await connection.until_answered()
    assert connection.running_limits() == []
    assert not connection.transport.closed


async def test_the_next_request_of_a_connection_is_limited_too(connection: Connection) -> None:
    connection.send(HEADERS + b"1234")
    await connection.until_answered()
    connection.send(HEADERS + b"1234")
    await connection.until_answered()
    assert connection.running_limits() == []
    connection.send(HEADERS[:20])
    (limit,) = connection.running_limits()
    limit.do()
    assert connection.transport.closed


async def test_the_time_in_which_we_do_not_read_is_not_counted(connection: Connection) -> None:
    body = b"x" * 200_000
    connection.send(HEADERS.replace(b": 4", b": 200001") + body)
    assert connection.protocol.flow.read_paused
    (limit,) = connection.running_limits()
    limit.cancelled = True  # it has run out
    limit.do()
    assert not connection.transport.closed
    assert len(connection.running_limits()) == 1
    connection.send(b"y")
    assert connection.running_limits() == []
    await connection.until_answered()


async def test_a_connection_that_is_lost_is_not_waited_for(connection: Connection) -> None:
    connection.protocol.connection_lost(None)
    assert connection.running_limits() == []


async def test_a_server_has_the_limit_of_its_settings(tmp_path: Path) -> None:
    settings = make_settings(tmp_path, request_seconds=7.0)
    protocol: Any = uvicorn_config(application(settings), settings).http
    assert issubclass(protocol, RequestTimeLimit)
    assert protocol.seconds == 7.0
