"""The scenes of matches, and the drawings in them: each is made once for all who see the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from quinconce.server.views.position import PositionView

MAX_SCENES: Final = 256  # of some 50 kB each, those that were shown last


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


_scenes: dict[SceneKey, PositionView] = {}
_drawings: dict[SceneKey, str] = {}
T = TypeVar("T")


def is_made(key: SceneKey) -> bool:
    """Whether a scene was made already."""
    return key in _scenes


def shared_scene(key: SceneKey, make: Callable[[], PositionView]) -> PositionView:
    """The scene that was made for somebody else, or a new one."""
    return remember(_scenes, key, make)


def shared_drawing(key: SceneKey, make: Callable[[], str]) -> str:
    """The drawing of a scene, which others see who play in other seats."""
    return remember(_drawings, key.drawing, make)


def remember(known: dict[SceneKey, T], key: SceneKey, make: Callable[[], T]) -> T:
    """What was made before, or is made now and kept for a while."""
    made = known.pop(key, None) or make()
    known[key] = made  # the last shown stands last
    while len(known) > MAX_SCENES:
        known.pop(next(iter(known)), None)
    return made
