"""What was shown last, made once for all who see the same."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, NamedTuple

from quinconce.server.caches import BoundedCache
from quinconce.server.views.position import PositionView
from quinconce.server.views.review import ReviewView

MAX_SCENES: Final = 256  # of some 50 kB each
MAX_EVENTS: Final = 128  # of some 50 kB each
MAX_REVIEWS: Final = 64  # of some 20 kB each


class SceneKey(NamedTuple):
    """What a scene depends on: after an event of a match it is another."""

    match: str
    seq: int
    language: str
    mine: frozenset[int]  # the seats of who looks; none for those who watch
    flipped: bool

    @property
    def drawing(self) -> SceneKey:
        """What its drawing depends on: not on whose seats they are."""
        return self._replace(mine=frozenset())


class ViewCaches:
    """What a server has shown."""

    def __init__(self) -> None:
        self.scenes: BoundedCache[SceneKey, PositionView] = BoundedCache(MAX_SCENES)
        self.drawings: BoundedCache[SceneKey, str] = BoundedCache(MAX_SCENES)
        self.events: BoundedCache[Hashable, bytes] = BoundedCache(MAX_EVENTS)  # with their views
        self.reviews: BoundedCache[Hashable, ReviewView] = BoundedCache(MAX_REVIEWS)
