"""A match as a moving picture: a frame for each move, drawn like any other picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from quinconce.core.match import Match
from quinconce.draw.picture import picture_of
from quinconce.draw.raster import PAPER_COLOURS, check_moving_format, join_frames, render_png
from quinconce.draw.style import THEMES

MOVING_WIDTH: Final = 400  # pixels, where it is not given
MAX_FRAMES: Final = 150  # of a longer match, moves between two frames are not shown one by one
FRAME_TIME, LAST_FRAME_TIME = 900, 4000  # milliseconds


def moving_plies(length: int) -> list[int]:
    """The plies of a match of this length that have a frame: the start, the end, all or some."""
    step = max(1, -(-length // (MAX_FRAMES - 1)))
    return [0, *range(length - (length - 1) // step * step, length + 1, step)] if length else [0]


def frame_durations(n: int) -> list[int]:
    """How long each of `n` frames is shown, in milliseconds: the last stays longer."""
    return [FRAME_TIME] * (n - 1) + [LAST_FRAME_TIME]


def moving_frames(match: Match[Any], theme: str = THEMES[0], **looks: Any) -> list[str]:
    """The frames as SVG, all of one size: the reserves keep their place when they are empty."""
    game = match.game
    letters = [kind.letter for kind in game.board().reserves]
    held = any(pieces[letter] for pieces in map(game.pieces, match.positions) for letter in letters)
    seats = range(game.seats) if held else ()
    fixed = {"theme": theme, "still": True, "touchable": False, "reserves": seats}
    return [picture_of(match, ply, **fixed, **looks).svg for ply in moving_plies(len(match.moves))]


def render_frame(svg: str, theme: str, width: int) -> bytes:
    """A frame as PNG, on the paper of the pages: frames of a GIF cannot be half transparent."""
    return render_png(svg, width, PAPER_COLOURS[theme])


def render_moving(
    match: Match[Any],
    kind: str,
    *,
    theme: str = THEMES[0],
    width: int = MOVING_WIDTH,
    **looks: Any,
) -> Iterator[tuple[int, int, bytes]]:
    """Render a match frame by frame; yields how many are done, of how many, and at last the file.

    Until then the file is empty.
    """
    check_moving_format(kind)
    frames = moving_frames(match, theme, **looks)
    done: list[bytes] = []
    for svg in frames:
        yield len(done), len(frames), b""
        done.append(render_frame(svg, theme, width))
    yield len(done), len(frames), join_frames(kind, done, frame_durations(len(done)))
