"""The settings of a server: where it listens, who may ask, and how much."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct, field

LOCAL_NAMES: Final = ("localhost", "127.0.0.1", "::1")
PORT: Final = 8642
HOUR: Final = 3600.0
DAY: Final = 24 * HOUR


class Limits(Struct, frozen=True):
    """How much one may ask for; an address is a machine, or a household."""

    body: int = 262_144  # bytes of a request
    asks: int = 3000  # requests a minute and address; a classroom may be one address
    posts: int = 600  # of them, those that change something
    matches: int = 200  # made an hour and address
    at_once: int = 100  # matches made by one request
    streams: int = 100  # open at once an address
    all_streams: int = 2000  # open at once
    length: int = 2000  # moves of a match
    hints: int = 100  # a match
    links: int = 5  # secret links a seat
    thinking: int = 24  # hints and engine moves that wait


class Settings(Struct, frozen=True):
    """Everything that can be told to a server."""

    host: str = "127.0.0.1"
    port: int = PORT
    database: str | None = None
    names: frozenset[str] = frozenset(LOCAL_NAMES)  # the hosts by which we may be called
    shared: str | None = None  # our address in the local network, if we serve it
    proxy: bool = False  # whether somebody in front of us tells who asks
    limits: Limits = field(default_factory=Limits)
    workers: int = 1  # processes in which engines think
    away: float = 60.0  # seconds after which the seat of somebody absent may be lent
    unstarted: float = 7 * DAY  # after which a match without a move expires
    breath: float = 15.0  # seconds between signs of life on a quiet stream
    now: Callable[[], float] = time.time
