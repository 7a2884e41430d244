"""Servers that start in no time, to be killed: forked from a process that has loaded everything."""

from __future__ import annotations

import asyncio
import json
import os
import random
import select
import signal
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from quinconce.server import http_server, serve
from quinconce.server.app import application
from quinconce.server.engines.jobs import EngineQuestion, replay_cached
from quinconce.server.settings import ServerLimits, Settings

MANY: Final = 10**6
LIMITS: Final = ServerLimits(
    requests_per_minute=MANY,
    writes_per_minute=MANY,
    matches_per_hour=MANY,
    streams_per_address=MANY,
    total_streams=MANY,
    total_writes_per_minute=MANY,
    total_matches_per_hour=MANY,
)
LOOK_SECONDS: Final = 0.01  # between two looks whether a server has ended
START_SECONDS: Final = 30.0  # in which a server is up


def random_move(question: EngineQuestion) -> str:
    """The engine of these servers: any legal move, so that nothing has to be compiled."""
    return random.Random(question.seed).choice(sorted(replay_cached(question.match).legal()))


class ForkedServer:
    """One server, as the process that has started it knows it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.pid: int | None = None  # None while it does not run
        self.port = 0  # any, until it has one
        self.up = asyncio.Event()
        self.down = asyncio.Event()

    @property
    def host(self) -> str:
        """Where it is found."""
        return f"127.0.0.1:{self.port}"


class ForkedServers:
    """Servers on one database, each started again and again on its own port."""

    def __init__(self, parent: asyncio.subprocess.Process, folder: Path, database: str) -> None:
        self.parent = parent
        self.folder = folder
        self.database = database
        self.servers: list[ForkedServer] = []
        self.any_up = asyncio.Event()
        self.given_up = 0  # how often one has ended by itself

    async def listen(self) -> None:
        """Note what the parent of all servers tells: one is forked, is up, or has ended."""
        assert self.parent.stdout
        async for line in self.parent.stdout:
            told = json.loads(line)
            server = self.servers[told["number"]]
            if told["what"] == "forked":
                server.pid = told["pid"]
            elif told["what"] == "up":
                server.port = told["port"]
                server.up.set()
                self.any_up.set()
            else:
                self.given_up += os.WIFEXITED(told["status"])
                server.pid = None
                server.up.clear()
                server.down.set()
                if not self.hosts_up():
                    self.any_up.clear()

    def hosts_up(self) -> list[str]:
        """Where servers are found that are up, as far as one knows."""
        return [server.host for server in self.servers if server.up.is_set()]

    async def keep_up(self, server: ForkedServer) -> None:
        """Start a server again whenever it has ended."""
        assert self.parent.stdin
        while True:
            server.down.clear()
            order = {"number": server.number, "port": server.port, "database": self.database}
            self.parent.stdin.write(json.dumps(order).encode() + b"\n")
            await server.down.wait()

    async def wait_up(self) -> None:
        """Wait until all servers are up."""
        for server in self.servers:
            await asyncio.wait_for(server.up.wait(), START_SECONDS)

    async def kill(self, server: ForkedServer) -> None:
        """Kill a server as a power cut would, and wait until it is gone."""
        if server.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(server.pid, signal.SIGKILL)
            await server.down.wait()

    def log(self) -> str:
        """What all servers have written."""
        return "".join(path.read_text() for path in sorted(self.folder.glob("server-*.log")))


@asynccontextmanager
async def fork_servers(count: int, database: str, folder: Path) -> AsyncIterator[ForkedServers]:
    """So many servers on one database, gone afterwards."""
    parent = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "benchmarks.forked_servers",
        str(folder),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[1],
    )
    servers = ForkedServers(parent, folder, database)
    servers.servers = [ForkedServer(number) for number in range(count)]
    tasks = [asyncio.create_task(servers.listen())]
    tasks += [asyncio.create_task(servers.keep_up(server)) for server in servers.servers]
    try:
        await servers.wait_up()
        yield servers
    finally:
        for task in tasks[1:]:
            task.cancel()
        for server in servers.servers:
            await servers.kill(server)
        assert parent.stdin
        parent.stdin.close()
        await parent.wait()
        await asyncio.gather(*tasks, return_exceptions=True)


# What follows runs in the process from which servers are forked, and in them.


def tell(what: str, **more: Any) -> None:
    """Tell the benchmark something, in one line that is written whole."""
    os.write(1, json.dumps({"what": what, **more}).encode() + b"\n")


def run_forked(order: dict[str, Any], folder: Path) -> None:
    """Serve, in a process of its own, until it is killed."""
    number = order["number"]
    os.environ["XDG_DATA_HOME"] = str(folder / f"data-{number}")
    log = os.open(folder / f"server-{number}.log", os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    os.dup2(log, 2)
    settings = Settings(database=order["database"], limits=LIMITS)

    def ready(url: str, _shared: str | None) -> None:
        tell("up", number=number, port=int(url.rpartition(":")[2]))

    # An engine that is no work needs no process of its own.
    vars(http_server)["application"] = partial(application, pool=ThreadPoolExecutor)
    serve.run_server(settings, order["port"], ready, random_move)


def main() -> None:
    """Fork a server for every line that comes, and tell of those that end."""
    folder, numbers = Path(sys.argv[1]), dict[int, int]()
    orders = open(0, "rb", buffering=0)  # noqa: SIM115 (what is read ahead, `select` misses)
    while True:
        if select.select([orders], [], [], LOOK_SECONDS)[0]:
            line = orders.readline()
            if not line:
                return
            order = json.loads(line)
            pid = os.fork()
            if not pid:
                try:
                    run_forked(order, folder)
                except ValueError as error:  # as the command tells it
                    os.write(2, f"quinconce: {error}\n".encode())
                finally:
                    os._exit(1)
            numbers[pid] = order["number"]
            tell("forked", number=order["number"], pid=pid)
        while numbers:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            tell("ended", number=numbers.pop(pid), status=status)


if __name__ == "__main__":
    main()
