"""A cache of bounded size, owned by what is opened and closed with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """At most `most` things, or their sizes; what was used longest ago goes. Any thread may ask."""

    def __init__(self, most: int, size: Callable[[V], int] = lambda _value: 1) -> None:
        self.most = most
        self._size = size
        self._total = 0
        self._values: dict[K, V] = {}  # the last used stands last
        self._lock = threading.RLock()

    def __contains__(self, key: K) -> bool:
        return key in self._values

    def __len__(self) -> int:
        return len(self._values)

    def keys(self) -> list[K]:
        """What is kept, the last used last."""
        with self._lock:
            return list(self._values)

    def peek(self, key: K) -> V | None:
        """What is kept, which does not count as used."""
        return self._values.get(key)

    def get(self, key: K) -> V | None:
        """What is kept, which is used now; None if nothing is."""
        with self._lock:
            if (value := self._values.pop(key, None)) is not None:
                self._values[key] = value
            return value

    def pop(self, key: K) -> V | None:
        """Keep something no longer; None if nothing was kept."""
        with self._lock:
            if (value := self._values.pop(key, None)) is not None:
                self._total -= self._size(value)
            return value

    def __setitem__(self, key: K, value: V) -> None:
        with self._lock:
            self.pop(key)
            self._values[key] = value
            self._total += self._size(value)
            while self._total > self.most:
                self.pop(next(iter(self._values)))

    def find(self, key: K, make: Callable[[], V]) -> V:
        """What is kept, or is made now and kept."""
        value = self.get(key)
        if value is None:
            value = self[key] = make()
        return value
