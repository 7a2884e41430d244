"""Pictures that take long to render: made by one worker process, and kept in bounded memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import BrokenExecutor, Executor
from typing import Final, TypeVar

from quinconce.core.worker_pools import (
    POOL_ATTEMPTS,
    WorkerPool,
    patient_process_pool,
    process_pool,
)
from quinconce.server.caches import BoundedCache
from quinconce.server.off_loop import ASKER, asked_by, while_asked
from quinconce.server.refusals import PictureFailedError, PicturesBusyError

MAX_KEPT_BYTES: Final = 32_000_000  # of all pictures that are kept
MAX_PICTURE_BYTES: Final = 4_000_000  # of one that is kept: it shall not push out all others
MAX_BEING_MADE: Final = 24  # pictures that are made or wait for the worker

T = TypeVar("T")


class PictureTask:
    """A picture that is being made, and how many wait for it."""

    def __init__(self, task: asyncio.Task[bytes]) -> None:
        self.task = task
        self.askers = 0


class PicturePool:
    """A cache of pictures by name, and the worker that makes those that are not in it.

    The library that renders SVG holds Python's lock, so that in a thread it would stop the server.
    """

    def __init__(self, pool: Callable[[int], Executor] = process_pool) -> None:
        # Engines, for which somebody waits at the board, go first.
        open_pool = patient_process_pool if pool is process_pool else pool
        self._workers = WorkerPool(lambda: open_pool(1))
        self._kept: BoundedCache[str, bytes] = BoundedCache(MAX_KEPT_BYTES, len)
        self._being_made: dict[str, PictureTask] = {}

    def find(self, name: str) -> bytes | None:
        """A picture that is kept."""
        return self._kept.get(name)

    def keep(self, name: str, picture: bytes) -> None:
        """Keep a picture, unless it is too large."""
        if len(picture) <= MAX_PICTURE_BYTES:
            self._kept[name] = picture

    async def make(self, name: str, draw: Callable[[], Awaitable[bytes]]) -> bytes:
        """The picture that `draw` makes, or is making for somebody else; it is kept.

        PicturesBusyError if too many others are being made; AskerGoneError if the asker leaves, and
        if nobody else waits for the picture, it is given up.
        """
        picture = self._being_made.get(name)
        if picture is None:
            if len(self._being_made) >= MAX_BEING_MADE:
                raise PicturesBusyError
            with asked_by(ASKER.get()._replace(receive=None)):  # others may wait for it too
                picture = PictureTask(asyncio.ensure_future(self._draw(name, draw)))
            self._being_made[name] = picture
        picture.askers += 1
        try:
            return await while_asked(asyncio.shield(picture.task))
        finally:
            picture.askers -= 1
            if not picture.askers and not picture.task.done():
                picture.task.cancel()
                del self._being_made[name]

    async def run(self, do: Callable[[], T]) -> T:
        """Run a function in the worker; PictureFailedError if the worker dies of it."""
        for _attempt in range(POOL_ATTEMPTS):
            try:
                return await asyncio.wrap_future(self._workers.submit(do))
            except BrokenExecutor:
                self._workers.kill()
        raise PictureFailedError

    async def close(self) -> None:
        """Give up what is being made."""
        tasks = [picture.task for picture in self._being_made.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.kill_workers()

    def kill_workers(self) -> None:
        """Let the worker go, whatever it draws."""
        self._workers.kill(wait=True)

    async def _draw(self, name: str, draw: Callable[[], Awaitable[bytes]]) -> bytes:
        try:
            made = await draw()
            self.keep(name, made)
            return made
        finally:
            picture = self._being_made.get(name)  # another one, if this was given up
            if picture and picture.task is asyncio.current_task():
                del self._being_made[name]
