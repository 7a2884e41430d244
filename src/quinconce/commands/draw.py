"""`quinconce draw`: a position as an SVG or PNG picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from quinconce.commands.options import parse_match, position_arguments
from quinconce.core.files import name_file_in_errors, write_atomically
from quinconce.core.phrase import _
from quinconce.draw import THEMES, picture_of
from quinconce.words import Voice

PNG_ZOOM: Final = 2  # pixels of a PNG for each unit of the SVG


@click.command("draw", help=_("Draw the position as a picture."))
@position_arguments
@click.option(
    "-O",
    "--out",
    "file",
    type=click.Path(path_type=Path),
    help=_("the file to write, .svg or .png; without it, SVG is printed"),
)
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    help=_("the colours; without it, a browser chooses"),
)
@click.option("--flip", is_flag=True, help=_("seen from the other side of the board"))
@click.pass_obj
def draw_position(
    say: Voice,
    name: str,
    options: Sequence[str],
    start: str | None,
    after: str,
    file: Path | None,
    theme: str | None,
    flip: bool,
) -> None:
    """Print or write a still picture, to look at and to print."""
    kind = file.suffix.lower() if file else ".svg"
    if kind not in (".svg", ".png"):
        raise ValueError(_("{file}: a picture is written to .svg or .png", file=file))
    if kind == ".png" and theme is None:
        theme = THEMES[0]
    match = parse_match(name, options, start, after)
    svg = picture_of(match, say=say, theme=theme, flipped=flip, still=True, touchable=False).svg
    if file is None:
        click.echo(svg)
        return
    with name_file_in_errors(file):
        write_atomically(file, render_png(svg) if kind == ".png" else f"{svg}\n")


def render_png(svg: str) -> bytes:
    """An SVG picture of one theme as PNG."""
    from resvg_py import svg_to_bytes  # nothing else needs it

    return bytes(svg_to_bytes(svg_string=svg, zoom=PNG_ZOOM))
