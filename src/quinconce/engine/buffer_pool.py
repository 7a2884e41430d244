"""Memory that searches hand on to each other: clearing it is quicker than finding it anew.

The system finds memory when it is first written to, a page at a time, and clears each page. On a
rented machine pages may have to come from its host, which took half a second for one table; and of
two threads that write to a new page at once each is given one, for one to be thrown away.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

BufferKind = TypeVar("BufferKind")
Buffer = TypeVar("Buffer")


class BufferPool(Generic[BufferKind, Buffer]):
    """Buffers that no search uses just now, at most a number of each kind."""

    def __init__(self, most: int) -> None:
        self.max_free = most
        self.free: dict[BufferKind, list[Buffer]] = {}

    def acquire(self, owner: object, kind: BufferKind, make: Callable[[], Buffer]) -> Buffer:
        """A buffer as its last user left it; it comes back to the pool when its owner is gone."""
        try:
            thing = self.free.setdefault(kind, []).pop()
        except IndexError:
            thing = make()
        weakref.finalize(owner, self.release, kind, thing)
        return thing

    def release(self, kind: BufferKind, thing: Buffer) -> None:
        """Keep a buffer for the next search, unless there are enough of its kind."""
        free = self.free.setdefault(kind, [])
        if len(free) < self.max_free:
            free.append(thing)
