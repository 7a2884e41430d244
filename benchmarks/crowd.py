"""What a crowd costs: many live games over HTTP, each with both players' streams open.

`python -m benchmarks.crowd --games 300 --every 10 --seconds 30` starts a server of its own and
plays as programs do; with `--kind browsers` both players of each game read a view after each move,
as a page does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, suppress
from statistics import quantiles
from typing import Any, Final, NamedTuple

import psutil

from benchmarks.own_postgresql import run_postgresql
from benchmarks.own_server import served_host, server_process
from quinconce import Match, game, names

SERVER_SCRIPT: Final = """
import sys
from quinconce.server.serve import run_server
from quinconce.server.settings import ServerLimits, Settings
many = 10**6
limits = ServerLimits(requests_per_minute=many, writes_per_minute=many, matches_per_hour=many,
                      total_writes_per_minute=many, total_matches_per_hour=many,
                      streams_per_address=many, total_streams=many)
settings = Settings(database=sys.argv[1], limits=limits)
run_server(settings, 0, lambda url, shared: print(url, flush=True), processes=int(sys.argv[2]))
"""
JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"
SETTLE: Final = 2.0  # seconds for the last events to come
STREAM_LIMIT: Final = 2**20  # bytes of one line that a client reads


class Figures(NamedTuple):
    """What was measured while the games went on."""

    answers: list[float]  # milliseconds until a move was answered
    deliveries: list[float]  # and until the other player had it
    seconds: float
    cpu: float  # seconds of CPU that the server took
    megabytes_per_game: float
    refusals: int


class HttpConnection:
    """One connection to the server, kept open, for one request after the other."""

    def __init__(self, host: str) -> None:
        self.host = host

    async def open(self) -> None:
        """Connect."""
        name, _colon, port = self.host.partition(":")
        self.reader, self.writer = await asyncio.open_connection(
            name, int(port), limit=STREAM_LIMIT
        )

    async def send(self, method: str, path: str, headers: dict[str, str], body: bytes) -> int:
        """Send a request and read the head of its answer; returns the status."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower().splitlines()
        fields = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
        self.length = int(fields.get("content-length", "0"))
        return int(head[0].split()[1])

    async def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """The status and the JSON of an answer; what an idle connection did not take goes again."""
        data = b"" if body is None else json.dumps(body).encode()
        head = {"Content-Type": JSON, "Accept": JSON, **(headers or {})}
        try:
            status = await self.send(method, path, head, data)
        except (asyncio.IncompleteReadError, ConnectionError):
            await self.open()
            status = await self.send(method, path, head, data)
        return status, json.loads(await self.reader.readexactly(self.length) or b"null")

    async def chunks(self) -> AsyncIterator[bytes]:
        """The chunks of an answer that does not end."""
        while size := int(await self.reader.readline() or b"0", 16):
            yield (await self.reader.readexactly(size + 2))[:-2]


class CrowdGame:
    """A game between two players of whom each has a stream open."""

    def __init__(self, crowd: Crowd, number: int) -> None:
        self.crowd = crowd
        self.number = number
        self.sent: dict[int, float] = {}  # when the move with this number was sent
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self, texts: Sequence[str], seats: Sequence[int], name: str) -> None:
        """Make the match and open both streams."""
        self.texts, self.seats = texts, seats
        self.connection = HttpConnection(self.crowd.host)
        await self.connection.open()
        setup = {"game": name, "seats": [{"kind": "friend"}] * 2, "order": "given"}
        _status, made = await self.connection.request("POST", "/api/matches", setup)
        self.tokens = [seat["link"].split("#")[1] for seat in made["seats"]]
        self.path = f"/api/matches/{made['id']}"
        for seat in range(2):
            self.tasks.append(asyncio.create_task(self.listen(seat)))

    def authorization(self, seat: int) -> dict[str, str]:
        """The header that opens a seat."""
        return {"Authorization": f"Bearer {self.tokens[seat]}"}

    async def listen(self, seat: int) -> None:
        """Note when the other's moves come; a browser that is only nudged asks for the view."""
        stream, reader = HttpConnection(self.crowd.host), HttpConnection(self.crowd.host)
        await stream.open()
        await reader.open()
        browser = self.crowd.browsers
        headers = {"Accept": SSE if browser else NDJSON, **self.authorization(seat)}
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await stream.send("GET", f"{self.path}/events", headers, b"")
            async for chunk in stream.chunks():
                for line in chunk.decode().splitlines():
                    text = line.removeprefix("data: ")
                    if text.startswith("{"):
                        await self.note(json.loads(text), seat, reader)

    async def note(self, event: dict[str, Any], seat: int, reader: HttpConnection) -> None:
        """One event has come to a seat."""
        sent = self.sent.get(event.get("seq", 0))
        if sent is None or event.get("kind") != "move":
            return
        if self.crowd.browsers and "view" not in event and event["seat"] != seat:
            await reader.request("GET", self.path, headers=self.authorization(seat))
        if event["seat"] != seat:
            self.crowd.deliveries.append(1000 * (time.perf_counter() - sent))

    async def play(self, every: float, until: float, chance: random.Random) -> None:
        """A move every so many seconds, the first at some moment of the first of them."""
        await asyncio.sleep(chance.random() * every)
        for ply, text in enumerate(self.texts):
            begun = time.perf_counter()
            if begun > until:
                return
            self.sent[ply + 1] = begun
            headers = self.authorization(self.seats[ply])
            if not self.crowd.browsers:
                headers["Prefer"] = "return=minimal"
            status, _answer = await self.connection.request(
                "POST", f"{self.path}/moves", {"seq": ply, "move": text}, headers
            )
            self.crowd.answers.append(1000 * (time.perf_counter() - begun))
            self.crowd.refusals += status != 200
            await asyncio.sleep(max(0.0, begun + every - time.perf_counter()))


class Crowd:
    """All the games."""

    def __init__(self, host: str, browsers: bool) -> None:
        self.host = host
        self.browsers = browsers
        self.answers: list[float] = []
        self.deliveries: list[float] = []
        self.refusals = 0

    async def run(self, games: int, every: float, seconds: float, pid: int) -> Figures:
        """Play so many games for so long."""
        chance, process = random.Random(0), psutil.Process(pid)
        before = memory_bytes(process)
        tables = [CrowdGame(self, number) for number in range(games)]
        lines = random_games(min(games, 50), int(seconds / every) + 2, chance)
        for table in tables:
            await table.open(*lines[table.number % len(lines)])
        await asyncio.sleep(SETTLE)
        memory = memory_bytes(process) - before
        begun, cpu = time.perf_counter(), cpu_seconds(process)
        until = begun + seconds
        await asyncio.gather(*(table.play(every, until, chance) for table in tables))
        await asyncio.sleep(SETTLE)
        spent = cpu_seconds(process) - cpu
        for table in tables:
            for task in table.tasks:
                task.cancel()
        per_game = memory / games / 2**20
        return Figures(self.answers, self.deliveries, seconds, spent, per_game, self.refusals)


def random_games(
    count: int, plies: int, chance: random.Random
) -> list[tuple[list[str], list[int], str]]:
    """Moves of random games with who plays them, each with the name of its game."""
    lines = []
    for n in range(count):
        name = names()[n % len(names())]
        match = Match(game(name))
        texts: list[str] = []
        seats: list[int] = []
        while len(texts) < plies and not match.outcome():
            texts.append(chance.choice(sorted(match.legal())))
            seats.append(match.seat)
            match.play(texts[-1])
        lines.append((texts, seats, name))
    return lines


def cpu_seconds(process: psutil.Process) -> float:
    """The CPU time so far of a process and those that it has started."""
    every = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return float(sum(times.user + times.system for times in every))


def memory_bytes(process: psutil.Process) -> int:
    """The memory of a process and those that it has started."""
    every = (process, *process.children(recursive=True))
    return int(sum(each.memory_info().rss for each in every))


def percentiles(figures: Sequence[float]) -> str:
    """Half of them, all but one in twenty and all but one in a hundred lie below these."""
    cuts = quantiles(figures, n=100)
    return " / ".join(f"{cuts[at - 1]:.0f}" for at in (50, 95, 99))


def report(figures: Figures) -> str:
    """A line with everything."""
    moves = len(figures.answers)
    return (
        f"{moves} moves, {moves / figures.seconds:.0f} a second, {figures.refusals} refused; "
        f"answers {percentiles(figures.answers)} ms, "
        f"deliveries {percentiles(figures.deliveries)} ms (50, 95, 99 %); "
        f"{1000 * figures.cpu / moves:.1f} ms of CPU a move, "
        f"{figures.megabytes_per_game:.2f} MB a game"
    )


def main() -> None:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--every", type=float, default=10.0, help="seconds from move to move")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--kind", choices=("programs", "browsers"), default="programs")
    parser.add_argument("--database", help="its address; else a new SQLite file")
    parser.add_argument("--postgresql", action="store_true", help="start a PostgreSQL for it")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    with ExitStack() as stack:
        if asked.postgresql:
            asked.database = stack.enter_context(run_postgresql()).create_database("crowd")
        serving = server_process(SERVER_SCRIPT, asked.database, str(asked.processes))
        process = stack.enter_context(serving)
        host = served_host(process).replace("localhost", "127.0.0.1")
        crowd = Crowd(host, asked.kind == "browsers")
        figures = asyncio.run(crowd.run(asked.games, asked.every, asked.seconds, process.pid))
    sys.stdout.write(f"{asked.games} games of {asked.kind}: {report(figures)}\n")


if __name__ == "__main__":
    main()
