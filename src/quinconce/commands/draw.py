"""`quinconce draw`: a position as an SVG or PNG picture, a match as a moving one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from quinconce.commands.options import (
    check_output_file,
    complete_game,
    game_option,
    parse_match,
    position_option,
)
from quinconce.commands.records import read_record_file
from quinconce.core.files import name_file_in_errors, write_atomically
from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.draw import THEMES, picture_of
from quinconce.draw.raster import (
    MOVING_FORMATS,
    MOVING_WIDTH,
    PNG_WIDTH,
    check_width,
    moving_plies,
    render_moving,
    render_png,
)
from quinconce.terminal.progress import progress_bar
from quinconce.words import Voice


@click.command("draw", help=_("Draw the position as a picture, or a match as a moving one."))
@click.argument("name", metavar="[GAME]", required=False, shell_complete=complete_game)
@game_option
@position_option
@click.option("--after", default="", metavar="MOVES", help=_("play these moves first"))
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help=_("the match of this record, instead of GAME"),
)
@click.option(
    "-O",
    "--out",
    "file",
    type=click.Path(path_type=Path),
    help=_("the file to write, .svg or .png; without it, SVG is printed"),
)
@click.option(
    "--moving",
    type=click.Path(path_type=Path),
    help=_("write the whole match, move by move, to this file: .gif or .webp"),
)
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    help=_("the colours; without it, a browser chooses"),
)
@click.option("--flip", is_flag=True, help=_("seen from the other side of the board"))
@click.option("--width", type=int, metavar="PIXELS", help=_("the width of a .png, .gif or .webp"))
@click.pass_obj
def draw_position(
    say: Voice,
    name: str | None,
    options: Sequence[str],
    start: str | None,
    after: str,
    record: Path | None,
    file: Path | None,
    moving: Path | None,
    theme: str | None,
    flip: bool,
    width: int | None,
) -> None:
    """Print or write a still picture, a moving one, or both."""
    check_files(file, moving)
    if width is not None:
        check_width(width)
    match = find_match(name, options, start, after, record)
    looks: dict[str, Any] = {"say": say, "flipped": flip}
    if moving:
        write_moving(moving, match, width or MOVING_WIDTH, theme=theme or THEMES[0], **looks)
    if file or not moving:
        write_still(file, match, width or PNG_WIDTH, theme=theme, **looks)


def check_files(file: Path | None, moving: Path | None) -> None:
    """Raise ValueError if no picture can be written to these files."""
    if file and file.suffix.lower() not in (".svg", ".png"):
        raise ValueError(_("{file}: a picture is written to .svg or .png", file=file))
    if moving and moving.suffix.lower().lstrip(".") not in MOVING_FORMATS:
        raise ValueError(_("{file}: a moving picture is written to .gif or .webp", file=moving))
    check_output_file(file)
    check_output_file(moving)


def find_match(
    name: str | None, options: Sequence[str], start: str | None, after: str, record: Path | None
) -> Match[Any]:
    """The match of a record, or the one that is described; ValueError if it is neither or both."""
    if record is not None:
        if name is not None or options or start is not None or after:
            raise ValueError(_("a record says by itself which game it is, and its moves"))
        return read_record_file(record)[1]
    if name is None:
        raise ValueError(_("name a game, or a record with --record"))
    return parse_match(name, options, start, after)


def write_still(
    file: Path | None, match: Match[Any], width: int, *, theme: str | None, **looks: Any
) -> None:
    """Write the last position of a match as SVG or PNG; print it without a file."""
    png = file is not None and file.suffix.lower() == ".png"
    theme = theme or (THEMES[0] if png else None)
    svg = picture_of(match, theme=theme, still=True, touchable=False, **looks).svg
    if file is None:
        click.echo(svg)
        return
    with name_file_in_errors(file):
        write_atomically(file, render_png(svg, width) if png else f"{svg}\n")


def write_moving(file: Path, match: Match[Any], width: int, *, say: Voice, **looks: Any) -> None:
    """Write a whole match as GIF or WebP, with a progress bar."""
    frames = len(moving_plies(len(match.moves)))
    if frames <= len(match.moves):
        click.echo(say(_("The match is long: the picture leaves some moves out.")), err=True)
    kind, content = file.suffix.lower().lstrip("."), b""
    with progress_bar() as progress:
        task = progress.add_task(file.name, total=frames)
        for done, _total, rendered in render_moving(match, kind, width=width, say=say, **looks):
            progress.update(task, completed=done)
            content = rendered
    with name_file_in_errors(file):
        write_atomically(file, content)
