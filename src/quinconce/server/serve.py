"""Serving: find the server that runs already, or run one and say where it is."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Final, NamedTuple
from urllib.request import urlopen

from msgspec.structs import replace

from quinconce.core.files import describe_error, name_file_in_errors, write_atomically
from quinconce.core.phrase import _
from quinconce.server.engines.jobs import MoveChooser
from quinconce.server.http_server import serve_socket
from quinconce.server.log_format import LogStyle, configure_logging
from quinconce.server.settings import DEFAULT_PORT, LOCAL_HOSTS, Settings
from quinconce.server.storage.database import (
    data_folder,
    database_fingerprint,
    database_url,
    prepare_database,
)
from quinconce.server.supervisor import Supervisor

MAX_UNSENT_BYTES: Final = 16_384  # of a connection, that the system keeps for us
ALL_INTERFACES: Final = ("0.0.0.0", "::")  # noqa: S104 (only where somebody asks for it)
HEALTH_TIMEOUT: Final = 2.0  # seconds in which a server on this machine answers
# An address of nobody: what is sent there starts at our own.
UNROUTABLE_ADDRESS: Final = ("192.0.2.1", 9)


def address_file(database: str | None) -> Path:
    """The file that says where a database is being served."""
    return data_folder() / f"serving-{database_fingerprint(database)}.json"


class RunningServer(NamedTuple):
    """A server that runs: its address here, and in the network if it is shared."""

    url: str
    shared: str | None


def find_running_server(database: str | None) -> RunningServer | None:
    """The server that serves this database on this machine, if one runs.

    A database server may have any number of them: there is not one to be found.
    """
    if not is_for_one_process(database):
        return None
    try:
        url = str(json.loads(address_file(database).read_text(encoding="utf-8"))["url"])
        if not url.startswith("http://"):
            return None
        with urlopen(f"{url}/api/health", timeout=HEALTH_TIMEOUT) as answer:  # noqa: S310 (see above)
            health = json.load(answer)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    ours = health.get("name") == "quinconce" and health.get("database") == database_fingerprint(
        database
    )
    return RunningServer(url, health.get("shared")) if ours else None


def network_address() -> str | None:
    """Our address in the local network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(UNROUTABLE_ADDRESS)  # sends nothing
        address = str(probe.getsockname()[0])
        return None if ip_address(address).is_loopback else address
    return None


def host_names(host: str, more: frozenset[str]) -> frozenset[str]:
    """The names by which a server may be called, from where it listens."""
    names = {*LOCAL_HOSTS, *more}
    if host not in ALL_INTERFACES:
        return frozenset({*names, host})
    own = socket.gethostname().lower()
    names |= {own, f"{own}.local"}
    if address := network_address():
        names.add(address)
    with suppress(OSError):
        names |= set(socket.gethostbyname_ex(own)[2])
    return frozenset(names)


def server_urls(host: str, port: int) -> tuple[str, str | None]:
    """Where a server is found on this machine, and in the network if it listens everywhere."""
    lan = network_address() if host in ALL_INTERFACES else None
    name = "localhost" if host in (*ALL_INTERFACES, *LOCAL_HOSTS) else host
    here = f"[{name}]" if ":" in name else name
    return f"http://{here}:{port}", f"http://{lan}:{port}" if lan else None


def bind_socket(host: str, port: int | None) -> socket.socket:
    """A socket where we listen; if no port was asked for and the usual one is taken, another."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for choice in (DEFAULT_PORT, 0) if port is None else (port,):
        try:
            door = socket.create_server((host, choice), family=family)
        except (OSError, OverflowError) as error:
            if choice == DEFAULT_PORT and port is None:
                continue
            why = describe_error(error)
            raise ValueError(
                _(
                    "cannot listen at {host}, port {port}: {why}",
                    host=host,
                    port=str(choice),
                    why=why,
                )
            ) from None
        # Else the second half of every answer would wait 40 ms for the first to be acknowledged.
        door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # What a reader does not read waits with us, where it is bounded, and not in the system.
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MAX_UNSENT_BYTES)
        return door
    raise AssertionError("a port of 0 is any")


def is_for_one_process(database: str | None) -> bool:
    """Whether a database is a file that one process serves: SQLite."""
    return database_url(database).get_backend_name() == "sqlite"


def check_processes(database: str | None, count: int) -> None:
    """ValueError if one port cannot serve this database with `count` processes."""
    if count > 1 and is_for_one_process(database):
        raise ValueError(
            _("SQLite is served by one process: for several, use --database postgresql://…")
        )
    if count > 1 and sys.platform == "win32":
        raise ValueError(_("several processes on one port do not work on Windows"))


def raise_file_limit() -> None:
    """Let this process have as many connections as the system allows: each one is a file."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # not on Windows

        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class AddressFile:
    """The file that says where this process serves a database; none for a database server.

    Any number of servers may serve that, so that nobody looks for the one that runs.
    """

    def __init__(self, database: str | None, url: str) -> None:
        self.path = address_file(database) if is_for_one_process(database) else None
        self.text = json.dumps({"url": url, "pid": os.getpid()}) + "\n"

    def write(self) -> None:
        """Say where the database is served."""
        if self.path:
            with name_file_in_errors(self.path):
                write_atomically(self.path, self.text)

    def remove(self) -> None:
        """Say it no longer, unless another has begun to say it."""
        with suppress(OSError):
            if self.path and self.path.read_text(encoding="utf-8") == self.text:
                self.path.unlink()


def run_server(
    settings: Settings,
    port: int | None,
    ready: Callable[[str, str | None], None],
    chooser: MoveChooser | None = None,
    verbose: bool = False,
    log: LogStyle = "text",
    processes: int = 1,
) -> None:
    """Serve until somebody ends it; `ready` is told the address here, and in the network."""
    configure_logging(verbose, log, several=processes > 1)
    raise_file_limit()
    asyncio.run(prepare_database(settings.database))
    door = bind_socket(settings.host, port)
    number = door.getsockname()[1]
    url, shared = server_urls(settings.host, number)
    served = replace(
        settings,
        port=number,
        shared_url=shared,
        allowed_hosts=host_names(settings.host, settings.allowed_hosts),
    )
    sign = AddressFile(settings.database, url)

    def announce() -> None:
        sign.write()
        ready(url, shared)

    if processes == 1:
        serve_socket(served, door, announce, sign.remove, chooser)
    else:
        Supervisor(served, door, processes, chooser, verbose, log).run(announce)
        sign.remove()


def open_browser(url: str) -> None:
    """Open a browser, where there is a screen for it."""
    screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if screen:
        webbrowser.open(url)
