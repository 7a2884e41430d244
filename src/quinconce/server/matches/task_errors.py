"""Errors of tasks for which nobody may wait any more."""

from __future__ import annotations

import asyncio
from typing import Any


def forget_error(task: asyncio.Future[Any]) -> None:
    """Those who wait are told why a task failed; if nobody waits any more, nobody is."""
    if not task.cancelled():
        task.exception()
