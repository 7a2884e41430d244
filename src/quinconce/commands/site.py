"""`quinconce site`: writes a folder that any web space serves, with everything in it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import click

from quinconce.core.phrase import _, quote
from quinconce.site.folder import check_place, site_files, write_folder
from quinconce.words import LANGUAGES, Voice


@click.command("site", help=_("Write a folder of files for a web space: all that needs no server."))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--base",
    default="",
    metavar="/PATH/",
    help=_("where the folder will be served; only its page for wrong addresses needs it"),
)
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    help=_("the language of the front page, whatever a browser prefers"),
)
@click.pass_obj
def site_command(say: Voice, folder: Path, base: str, lang: str | None) -> None:
    """Make all files, then put them in place of what the folder held."""
    if base and not re.fullmatch(r"/([\w.~-]+/)*", base):
        wrong = _("a path begins and ends with /, not {wrong}", wrong=quote(base))
        raise ValueError(wrong)
    check_place(folder.resolve())
    files = asyncio.run(site_files(lang, base, lambda what: None))
    write_folder(folder, files)
    size = sum(map(len, files.values())) / 1_000_000
    done = _("{n} files, {size} MB: {folder}", n=len(files), size=f"{size:.1f}", folder=folder)
    click.echo(say(done))
