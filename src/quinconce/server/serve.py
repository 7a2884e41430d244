"""Serving: a house that is open already is found, else this one opens and says where it is."""

from __future__ import annotations

import asyncio
import json
import logging
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

import uvicorn
from msgspec.structs import replace

from quinconce.core.files import told_by_name, trouble, write_whole
from quinconce.core.phrase import Phrase as _
from quinconce.server.app import application
from quinconce.server.matches.engine_pool import Chooser
from quinconce.server.routes.games import fingerprint
from quinconce.server.settings import LOCAL_NAMES, PORT, Settings
from quinconce.server.storage.database import data_folder, made_ready

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 (only where somebody asks for it)
QUICKLY: Final = 2.0  # seconds in which a house next door answers
NOWHERE: Final = ("192.0.2.1", 9)  # an address of nobody: the way there starts at our own


def notice(database: str | None) -> Path:
    """The file that says where a database is being served."""
    return data_folder() / f"serving-{fingerprint(database)}.json"


class Found(NamedTuple):
    """A house that is open: its address here, and in the network if it is shared."""

    url: str
    shared: str | None


def found(database: str | None) -> Found | None:
    """The house that serves this database on this machine, if one is open."""
    try:
        url = str(json.loads(notice(database).read_text(encoding="utf-8"))["url"])
        if not url.startswith("http://"):
            return None
        with urlopen(f"{url}/api/health", timeout=QUICKLY) as answer:  # noqa: S310 (see above)
            health = json.load(answer)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    ours = health.get("name") == "quinconce" and health.get("database") == fingerprint(database)
    return Found(url, health.get("shared")) if ours else None


def network_address() -> str | None:
    """Our address in the local network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(NOWHERE)  # sends nothing
        address = str(probe.getsockname()[0])
        return None if ip_address(address).is_loopback else address
    return None


def names_for(host: str, more: frozenset[str]) -> frozenset[str]:
    """The names by which a house may be called, from where it listens."""
    names = {*LOCAL_NAMES, *more}
    if host not in EVERYWHERE:
        return frozenset({*names, host})
    own = socket.gethostname().lower()
    names |= {own, f"{own}.local"}
    if address := network_address():
        names.add(address)
    with suppress(OSError):
        names |= set(socket.gethostbyname_ex(own)[2])
    return frozenset(names)


def addresses(host: str, port: int) -> tuple[str, str | None]:
    """Where a house is found on this machine, and in the network if it listens everywhere."""
    lan = network_address() if host in EVERYWHERE else None
    name = "localhost" if host in (*EVERYWHERE, *LOCAL_NAMES) else host
    here = f"[{name}]" if ":" in name else name
    return f"http://{here}:{port}", f"http://{lan}:{port}" if lan else None


def listening(host: str, port: int | None) -> socket.socket:
    """A socket where we listen; if no port was asked for and the usual one is taken, another."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for choice in (PORT, 0) if port is None else (port,):
        try:
            door = socket.create_server((host, choice), family=family)
        except (OSError, OverflowError) as error:
            if choice == PORT and port is None:
                continue
            why = trouble(error)
            raise ValueError(
                _("cannot listen at {host}, port {port}: {why}", host=host, port=choice, why=why)
            ) from None
        # Else the second half of every answer would wait 40 ms for the first to be acknowledged.
        door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return door
    raise AssertionError("a port of 0 is any")


class Server(uvicorn.Server):
    """Uvicorn, which tells when it is ready, when it is about to close, and when it is done."""

    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], None],
        leave: Callable[[], None],
        done: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self.ready = ready
        self.leave = leave
        self.done = done

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        if self.started:
            self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close; whatever signal asked for it ends the process right after."""
        self.leave()
        await super().shutdown(sockets)
        self.done()


def serve(
    settings: Settings,
    port: int | None,
    ready: Callable[[str, str | None], None],
    chooser: Chooser | None = None,
    verbose: bool = False,
) -> None:
    """Serve until somebody ends it; `ready` is told the address here, and in the network."""
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(message)s",
        stream=sys.stderr,
    )
    asyncio.run(made_ready(settings.database))
    door = listening(settings.host, port)
    number = door.getsockname()[1]
    url, shared = addresses(settings.host, number)
    house = replace(
        settings, port=number, shared=shared, names=names_for(settings.host, settings.names)
    )
    sign = notice(settings.database)

    def opened() -> None:
        with told_by_name(sign):
            write_whole(sign, json.dumps({"url": url, "pid": os.getpid()}) + "\n")
        ready(url, shared)

    app = application(house, chooser)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=verbose,
        server_header=False,
        proxy_headers=settings.proxy,
        timeout_graceful_shutdown=3,
        lifespan="on",
    )

    def closed() -> None:
        with suppress(OSError, ValueError):
            if json.loads(sign.read_text(encoding="utf-8")).get("pid") == os.getpid():
                sign.unlink()

    server = Server(config, opened, app.state.house.leave, closed)
    with suppress(KeyboardInterrupt):
        server.run([door])
    if not server.started:
        raise ValueError(_("the house could not open: what is wrong stands above"))


def show(url: str) -> None:
    """Open a browser, where there is a screen for it."""
    screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if screen:
        webbrowser.open(url)
