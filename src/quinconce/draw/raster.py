"""Turns SVG pictures into pixels: one as PNG, several as an animated GIF or WebP."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from quinconce.core.phrase import _, quote
from quinconce.draw.style import THEMES

if TYPE_CHECKING:
    from PIL.Image import Image

PNG_WIDTH: Final = 960  # pixels of a PNG whose width is not given
MIN_WIDTH, MAX_WIDTH = 64, 1600  # pixels
MOVING_FORMATS: Final = ("gif", "webp")
PAPER_COLOURS: Final = dict(zip(THEMES, ("#f7f2ea", "#18181a"), strict=True))  # as on the pages
COLOURS: Final = 255  # of a GIF, beside the transparent one
WEBP_QUALITY: Final = 80


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
