"""The icons of the app on a phone: the quincunx on wood, drawn as everything else."""

from __future__ import annotations

from typing import Final

from quinconce.draw.raster import render_png

SIZES: Final = (192, 512)  # pixels, as phones want them
WOOD, DARK, LIGHT = "#b98a57", "#2b2320", "#f3ead9"
DOTS: Final = ((7, 7), (25, 7), (7, 25), (25, 25))


def icon_svg() -> str:
    """The mark with a margin, so that a phone may cut a circle out of it."""
    corners = "".join(f'<circle cx="{x}" cy="{y}" r="4" fill="{DARK}"/>' for x, y in DOTS)
    middle = f'<circle cx="16" cy="16" r="4" fill="{LIGHT}"/>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-9 -9 50 50">'
        f'<rect x="-9" y="-9" width="50" height="50" fill="{WOOD}"/>{corners}{middle}</svg>'
    )


def icon_files() -> dict[str, bytes]:
    """The icons by their names."""
    return {f"{size}.png": render_png(icon_svg(), size) for size in SIZES}
