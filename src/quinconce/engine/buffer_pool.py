"""Memory that searches hand on to each other: clearing it is quicker than finding it anew.

The system finds memory when it is first written to, a page at a time, and clears each page. On a
rented machine pages may have to come from its host, which took half a second for one table; and of
two threads that write to a new page at once each is given one, for one to be thrown away.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

Kind = TypeVar("Kind")
Thing = TypeVar("Thing")


class Stock(Generic[Kind, Thing]):
    """Things that nobody uses just now, so many of a kind at most."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.free: dict[Kind, list[Thing]] = {}

    def lend(self, owner: object, kind: Kind, make: Callable[[], Thing]) -> Thing:
        """Something to be used, as the last one left it, until its owner is gone."""
        try:
            thing = self.free.setdefault(kind, []).pop()
        except IndexError:
            thing = make()
        weakref.finalize(owner, self.keep, kind, thing)
        return thing

    def keep(self, kind: Kind, thing: Thing) -> None:
        """Leave something to whoever asks next."""
        shelf = self.free.setdefault(kind, [])
        if len(shelf) < self.most:
            shelf.append(thing)
