"""Searches whose time is over at a known moment, however fast the machine is."""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

import pytest
from waiting import PATIENCE

from quinconce.engine.alpha_beta import AlphaBetaSearch


def stop_at_depth(monkeypatch: pytest.MonkeyPatch, depth: int) -> None:
    """Let every search with a limit of time wait at a depth until it is stopped."""
    stopped: WeakKeyDictionary[AlphaBetaSearch, threading.Event] = WeakKeyDictionary()
    lock = threading.Lock()
    deepen, stop = AlphaBetaSearch.deepen, AlphaBetaSearch.stop

    def event(search: AlphaBetaSearch) -> threading.Event:
        with lock:
            return stopped.setdefault(search, threading.Event())

    def deepen_late(search: AlphaBetaSearch, lines: int) -> bool:
        if search.limits.seconds is not None and search.depth == depth:
            assert event(search).wait(PATIENCE)
        return deepen(search, lines)

    def note_stop(search: AlphaBetaSearch) -> None:
        stop(search)
        event(search).set()

    monkeypatch.setattr(AlphaBetaSearch, "deepen", deepen_late)
    monkeypatch.setattr(AlphaBetaSearch, "stop", note_stop)
