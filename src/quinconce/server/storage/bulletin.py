"""News from one server to all others on its database, by PostgreSQL's LISTEN and NOTIFY."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from quinconce.core.errors import error_line
from quinconce.server.matches.review_progress import ReviewState

LOG: Final = logging.getLogger("quinconce.server")
CHANNEL: Final = "quinconce"
NOTIFY: Final = text("SELECT pg_notify(:channel, :payload)")
CHECK_SECONDS: Final = 2.0  # between two questions whether the connection still works
RETRY_SECONDS: Final = 0.3  # before it is made anew
CONNECT_SECONDS: Final = 5.0  # in which it has to be there


class Bulletin(msgspec.Struct, frozen=True, array_like=True):
    """What a server tells: of a new event, a match that is gone or reviewed, who came or left."""

    process: str
    kind: Literal["event", "gone", "presence", "review"]
    match: str
    seq: int = 0
    at: float = 0.0
    of: int = 0  # positions of a review, of which `seq` are done
    state: ReviewState = "open"


def publish(connection: Connection, bulletin: Bulletin) -> None:
    """Tell all servers when this transaction is committed; on SQLite there are no others."""
    if connection.dialect.name == "postgresql":
        payload = msgspec.json.encode(bulletin).decode()
        connection.execute(NOTIFY, {"channel": CHANNEL, "payload": payload})


class BulletinLine:
    """The one connection on which a server hears the others; it heals by itself."""

    def __init__(
        self,
        engine: AsyncEngine,
        hear: Callable[[Bulletin], None],
        heal: Callable[[], None],
    ) -> None:
        self.engine = engine
        self.hear = hear
        self.heal = heal
        self.connected = False

    async def run(self) -> None:
        """Listen for ever; whenever the connection is lost, make another."""
        while True:
            try:
                await self._listen()
            except Exception as error:
                if self.connected:
                    LOG.warning(
                        "news of other servers is interrupted: %s", driver_error_line(error)
                    )
            self.connected = False
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        """Listen until the connection ends."""
        async with asyncio.timeout(CONNECT_SECONDS):
            connection = await self.engine.connect()
        try:
            raw: Any = (await connection.get_raw_connection()).driver_connection
            ended = asyncio.Event()
            raw.add_termination_listener(lambda _connection: ended.set())
            async with asyncio.timeout(CONNECT_SECONDS):
                await raw.add_listener(CHANNEL, self._on_notice)
            self.connected = True
            self.heal()
            while not ended.is_set():
                try:
                    await asyncio.wait_for(ended.wait(), CHECK_SECONDS)
                except TimeoutError:
                    await raw.execute("SELECT 1", timeout=CONNECT_SECONDS)
        finally:
            await connection.invalidate()  # it is not for anybody else
            await connection.close()

    def _on_notice(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        try:
            bulletin = msgspec.json.decode(payload, type=Bulletin)
        except msgspec.DecodeError:
            return  # of a newer server, or of somebody else
        self.hear(bulletin)


def driver_error_line(error: BaseException) -> str:
    """What the driver of a database says, in one line."""
    return error_line(getattr(error, "orig", None) or error)
