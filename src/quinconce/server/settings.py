"""The settings of a server: where it listens, who may ask, and how much."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct, field

LOCAL_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
DEFAULT_PORT: Final = 8642
MINUTE: Final = 60.0
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR


class ServerLimits(Struct, frozen=True):
    """How much one may ask for; an address is a machine, or a household.

    Each is a setting of its name: docs/hosting.md says what it protects.
    """

    body_bytes: int = 262_144  # bytes of a request
    requests_per_minute: int = 3000  # requests a minute and address; a classroom may be one address
    writes_per_minute: int = 600  # of them, those that change something
    total_writes_per_minute: int = 60_000  # from all addresses
    matches_per_hour: int = 200  # made an hour and address
    total_matches_per_hour: int = 20_000  # made an hour, from all addresses
    wrong_secrets_per_hour: int = 300  # an hour and address
    matches_per_request: int = 100  # matches made by one request
    studies_per_hour: int = 60  # studies made an hour and address
    studies_per_address: int = 500  # kept at once an address
    study_bytes_per_address: int = 20_000_000  # of all that are kept
    total_studies: int = 50_000  # kept at once
    total_study_bytes: int = 2_000_000_000  # of all that are kept
    study_boards: int = 32  # boards of a study
    study_moves: int = 5000  # moves of a study, on all its boards
    pictures_per_minute: int = 300  # rendered, a minute and address
    moves_per_minute: int = 100_000  # checked or drawn for others, a minute and address
    streams_per_address: int = 200  # open at once an address
    total_streams: int = 10_000  # open at once
    loaded_matches: int = 2000  # in memory at once, those that are watched aside
    match_length: int = 2000  # moves of a match
    hints_per_match: int = 100  # a match
    links_per_seat: int = 5  # secret links a seat
    browsers_per_seat: int = 100  # browsers that have taken a seat by its links
    engine_queue: int = 24  # hints and engine moves that wait, an address
    # Pages analyse by themselves: these are of programs, and of browsers that cannot.
    analyses_per_address: int = 4  # under way at once an address
    total_analyses: int = 8  # under way at once
    analysis_seconds: int = 180  # that an analysis goes on
    review_length: int = 400  # moves of a match that is reviewed
    reviews_per_address: int = 10  # reviews under way or waiting, an address
    reviews_waiting: int = 50  # reviews under way or waiting


class Settings(Struct, frozen=True):
    """Everything that can be told to a server."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    database: str | None = None
    allowed_hosts: frozenset[str] = frozenset(LOCAL_HOSTS)  # the hosts by which we may be called
    shared_url: str | None = None  # our address in the local network, if we serve it
    trust_proxy: bool = False  # whether a proxy in front of us tells who asks
    proxies: frozenset[str] = frozenset()  # where it is, if not on this machine
    metrics_token: str | None = None  # lets somebody on another machine read the metrics
    site: Path | None = None  # the folder of `quinconce site`, for who wants to keep it
    drain: float = 0.0  # seconds between a signal to stop and the end of streams
    request_seconds: float = 30.0  # in which a request has to come whole
    limits: ServerLimits = field(default_factory=ServerLimits)
    workers: int = 1  # processes in which engines think
    engines: str | None = None  # the scheduler of the Dask cluster on which they think instead
    local_engines: bool = False  # whether the processes help out while the cluster is away
    preload: bool = False  # whether those who think load the engine before anybody asks
    lend_after: float = 60.0  # seconds after which the seat of somebody absent may be lent
    expire_after: float = 7 * DAY  # after which a match without a move expires
    study_expire_after: float = 365 * DAY  # after which a study that nobody has opened expires
    # Seconds between signs of life on a quiet stream: stream.js takes twice as much for silence.
    keepalive: float = 1.5
    program_keepalive: float = 5.0  # the same for programs, who look themselves if in doubt
    recheck: float = 60.0  # seconds after which a quiet stream looks into the store
    database_timeout: float = 10.0  # seconds in which a database server does a piece of work
    database_now: Callable[[], float] | None = None  # a test's, in place of the database's own time
    now: Callable[[], float] = time.time  # what is stored and told: the time of day
    monotonic: Callable[[], float] = time.monotonic  # what counts intervals: it never goes back
