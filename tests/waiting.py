"""Waiting for something in a test: until it comes, or for at most a minute."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

PATIENCE: Final = 60.0  # seconds, for machines that do much else
PAUSE: Final = 0.02


def until(ready: Callable[[], Any]) -> Any:
    """What comes; AssertionError if nothing does."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := ready():
            return found
        time.sleep(PAUSE)
    raise AssertionError("it never came")


async def until_true(holds: Callable[[], object]) -> None:
    """Let others go on until something holds; TimeoutError if it never does."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(PAUSE)
