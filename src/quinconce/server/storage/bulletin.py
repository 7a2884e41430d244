"""News from one server to all others on its database, by PostgreSQL's LISTEN and NOTIFY."""

from __future__ import annotations

import logging
from typing import Final, Literal

import msgspec
from sqlalchemy import Connection, text

from quinconce.core.errors import error_line
from quinconce.server.matches.protocols import ReviewState

LOG: Final = logging.getLogger("quinconce.server")
CHANNEL: Final = "quinconce"
NOTIFY: Final = text("SELECT pg_notify(:channel, :payload)")


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


def driver_error_line(error: BaseException) -> str:
    """What the driver of a database says, in one line."""
    return error_line(getattr(error, "orig", None) or error)
