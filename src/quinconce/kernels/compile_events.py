"""Counts the functions that Numba compiles, so that people can be told how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from numba.core import event

COMPILE_EVENT: Final = "numba:compile"


@contextmanager
def compilation_counter() -> Iterator[Callable[[], int]]:
    """A function that says how many functions have been compiled in the block, in any thread."""
    events: Any = event  # Numba is not typed
    with events.install_recorder(COMPILE_EVENT) as recorder:
        yield lambda: len(recorder.buffer) // 2  # each begins and ends
