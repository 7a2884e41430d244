"""Pictures of positions and matches: their SVG, and what a worker does to make files of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

from quinconce.core.match import Match
from quinconce.draw import picture_of
from quinconce.draw.raster import (
    MOVING_WIDTH,
    frame_durations,
    join_frames,
    moving_frames,
    moving_plies,
    render_frame,
    render_png,
)
from quinconce.words import Voice

Theme = Literal["light", "dark"]
MovingKind = Literal["gif", "webp"]
Job = Callable[[], bytes]


def position_svg(match: Match[Any], say: Voice, theme: str | None, turned: bool) -> str:
    """The position that a match has come to; without a theme, a browser chooses."""
    return picture_of(match, say=say, theme=theme, flipped=turned, still=True, touchable=False).svg


def png_job(svg: str, width: int) -> Job:
    """Make a PNG of an SVG of one theme."""
    return partial(render_png, svg, width)


def frame_count(moves: int) -> int:
    """How many frames a match of so many moves has."""
    return len(moving_plies(moves))


def match_frames(match: Match[Any], say: Voice, theme: Theme, turned: bool) -> list[str]:
    """The frames of a moving picture, as SVG."""
    return moving_frames(match, theme, say=say, flipped=turned)


def frame_job(svg: str, theme: Theme) -> Job:
    """Make a PNG of a frame."""
    return partial(render_frame, svg, theme, MOVING_WIDTH)


def moving_job(kind: MovingKind, frames: Sequence[bytes]) -> Job:
    """Join frames to a moving picture."""
    return partial(join_frames, kind, frames, frame_durations(len(frames)))
