"""Turns SVG pictures into pixels: one as PNG, a match as an animated GIF or WebP."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from quinconce.core.match import Match
from quinconce.core.phrase import _, quote
from quinconce.draw.picture import picture_of
from quinconce.draw.svg import THEMES

if TYPE_CHECKING:
    from PIL.Image import Image

PNG_WIDTH: Final = 960  # pixels of a PNG whose width is not given
MIN_WIDTH, MAX_WIDTH = 64, 1600  # pixels
MOVING_FORMATS: Final = ("gif", "webp")
PAPER_COLOURS: Final = dict(zip(THEMES, ("#f7f2ea", "#18181a"), strict=True))  # as on the pages
COLOURS: Final = 255  # of a GIF, beside the transparent one
WEBP_QUALITY: Final = 80
MOVING_WIDTH: Final = 400  # pixels, where it is not given
MAX_FRAMES: Final = 150  # of a longer match, moves between two frames are not shown one by one
FRAME_TIME, LAST_FRAME_TIME = 900, 4000  # milliseconds


def check_width(width: int) -> None:
    """Raise ValueError if a picture cannot be so wide."""
    if not MIN_WIDTH <= width <= MAX_WIDTH:
        first, last = str(MIN_WIDTH), str(MAX_WIDTH)
        raise ValueError(_("a picture is {first} to {last} pixels wide", first=first, last=last))


def check_moving_format(kind: str) -> None:
    """Raise ValueError if no moving picture is written in this format."""
    if kind not in MOVING_FORMATS:
        raise ValueError(_("a moving picture is gif or webp, not {wrong}", wrong=quote(kind)))


def render_png(svg: str, width: int = PNG_WIDTH, background: str | None = None) -> bytes:
    """An SVG picture of one theme as PNG; without a background it is transparent around it."""
    from resvg_py import svg_to_bytes  # not before it is needed: a picture is mostly SVG

    return bytes(svg_to_bytes(svg_string=svg, width=width, background=background))


def join_frames(kind: str, frames: Sequence[bytes], durations: Sequence[int]) -> bytes:
    """PNGs of one size, without transparency, as one animated picture that begins anew at its end.

    Each is shown for its duration, in milliseconds.
    """
    from PIL import Image

    check_moving_format(kind)
    pictures = [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    if kind == "gif":
        pictures = reduce_colours(pictures)
    written = io.BytesIO()
    first, *others = pictures
    first.save(
        written,
        kind,
        save_all=True,
        append_images=others,
        duration=list(durations),
        loop=0,
        quality=WEBP_QUALITY,
        minimize_size=True,  # of WebP, by half: each frame is what changed
    )
    return written.getvalue()


def reduce_colours(pictures: Sequence[Image]) -> list[Image]:
    """The pictures in the colours that the first, the middle and the last have together."""
    from PIL import Image

    width, height = pictures[0].size
    samples = Image.new("RGB", (width, 3 * height))
    for i, picture in enumerate((pictures[0], pictures[len(pictures) // 2], pictures[-1])):
        samples.paste(picture, (0, i * height))
    palette = samples.quantize(COLOURS, dither=Image.Dither.NONE)
    return [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]


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
