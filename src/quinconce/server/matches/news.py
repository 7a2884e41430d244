"""News of matches within one process: who follows a match is woken when there is some."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Follower:
    """Somebody who follows a match, and sleeps until there is news."""

    def __init__(self) -> None:
        self._woken = False
        self._sleep: asyncio.Future[None] | None = None

    def wake(self) -> None:
        """There is news."""
        self._woken = True
        self._end_sleep()

    def _end_sleep(self) -> None:
        if self._sleep and not self._sleep.done():
            self._sleep.set_result(None)

    async def wait(self, patience: float) -> bool:
        """Sleep until there is news, or for some seconds; whether there is any."""
        if not self._woken:
            loop = asyncio.get_running_loop()
            self._sleep = loop.create_future()
            alarm = loop.call_later(patience, self._end_sleep)
            try:
                await self._sleep
            finally:
                alarm.cancel()
                self._sleep = None
        woken, self._woken = self._woken, False
        return woken


class News:
    """Who follows which match."""

    def __init__(self) -> None:
        self._followers: dict[str, set[Follower]] = {}

    @contextmanager
    def follow(self, match: str) -> Iterator[Follower]:
        """Somebody follows a match for a while."""
        follower = Follower()
        followers = self._followers.setdefault(match, set())
        followers.add(follower)
        try:
            yield follower
        finally:
            followers.discard(follower)
            if not followers and self._followers.get(match) is followers:
                del self._followers[match]

    def tell(self, match: str) -> None:
        """Wake all who follow a match: something has happened, or somebody has come or gone."""
        for follower in self._followers.get(match, ()):
            follower.wake()

    def tell_all(self) -> None:
        """Wake everybody."""
        for match in self._followers:
            self.tell(match)
