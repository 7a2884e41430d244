"""`quinconce backup`: copies the database of the server to a file."""

from __future__ import annotations

from pathlib import Path

import click

from quinconce.commands.options import database_option
from quinconce.core.phrase import _
from quinconce.words import Voice


@click.command("backup", help=_("Copy the database to FILE, also while the server runs."))
@click.argument("file", type=click.Path(path_type=Path))
@database_option
@click.pass_obj
def backup(say: Voice, file: Path, database: str | None) -> None:
    """Copy the whole database, and overwrite no file."""
    from quinconce.server.storage.database import copy_database, database_url, sqlite_path

    source = sqlite_path(database_url(database))
    if source is None:
        raise ValueError(_("only an SQLite file can be copied: use the tools of your database"))
    if not source.exists():
        raise ValueError(_("{file}: there is no such file or folder", file=source))
    if file.exists():
        raise ValueError(_("{file}: there is a file already", file=file))
    copy_database(source, file)
    click.echo(say(_("Saved in {file}.", file=file)))
