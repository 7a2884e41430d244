"""`quinconce matches` makes, lists and exports matches of a club; `backup` copies the database."""

from __future__ import annotations

import asyncio
import csv
import io
import logging
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import urlsplit

import click

from quinconce.commands.options import (
    check_output_file,
    complete_game,
    database_option,
    game_option,
    parse_engine_level,
    parse_game,
)
from quinconce.core.files import name_file_in_errors, read_text, write_atomically
from quinconce.core.option import parse_number
from quinconce.core.phrase import _, ngettext, quote
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.server.matches.clock import TimeControl
    from quinconce.server.matches.setup import SeatSetup, Setup
    from quinconce.server.storage.store import Store

T = TypeVar("T")
MAX_NAMES_BYTES: Final = 1_000_000  # of a file with names


@click.group("matches", help=_("Matches for a club or a class: make many, list them, export them."))
def matches_group() -> None:
    """These commands use the database itself, whether the server runs or not."""


@matches_group.command(
    "make", help=_("Make matches under TAG, and print the links of all seats as CSV.")
)
@click.argument("tag", metavar="TAG")
@click.argument("name", metavar="GAME", shell_complete=complete_game)
@game_option
@click.option("--count", type=click.IntRange(1, 10_000), default=1, help=_("how many"))
@click.option(
    "--names",
    type=click.Path(path_type=Path),
    help=_("a CSV file with the names of the players, a match a line"),
)
@click.option(
    "--seat",
    "engines",
    multiple=True,
    metavar="N=engine:LEVEL",
    help=_("let the engine play seat N; the others are for people"),
)
@click.option("--minutes", type=float, help=_("a clock: minutes for the whole match"))
@click.option("--increment", type=float, default=0.0, help=_("seconds added after each move"))
@click.option("--days", type=float, help=_("a clock: days for each move"))
@click.option("--given", is_flag=True, help=_("seats as they are listed, and not drawn by lot"))
@click.option("--url", help=_("how the links begin; else the address of the running server"))
@click.option("--csv", "file", type=click.Path(path_type=Path), help=_("write the links here"))
@click.option(
    "--slips",
    type=click.Path(path_type=Path),
    help=_("write a page of slips with QR codes here, to print and cut out"),
)
@database_option
@click.pass_obj
def make_command(
    say: Voice,
    tag: str,
    name: str,
    options: Sequence[str],
    count: int,
    names: Path | None,
    engines: Sequence[str],
    minutes: float | None,
    increment: float,
    days: float | None,
    given: bool,
    url: str | None,
    file: Path | None,
    slips: Path | None,
    database: str | None,
) -> None:
    """Make the matches, and print their links; they cannot be read from the database later."""
    from quinconce.server.clubs.slips import slips_page
    from quinconce.server.matches.create import links_as_csv, prepare_matches
    from quinconce.server.matches.setup import Setup

    rules = parse_game(name, options)
    check_output_file(file)
    check_output_file(slips)
    setup = Setup(
        rules.name,
        parse_engine_seats(rules.seats, engines, say),
        dict(rules.chosen),
        "given" if given else "lot",
        clock=clock_terms(minutes, increment, days),
        tag=tag,
    )
    setup = check_setup(setup)
    people = [[]] * count if names is None else read_names(names)
    base = (url or server_url(database)).rstrip("/")
    found = prepare_matches(setup, base, random.SystemRandom(), people)

    async def keep(store: Store) -> None:
        await store.insert_matches([founding for founding, _links in found], time.time())

    run_with_store(database, keep)
    links = [links for _founding, links in found]
    if slips:
        with name_file_in_errors(slips):
            write_atomically(slips, slips_page(links, rules, say))
    if file:
        with name_file_in_errors(file):
            write_atomically(file, links_as_csv(links))
    else:
        click.echo(links_as_csv(links), nl=False)
    warn_of_local_links(base, say)


def warn_of_local_links(base: str, say: Voice) -> None:
    """Say that links work on this machine alone, if they do."""
    from quinconce.server.settings import LOCAL_HOSTS

    if urlsplit(base).hostname in LOCAL_HOSTS:
        warning = _(
            "These links work on this machine only. For others, start the server with "
            "«quinconce serve --share» first, or say where it is: --url ADDRESS"
        )
        click.echo(say(warning), err=True)


def check_setup(setup: Setup) -> Setup:
    """The same setup; ValueError if one of its values is out of range."""
    import msgspec

    try:
        return msgspec.convert(msgspec.to_builtins(setup), type(setup))
    except msgspec.ValidationError as error:
        raise ValueError(_("this cannot be set up: {why}", why=str(error))) from None


def server_url(database: str | None) -> str:
    """The address of the running server, in the network if shared; else its default address."""
    from quinconce.server import serve
    from quinconce.server.settings import DEFAULT_PORT, LOCAL_HOSTS

    here = serve.find_running_server(database)
    if here is None:
        return f"http://{LOCAL_HOSTS[0]}:{DEFAULT_PORT}"
    return here.shared or here.url


def parse_engine_seats(count: int, engines: Sequence[str], say: Voice) -> list[SeatSetup]:
    """Seats for friends, but for those given to the engine as N=engine:LEVEL."""
    from quinconce.server.matches.setup import SeatSetup

    seats = [SeatSetup("friend") for _seat in range(count)]
    for text in engines:
        seat, _equals, who = text.partition("=")
        n, level = parse_number(seat), parse_engine_level(who, say)
        if n is None or not 1 <= n <= count or level is None:
            raise ValueError(
                _(
                    "{wrong} is not like N=engine:LEVEL with N from 1 to {n}",
                    wrong=quote(text),
                    n=count,
                )
            )
        seats[n - 1] = SeatSetup("engine", level=level)
    return seats


def clock_terms(minutes: float | None, increment: float, days: float | None) -> TimeControl | None:
    """The clock of the matches, or None."""
    from quinconce.server.matches.clock import TimeControl

    if minutes is None and days is None and not increment:
        return None
    return TimeControl(minutes, increment, days)


def read_names(file: Path) -> list[list[str]]:
    """The names in a CSV file, a match a line; empty lines are none."""
    with name_file_in_errors(file):
        text = read_text(file, MAX_NAMES_BYTES).removeprefix("\ufeff")
    return [row for row in csv.reader(io.StringIO(text)) if any(cell.strip() for cell in row)]


@matches_group.command(
    "list", help=_("The tags, with how many matches they have and how many are over.")
)
@database_option
def list_tags(database: str | None) -> None:
    """Print a line for each tag: its name, its matches, those that are over."""

    async def look(store: Store) -> list[tuple[str, int, int]]:
        return await store.tags()

    for tag, count, over in run_with_store(database, look):
        click.echo(f"{tag}\t{count}\t{over}")


@matches_group.command("export", help=_("Write the records of all matches of TAG into FOLDER."))
@click.argument("tag", metavar="TAG")
@click.argument("folder", type=click.Path(path_type=Path))
@database_option
@click.pass_obj
def export_command(say: Voice, tag: str, folder: Path, database: str | None) -> None:
    """Write a file for each match, named by its id."""
    from quinconce.server.clubs.tags import tag_records

    async def look(store: Store) -> list[tuple[str, str]]:
        return [(kept.id, text) for kept, text in await tag_records(store, tag)]

    found = run_with_store(database, look)
    if not found:
        raise ValueError(_("there are no matches under {tag}", tag=quote(tag)))
    with name_file_in_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for match, text in found:
            write_atomically(folder / f"{match}.quinconce", text)
    click.echo(
        say(
            ngettext(
                "{n} record is in {folder}",
                "{n} records are in {folder}",
                len(found),
                folder=folder,
            )
        )
    )


def run_with_store(database: str | None, do: Callable[[Store], Awaitable[T]]) -> T:
    """Open the database, migrate it if needed, and do something with it.

    ValueError if it cannot be used, because the disk is full or the server is away.
    """
    from quinconce.server.storage.database import (
        database_url,
        explain_database_errors,
        migrate,
        open_database,
    )
    from quinconce.server.storage.store import Store

    async def run() -> T:
        store = Store(open_database(database_url(database)))
        try:
            await migrate(store.database)
            return await do(store)
        finally:
            await store.close()

    logging.getLogger("quinconce.server").addHandler(logging.NullHandler())  # the error tells it
    with explain_database_errors():
        return asyncio.run(run())


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
