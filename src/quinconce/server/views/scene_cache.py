"""The scenes of matches: each is made once for all who see the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from quinconce.server.views.position import PositionView

MAX_SCENES: Final = 256  # of some 50 kB each, those that were shown last


class SceneKey(NamedTuple):
    """What a scene depends on: after an event of a match it is another."""

    match: str
    seq: int
    language: str
    mine: frozenset[int]  # the seats of who looks; none for those who watch
    flipped: bool


_scenes: dict[SceneKey, PositionView] = {}


def is_made(key: SceneKey) -> bool:
    """Whether a scene was made already."""
    return key in _scenes


def shared_scene(key: SceneKey, make: Callable[[], PositionView]) -> PositionView:
    """The scene that was made for somebody else, or a new one."""
    scene = _scenes.pop(key, None) or make()
    _scenes[key] = scene  # the last shown stands last
    while len(_scenes) > MAX_SCENES:
        _scenes.pop(next(iter(_scenes)), None)
    return scene
