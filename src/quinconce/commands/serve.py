"""The commands of whoever keeps a house open: serve, back up, and matches for many."""

from __future__ import annotations

import asyncio
import csv
import io
import os
import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from quinconce.core.files import name_file_in_errors, read_text, write_atomically
from quinconce.core.option import parse_number
from quinconce.core.phrase import _, quote
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.server.matches.clock import TimeControl
    from quinconce.server.matches.seats import SeatSetup
    from quinconce.server.storage.store import Store

# The server and its libraries are slow to load, so each command does that for itself.

T = TypeVar("T")
MAX_NAMES_BYTES: Final = 1_000_000  # bytes of a file with names

database_option = click.option(
    "--database",
    metavar="URL",
    envvar="QUINCONCE_DATABASE",
    help=_("where matches are kept, like sqlite:///FILE; else in your data folder"),
)


@click.command("serve", help=_("Open the house: play in the browser, alone or with friends."))
@click.option("--host", help=_("the address to listen at; else only this machine can ask"))
@click.option("--port", type=click.IntRange(0, 65535), help=_("the port to listen at"))
@database_option
@click.option("--share", is_flag=True, help=_("serve the local network, so that friends can come"))
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help=_("a name by which others call this host"),
)
@click.option("--proxy", is_flag=True, help=_("a proxy on this machine says who asks"))
@click.option("--open", "browser", is_flag=True, help=_("show the page in a browser"))
@click.option("--verbose", is_flag=True, help=_("tell of every request"))
@click.pass_obj
def serve_command(
    say: Voice,
    host: str | None,
    port: int | None,
    database: str | None,
    share: bool,
    names: Sequence[str],
    proxy: bool,
    browser: bool,
    verbose: bool,
) -> None:
    """A second one finds the first, and shows that instead."""
    from quinconce.server import serve
    from quinconce.server.settings import LOCAL_HOSTS, Settings

    if found := serve.find_running_server(database):
        if share and not found.shared:
            raise ValueError(
                _("the house is open already, but for this machine only: close it first")
            )
        click.echo(say(_("The house is open already: {url}", url=found.url)))
        if browser:
            serve.open_browser(found.url)
        return

    def ready(url: str, shared: str | None) -> None:
        click.echo(say(_("The house is open: {url} (Ctrl-C closes it)", url=url)))
        if shared:
            click.echo(say(_("Friends in your network find it at {url}", url=shared)))
        elif share:
            click.echo(say(_("This machine is in no network: only its own links work.")))
        if browser:
            serve.open_browser(url)

    settings = Settings(
        host=host or (serve.ALL_INTERFACES[0] if share else LOCAL_HOSTS[1]),
        database=database,
        allowed_hosts=frozenset(name.lower() for name in names),
        trust_proxy=proxy,
        workers=max(1, (os.cpu_count() or 2) // 2),
    )
    serve.run_server(settings, port, ready, verbose=verbose)


@click.command("backup", help=_("Copy the database to FILE, also while the house is open."))
@click.argument("file", type=click.Path(path_type=Path))
@database_option
@click.pass_obj
def backup(say: Voice, file: Path, database: str | None) -> None:
    """The copy is whole; a file that is there is not overwritten."""
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


@click.group("matches", help=_("Matches for a club or a class: make many, list them, export them."))
def matches_group() -> None:
    """Done with the database itself, whether the house is open or not."""


@matches_group.command(
    "make", help=_("Make matches under TAG, and print the links of all seats as CSV.")
)
@click.argument("tag", metavar="TAG")
@click.argument("name", metavar="GAME")
@click.option(
    "-o", "options", multiple=True, metavar="KEY=VALUE", help=_("set an option of the game")
)
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
@click.option("--url", help=_("how the links begin; else where the house is open"))
@click.option("--csv", "file", type=click.Path(path_type=Path), help=_("write the links here"))
@database_option
def make_command(
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
    database: str | None,
) -> None:
    """The links are told only now: the database keeps no secret."""
    import msgspec

    from quinconce.commands.options import parse_game
    from quinconce.server.matches.create import links_as_csv, prepare_matches
    from quinconce.server.matches.setup import Setup

    rules = parse_game(name, options)
    setup = Setup(
        rules.name,
        parse_engine_seats(rules.seats, engines),
        dict(rules.chosen),
        "given" if given else "lot",
        clock=clock_terms(minutes, increment, days),
        tag=tag,
    )
    try:
        setup = msgspec.convert(msgspec.to_builtins(setup), Setup)  # holds what is out of range
    except msgspec.ValidationError as error:
        raise ValueError(_("this cannot be set up: {why}", why=str(error))) from None
    people = [[]] * count if names is None else read_names(names)
    base = (url or server_url(database)).rstrip("/")
    found = prepare_matches(setup, base, random.SystemRandom(), people)

    async def keep(store: Store) -> None:
        import time

        await store.insert_matches([founding for founding, _links in found], time.time())

    run_with_store(database, keep)
    text = links_as_csv([links for _founding, links in found])
    if file:
        with name_file_in_errors(file):
            write_atomically(file, text)
    else:
        click.echo(text, nl=False)


def server_url(database: str | None) -> str:
    """Where this house is open, in the network if it is shared; else where it will be."""
    from quinconce.server import serve
    from quinconce.server.settings import DEFAULT_PORT, LOCAL_HOSTS

    here = serve.find_running_server(database)
    if here is None:
        return f"http://{LOCAL_HOSTS[0]}:{DEFAULT_PORT}"
    return here.shared or here.url


def parse_engine_seats(count: int, engines: Sequence[str]) -> list[SeatSetup]:
    """Seats for friends, but for those that an engine plays."""
    from quinconce.server.matches.seats import ENGINE_LEVELS, SeatSetup

    seats = [SeatSetup("friend") for _seat in range(count)]
    for text in engines:
        seat, _equals, who = text.partition("=")
        level = parse_number(who.removeprefix("engine:"))
        n = parse_number(seat)
        fits = n in range(1, count + 1) and who.startswith("engine:") and level in ENGINE_LEVELS
        if n is None or not fits:
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
    """The clock that was asked for."""
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
    """A line a tag: its name, the matches, those that are over."""

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
    """A file a match, named by the match."""
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
    click.echo(say(_("{n} records are in {folder}", n=len(found), folder=folder)))


def run_with_store(database: str | None, do: Callable[[Store], Awaitable[T]]) -> T:
    """Do something with the database."""
    from quinconce.server.storage.database import database_url, migrate, open_database
    from quinconce.server.storage.store import Store

    async def run() -> T:
        store = Store(open_database(database_url(database)))
        try:
            await migrate(store.database)
            return await do(store)
        finally:
            await store.close()

    return asyncio.run(run())


COMMANDS: Final = (serve_command, backup, matches_group)
