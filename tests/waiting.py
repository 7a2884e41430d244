"""How a test waits: for something that comes, never for a time; `PATIENCE` only ends a hang."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import Any, Final

# Seconds after which what never comes is an error, far more than a busy machine needs.
PATIENCE: Final = 120.0
PAUSE: Final = 0.01


def until(ready: Callable[[], Any]) -> Any:
    """Wait in a thread until something is true; returns it, AssertionError if it never comes."""
    deadline = time.monotonic() + PATIENCE
    while not (found := ready()):
        assert time.monotonic() < deadline, f"it never came: {ready}"
        time.sleep(PAUSE)
    return found


async def until_true(ready: Callable[[], Any]) -> Any:
    """Let others go on until something is true, or is found to be by asking; returns it."""
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = ready()
        found = await answer if inspect.isawaitable(answer) else answer
        if found:
            return found
        assert time.monotonic() < deadline, f"it never came: {ready}"
        await asyncio.sleep(PAUSE)
