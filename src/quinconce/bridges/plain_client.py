"""The client of a server for programs without `await`: each call returns when it is done."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Thread
from typing import Any, Self, TypeVar

from quinconce.bridges.client import PATIENCE, AsyncClient, AsyncRemoteMatch, Data, NewMatch
from quinconce.core.match import Match

T = TypeVar("T")


class LoopThread:
    """An event loop in a thread of its own, so that this works inside another loop too."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine; interrupted here, it is cancelled there."""
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, items: AsyncGenerator[T, None]) -> Iterator[T]:
        """What an asynchronous generator yields, one after the other."""
        end = object()

        async def following() -> Any:
            return await anext(items, end)

        try:
            while (item := self.run(following())) is not end:
                yield item
        finally:
            if self.loop.is_running():  # else everything has ended with it
                with suppress(RuntimeError):  # it was interrupted, and ends by itself
                    self.run(close_generator(items))

    def close(self) -> None:
        """End what still runs, and the thread."""
        if not self.loop.is_closed():
            self.run(cancel_others())
            self.run(self.loop.shutdown_asyncgens())
            self.loop.call_soon_threadsafe(self.loop.stop)
            self.thread.join()
            self.loop.close()


async def close_generator(items: AsyncGenerator[Any, None]) -> None:
    """Let a generator end where it stands."""
    await items.aclose()


async def cancel_others() -> None:
    """Cancel every task but this one, and wait for their ends."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


class Client:
    """A server, by its address or by any link to a match on it; use it with `with`.

    `language` is that of its sentences, `patience` how many seconds it may be away before an error
    says so.

    >>> from quinconce.client import Client
    >>> with Client(server) as client:  # its address is http://HOST
    ...     made = client.make("diam", ["friend", "friend"])
    ...     ada, bob = (client.join(link) for link in made.links)
    ...     ada.play("r@1")
    True
    """

    def __init__(
        self, server: str, *, language: str | None = None, patience: float = PATIENCE
    ) -> None:
        self._client = AsyncClient(server, language=language, patience=patience)
        self._thread = LoopThread()

    @property
    def patience(self) -> float:
        """How many seconds the server may be away."""
        return self._client.requests.patience

    @patience.setter
    def patience(self, seconds: float) -> None:
        self._client.requests.patience = seconds

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        if not self._thread.loop.is_closed():
            self._thread.run(self._client.close())
            self._thread.close()

    def make(
        self,
        game: str,
        seats: Sequence[str | Mapping[str, Any]] = ("friend", "friend"),
        **setup: Any,
    ) -> NewMatch:
        """Make a match, as `AsyncClient.make` does."""
        return self._thread.run(self._client.make(game, seats, **setup))

    def join(self, link: str, name: str = "", seat: int | None = None) -> RemoteMatch:
        """Sit down in the seat of a link, as `AsyncClient.join` does."""
        return RemoteMatch(self._thread, self._thread.run(self._client.join(link, name, seat)))

    def watch(self, link: str, key: str | None = None) -> RemoteMatch:
        """A match to watch; its `key` lets who made it have it reviewed."""
        return RemoteMatch(self._thread, self._thread.run(self._client.watch(link, key)))

    def analyse(self, match: Match[Any], lines: int = 3) -> Iterator[Data]:
        """What the server's engine thinks of a match, deeper and deeper; the last one is `done`."""
        return self._thread.iterate(self._client.analyse(match, lines))


class RemoteMatch:
    """A match on a server, for a player or for somebody who watches: `AsyncRemoteMatch` plainly.

    >>> from quinconce.client import Client
    >>> with Client(server) as client:
    ...     made = client.make("diam")
    ...     ada = client.join(made.links[0], "Ada")
    ...     ada.play("r@1")
    ...     client.watch(made.watch).match.moves
    True
    ['r@1']
    """

    def __init__(self, thread: LoopThread, remote: AsyncRemoteMatch) -> None:
        self._thread = thread
        self._remote = remote
        self.id = remote.id

    @property
    def view(self) -> Data:
        """What the server said last."""
        return self._remote.view

    @property
    def seat(self) -> int | None:
        """One's own seat, counted from 0; None for those who watch."""
        return self._remote.seat

    @property
    def outcome(self) -> Data | None:
        """How the match ended, as far as it is known here; None while it goes on."""
        return self._remote.outcome

    @property
    def match(self) -> Match[Any]:
        """The match as far as it is known here, to look at and to think about."""
        return self._remote.match

    def refresh(self) -> Data:
        """Read the match as it is now."""
        return self._thread.run(self._remote.refresh())

    def play(self, move: str) -> bool:
        """Play a move: True once it is stored, False if the match has gone on otherwise."""
        return self._thread.run(self._remote.play(move))

    def resign(self) -> bool:
        """Give up; False if the match has gone on meanwhile."""
        return self._thread.run(self._remote.resign())

    def agree(self, matter: str, about: int | None = None) -> bool:
        """Ask for something, or agree to it."""
        return self._thread.run(self._remote.agree(matter, about))

    def refuse(self, matter: str) -> bool:
        """Refuse what was asked for, or ask for it no longer."""
        return self._thread.run(self._remote.refuse(matter))

    def events(self, after: int = 0) -> Iterator[Data]:
        """Every event after a number, then new ones as they happen, until the end.

        An `end` that a `takeback` has followed is not the end. Where moves are taken back after
        these events have ended, ask for those after the last one.
        """
        return self._thread.iterate(self._remote.events(after))

    def turns(self, agree_to: Collection[str] = ()) -> Iterator[Match[Any]]:
        """The match, each time that it is one's turn, until it is over.

        What the others ask for is agreed to meanwhile, if it is named: `takeback`, `stop`, `hints`.
        """
        return self._thread.iterate(self._remote.turns(agree_to))

    def review(self) -> Data:
        """Have a match reviewed that is over, and wait for it; for its players and its maker."""
        return self._thread.run(self._remote.review())
