"""What a server counts and measures, for Prometheus.

Several processes on one port write what they count into files of one folder, which the variable
of Prometheus' library names; whichever is asked answers for all of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"  # read when the library is loaded
METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"))
OTHER: Final = "other"  # a method or an address that we do not know: anybody can invent some
SECONDS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

disable_created_metrics()  # nobody asks since when something is counted
REGISTRY: Final = CollectorRegistry()
REQUESTS: Final = Counter(
    "quinconce_requests",
    "Requests that were answered; a stream counts when it is opened.",
    ("route", "method", "status"),
    registry=REGISTRY,
)
REQUEST_SECONDS: Final = Histogram(
    "quinconce_request_seconds",
    "How long the answer to a request took, streams aside.",
    ("route", "method"),
    buckets=SECONDS,
    registry=REGISTRY,
)
MOVES: Final = Counter(
    "quinconce_moves", "Moves that were stored, by people, programs or engines.", registry=REGISTRY
)
OPEN_STREAMS: Final = Gauge(
    "quinconce_open_streams",
    "Streams that are open.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
LIVE_MATCHES: Final = Gauge(
    "quinconce_live_matches", "Matches in memory.", registry=REGISTRY, multiprocess_mode="livesum"
)
ENGINES_WAITING: Final = Gauge(
    "quinconce_engines_waiting",
    "Questions to engines that wait for their turn.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
ENGINES_THINKING: Final = Gauge(
    "quinconce_engines_thinking",
    "Questions that engines think about.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
SLICES: Final = Counter(
    "quinconce_slices", "Slices of long thoughts that engines have begun.", registry=REGISTRY
)
THOUGHTS: Final = Gauge(
    "quinconce_thoughts",
    "Long thoughts that are under way, such as analyses and reviews.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
NEWS_LAG: Final = Histogram(
    "quinconce_news_lag_seconds",
    "How long news of a match took from one process to another.",
    buckets=SECONDS,
    registry=REGISTRY,
)
LOOP_LAG: Final = Histogram(
    "quinconce_event_loop_lag_seconds",
    "How late the event loop came back to something that was due.",
    buckets=SECONDS,
    registry=REGISTRY,
)


class RouteMeters(NamedTuple):
    """What one kind of answer is counted with."""

    answers: Counter
    seconds: Histogram


@cache
def route_meters(route: str, method: str, status: int) -> RouteMeters:
    """The meters of a kind of answer, looked up once."""
    return RouteMeters(
        REQUESTS.labels(route, method, str(status)), REQUEST_SECONDS.labels(route, method)
    )


def count_request(route: str, method: str, status: int, seconds: float | None) -> None:
    """Count an answer; a stream has no seconds."""
    meters = route_meters(route, method if method in METHODS else OTHER, status)
    meters.answers.inc()
    if seconds is not None:
        meters.seconds.observe(seconds)


def count_move() -> None:
    """Count a move that is stored."""
    MOVES.inc()


def count_slice() -> None:
    """Count a slice of a long thought that is begun."""
    SLICES.inc()


def observe_news_lag(seconds: float) -> None:
    """Note how long news took to come; a clock that is set back makes it no less than nothing."""
    NEWS_LAG.observe(max(0.0, seconds))


def observe_loop_lag(seconds: float) -> None:
    """Note how late the event loop was."""
    LOOP_LAG.observe(max(0.0, seconds))


def render_metrics() -> bytes:
    """Everything that was counted, by all processes of this port, as Prometheus reads it."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder is None:
        return generate_latest(REGISTRY)
    together = CollectorRegistry()
    together.register(SharedCounts(Path(folder)))
    return generate_latest(together)


class SharedCounts(Collector):
    """What the processes of a port have counted, each in files of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def collect(self) -> Iterable[Metric]:
        """Add up the files; one that a process is just making is still empty."""
        files = [str(file) for file in self.folder.glob("*.db") if has_content(file)]
        merged: Iterable[Metric] = MultiProcessCollector.merge(files, accumulate=True)
        return merged


def has_content(file: Path) -> bool:
    """Whether a file is there and not empty."""
    try:
        return file.stat().st_size > 0
    except FileNotFoundError:
        return False


def forget_process(pid: int, folder: str) -> None:
    """Let nobody count what a process that died had open."""
    mark_process_dead(pid, folder)
