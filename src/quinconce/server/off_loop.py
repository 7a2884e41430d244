"""Work that would hold the event loop, in two threads: one for players, one for the rest.

Python runs one thread at a time. Each thread more that wants to run lets the loop wait longer for
its turn, and none makes anything faster; so there is one for what players wait for, such as a move
or the view of a match, and one for whatever may take long, such as a record that somebody sends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar

QUICK_THREAD: Final = ThreadPoolExecutor(1, "quinconce-quick")
SLOW_THREAD: Final = ThreadPoolExecutor(1, "quinconce-slow")

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


async def run_quick(
    do: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """What a player waits for, and takes some milliseconds."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(QUICK_THREAD, partial(do, *args, **kwargs))


async def run_slow(
    do: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """What may take long, and no player waits for."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(SLOW_THREAD, partial(do, *args, **kwargs))
