"""`quinconce serve`: starts the server, for this machine or for the local network."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from quinconce.commands.options import MAX_JOBS, database_option
from quinconce.core.option import parse_number, parse_options
from quinconce.core.phrase import _, quote
from quinconce.core.worker_pools import load_distributed
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.server.log_format import LogStyle
    from quinconce.server.settings import ServerLimits

PREFIX: Final = "QUINCONCE_LIMIT_"  # of the variable for a limit, whose name follows in capitals
LARGEST: Final = 10**9


@click.command("serve", help=_("Start the server: play in the browser, alone or with friends."))
@click.option("--host", help=_("the address to listen at; else this machine only"))
@click.option("--port", type=click.IntRange(0, 65535), help=_("the port to listen at"))
@database_option
@click.option("--share", is_flag=True, help=_("serve the local network, so that friends can come"))
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help=_("a further name of this host"),
)
@click.option("--proxy", is_flag=True, help=_("trust the proxy on this machine to say who asks"))
@click.option(
    "--proxy-at",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help=_("trust the proxy at this address to say who asks"),
)
@click.option(
    "--processes",
    type=click.IntRange(1, MAX_JOBS),
    default=1,
    metavar="N",
    help=_("answer with this many processes, on PostgreSQL"),
)
@click.option(
    "--limit", "limits", multiple=True, metavar="KEY=VALUE", help=_("set a limit of the server")
)
@click.option(
    "--drain",
    type=click.FloatRange(0, 3600),
    default=0.0,
    metavar="SECONDS",
    help=_("when stopped, first say for this long that another server should be asked"),
)
@click.option(
    "--no-warmup",
    is_flag=True,
    expose_value=False,
    help=_("does nothing any more: the engine is ready at once"),
)
@click.option(
    "--engines",
    metavar="ADDRESS",
    help=_("let engines think on the Dask cluster with this scheduler, which you must trust"),
)
@click.option(
    "--local-engines",
    is_flag=True,
    help=_("let engines think on this machine while the cluster cannot be reached"),
)
@click.option(
    "--site",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help=_("offer what `quinconce site` wrote into this folder, to be kept on a device"),
)
@click.option("--open", "browser", is_flag=True, help=_("show the page in a browser"))
@click.option("--verbose", is_flag=True, help=_("tell of every request"))
@click.option(
    "--log", type=click.Choice(["text", "json"]), default="text", help=_("how the log is written")
)
@click.pass_obj
def serve_command(
    say: Voice,
    host: str | None,
    port: int | None,
    database: str | None,
    share: bool,
    names: Sequence[str],
    proxy: bool,
    proxies: Sequence[str],
    processes: int,
    limits: Sequence[str],
    drain: float,
    engines: str | None,
    local_engines: bool,
    site: Path | None,
    browser: bool,
    verbose: bool,
    log: LogStyle,
) -> None:
    """Start the server, or show the one that runs already."""
    from quinconce.server import serve  # slow to load
    from quinconce.server.settings import LOCAL_HOSTS, Settings

    bounds = parse_limits(limits, os.environ)
    serve.check_processes(database, processes)
    check_engines(engines, local_engines)
    check_site(site)
    if found := serve.find_running_server(database):
        if share and not found.shared:
            raise ValueError(
                _("the server is running already, but for this machine only: stop it first")
            )
        click.echo(say(_("The server is running already: {url}", url=found.url)))
        if browser:
            serve.open_browser(found.url)
        return

    def ready(url: str, shared: str | None) -> None:
        click.echo(say(_("The server is running: {url} (Ctrl-C stops it)", url=url)))
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
        trust_proxy=proxy or bool(proxies),
        proxies=frozenset(map(parse_address, proxies)),
        limits=bounds,
        drain=drain,
        metrics_token=os.environ.get("QUINCONCE_METRICS_TOKEN") or None,
        workers=max(1, (os.cpu_count() or 2) // 2),
        preload=True,
        engines=engines,
        local_engines=local_engines,
        site=site and site.resolve(),
    )
    serve.run_server(settings, port, ready, verbose=verbose, log=log, processes=processes)


def parse_address(text: str) -> str:
    """The address of a machine or of a network; ValueError if it is none, such as a name."""
    try:
        return str(ip_network(text, strict=False)) if "/" in text else str(ip_address(text))
    except ValueError:
        raise ValueError(_("{wrong} is not an address like 10.0.0.5", wrong=quote(text))) from None


def check_site(folder: Path | None) -> None:
    """Raise ValueError if a folder is none that `quinconce site` has written."""
    if folder is None:
        return
    from quinconce.site.folder import MARKER

    if not (folder / MARKER).is_file():
        raise ValueError(
            _("{folder} is no folder that `quinconce site` has written", folder=quote(str(folder)))
        )


def check_engines(engines: str | None, local_engines: bool) -> None:
    """Raise ValueError if engines cannot think where they are told to."""
    from quinconce.server.engines.cluster_connection import check_scheduler_address

    if engines is not None:
        check_scheduler_address(engines)
        load_distributed()
    elif local_engines:
        raise ValueError(_("--local-engines goes with --engines"))


def parse_limits(options: Sequence[str], environment: Mapping[str, str]) -> ServerLimits:
    """The limits, each from `key=value`, else from its variable, else as it is by default.

    ValueError if there is no such limit, or its value is not a number.
    """
    from quinconce.server.settings import ServerLimits

    given = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(PREFIX) and value
    }
    given |= parse_options(options)
    known = ServerLimits.__struct_fields__
    for name in given:
        if name not in known:
            raise ValueError(
                _(
                    "there is no limit {name}: choose among {known}",
                    name=quote(name),
                    known=", ".join(known),
                )
            )
    return ServerLimits(**{name: parse_limit(name, text) for name, text in given.items()})


def parse_limit(name: str, text: str) -> int:
    """The value of a limit; ValueError if it is none."""
    value = parse_number(text)
    if value is None or not 1 <= value <= LARGEST:
        raise ValueError(
            _(
                "the limit {name} is a number from 1 to {last}, not {wrong}",
                name=name,
                last=str(LARGEST),
                wrong=quote(text),
            )
        )
    return value
