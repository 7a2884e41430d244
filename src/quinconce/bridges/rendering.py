"""What an environment shows of an episode: our drawing as pixels, or the position as text."""

from __future__ import annotations

import io
import sys
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from quinconce.bridges.episode import Episode
from quinconce.core.phrase import _, quote
from quinconce.draw import picture_of
from quinconce.draw.raster import PAPER_COLOURS, render_png

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
RENDER_FPS: Final = 2
WIDTH: Final = 480  # pixels


def check_render_mode(mode: object) -> None:
    """Raise ValueError if an environment cannot be shown in this way."""
    if mode is not None and not (isinstance(mode, str) and mode in RENDER_MODES):
        known = ", ".join(RENDER_MODES)
        raise ValueError(
            _("there is no render mode {mode}: choose among {known}", mode=quote(mode), known=known)
        )


def render(episode: Episode, mode: str | None) -> npt.NDArray[np.uint8] | str | None:
    """The episode now: as an array of pixels, as text, or, for `human`, as text on the screen."""
    if mode == "rgb_array":
        return pixels(episode)
    if mode is None:
        return None
    text = describe(episode)
    if mode == "ansi":
        return text
    sys.stdout.write(text)
    sys.stdout.flush()
    return None


def pixels(episode: Episode) -> npt.NDArray[np.uint8]:
    """Our drawing, with all reserves, so that the pictures of a match have one size."""
    from PIL import Image

    seats = range(episode.game.seats)
    looks: dict[str, Any] = {"theme": "light", "touchable": False, "still": True}
    svg = picture_of(episode.match, reserves=seats, **looks).svg
    png = render_png(svg, WIDTH, PAPER_COLOURS["light"])
    return np.array(Image.open(io.BytesIO(png)).convert("RGB"), np.uint8)


def describe(episode: Episode) -> str:
    """The last move, the position and what was touched since, on a few lines."""
    moves = episode.match.moves
    last = f"{len(moves)}. {moves[-1]}\n" if moves else ""
    rows = str(episode).replace("/", "\n").replace(" ", "\n", 1)
    return f"{last}{rows}\n"
