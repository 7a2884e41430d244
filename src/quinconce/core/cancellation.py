"""Cancellation: long work asks between two moves whether anybody still waits for its result."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class WorkCancelledError(Exception):
    """Nobody waits for the result any more."""


class _Current(threading.local):
    """What this thread works on."""

    is_cancelled: Callable[[], bool] | None = None


_current = _Current()


@contextmanager
def cancellable(is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """Within it, `check_cancelled` ends the work of this thread once it was cancelled."""
    before, _current.is_cancelled = _current.is_cancelled, is_cancelled
    try:
        yield
    finally:
        _current.is_cancelled = before


def check_cancelled() -> None:
    """WorkCancelledError if what this thread works on was cancelled."""
    if _current.is_cancelled is not None and _current.is_cancelled():
        raise WorkCancelledError
