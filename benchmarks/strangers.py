"""How long a crowd of players waits while strangers send the worst that we know of.

`python -m benchmarks.strangers --games 200 --every 10 --seconds 30` starts a server of its own for
each kind of request, with the usual limits, and plays as `benchmarks.crowd` does. Beside it some
addresses send such requests as fast as they are answered, or leave without waiting. A row says how
long players waited for the answer to a move and visitors for the home page, how late a timer of the
event loop came, and how many requests were sent, done, and refused with 429.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from contextlib import suppress
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from benchmarks.crowd import Crowd, HttpConnection
from benchmarks.loop_lag import WATCH_SCRIPT, Watched
from benchmarks.own_server import server_process
from quinconce import Match, game
from quinconce.core.move_limit import list_moves

SERVER_SCRIPT: Final = f"""{WATCH_SCRIPT}
settings = Settings(database=sys.argv[1], trust_proxy=True)
run_server(settings, 0, lambda url, shared: print(url, flush=True))
"""
SEEGA: Final = {"size": 9, "quiet": "none"}
TREE_BYTES: Final = 255_000
LINE_MOVES: Final = 1844
LOOK_SECONDS: Final = 0.25  # between two visits of the home page
NEVER_READ: Final = 50  # streams an address opens


class Question(NamedTuple):
    """A request, and whether its sender waits for the answer."""

    method: str
    path: str
    body: Any = None
    waits: bool = True


def seega_tree() -> dict[str, Any]:
    """A legal tree of placements, as large as a request may be."""
    match: Match[Any] = Match(game("seega", **SEEGA))
    nodes: list[dict[str, Any]] = []
    size, after = 0, -1
    while size < TREE_BYTES:
        moves = list(list_moves(match.game, match.position))
        first = len(nodes)
        for move in moves:
            nodes.append({"after": after, "move": move})
            size += len(json.dumps(nodes[-1])) + 2
            if size >= TREE_BYTES:
                break
        after = first
        match.play(moves[0])
    return {"game": "seega", "options": SEEGA, "nodes": nodes}


def long_line() -> list[str]:
    """The moves of a match of Buts in which nobody wants to win."""
    chance, match = random.Random(0), Match(game("buts"))
    while len(match.moves) < LINE_MOVES:
        moves = list(match.legal())
        chance.shuffle(moves)
        for move in moves:
            match.play(move)
            if not match.outcome():
                break
            match.undo()
        else:
            raise ValueError("every move ends this match")
    return list(match.moves)


def blank_note() -> str:
    """A record with a note of blanks and line ends."""
    head = '[Format "quinconce 2"]\n[Game "diam"]\n[Result "*"]\n\n'
    blanks = " \n" * 50_000
    return f"{head}{{x{blanks}x}} r@1 *"


def questions() -> dict[str, list[Question]]:
    """What is sent, by its name; the first of no requests at all."""
    line, tree = long_line(), seega_tree()
    picture = f"/picture/buts.svg?{urlencode({'moves': ' '.join(line)})}"
    analysis = {"game": "buts", "moves": line}
    return {
        "nothing": [],
        "a note of blanks": [Question("POST", "/api/explore", {"record": blank_note()})],
        "a tree of placements": [Question("POST", "/api/variations", tree)],
        "trees, and they leave": [Question("POST", "/api/variations", tree, waits=False)],
        "pictures of a long line": [Question("GET", f"{picture}&turned={n}") for n in range(1000)],
        "the page of a game": [Question("GET", "/game/seega")],
        "a sheet of somebody's match": [Question("GET", "/match/{match}/print")],
        "long analyses, and they leave": [Question("POST", "/api/analysis", analysis, waits=False)],
        "streams that nobody reads": [Question("GET", "/api/matches/{match}/events", waits=False)],
    }


class Strangers:
    """Some addresses that send requests again and again."""

    def __init__(self, host: str, asked: list[Question]) -> None:
        self.host = host
        self.asked = asked
        self.statuses: Counter[int] = Counter()
        self.left = 0
        self.match = ""
        self.open_connections: list[HttpConnection] = []

    async def run(self, address: str) -> None:
        """Send them one after the other, from one address, for ever."""
        turn = 0
        while self.asked:
            question = self.asked[turn % len(self.asked)]
            turn += 1
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await self.send(question, address)

    async def send(self, question: Question, address: str) -> None:
        """Send one, and read the answer or leave."""
        connection = HttpConnection(self.host)
        await connection.open()
        path = question.path.replace("{match}", self.match)
        headers = {"Content-Type": "application/json", "X-Forwarded-For": address}
        body = b"" if question.body is None else json.dumps(question.body).encode()
        sending = asyncio.create_task(connection.send(question.method, path, headers, body))
        if question.waits:
            self.statuses[await sending] += 1
            await connection.reader.readexactly(connection.length)
        else:
            await asyncio.wait((sending,), timeout=0.1)
            if sending.done():
                self.statuses[sending.result()] += 1
            else:
                self.left += 1
                sending.cancel()
        if path.endswith("/events") and len(self.open_connections) < NEVER_READ:
            self.open_connections.append(connection)
        else:
            connection.writer.close()


async def visit_home(host: str, waits: list[float]) -> None:
    """Somebody else opens the home page now and then."""
    connection = HttpConnection(host)
    await connection.open()
    while True:
        begun = time.perf_counter()
        await connection.send("GET", "/", {"X-Forwarded-For": "7.7.7.7"}, b"")
        await connection.reader.readexactly(connection.length)
        waits.append(1000 * (time.perf_counter() - begun))
        await asyncio.sleep(LOOK_SECONDS)


async def make_a_match(host: str) -> str:
    """A match that strangers look at."""
    connection = HttpConnection(host)
    await connection.open()
    setup = {"game": "seega", "seats": [{"kind": "friend"}] * 2}
    _status, made = await connection.request("POST", "/api/matches", setup)
    return str(made["id"])


async def measure(server: Watched, asked: list[Question], wish: argparse.Namespace) -> str:
    """A row for one kind of request."""
    host = server.address.replace("localhost", "127.0.0.1")
    crowd, strangers, waits = Crowd(host, browsers=False), Strangers(host, asked), list[float]()
    strangers.match = await make_a_match(host)
    await visit_once(host)
    server.worst()
    beside = [visit_home(host, waits)]
    beside += [strangers.run(f"9.9.9.{n}") for n in range(wish.addresses)]
    tasks = [asyncio.create_task(each) for each in beside]
    figures = await crowd.run(wish.games, wish.every, wish.seconds, server.process.pid)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    worst = server.worst()
    answers = sorted(figures.answers)
    sent = strangers.left + strangers.statuses.total()
    return (
        f"{answers[len(answers) // 2]:.0f}, {answers[-1]:.0f} | {max(waits, default=0):.0f} | "
        f"{1000 * worst['late']:.0f} | "
        f"{sent} | {strangers.statuses[200]} | {strangers.statuses[429]} |"
    )


async def visit_once(host: str) -> None:
    """The home page for the first time, whose template is compiled."""
    with suppress(TimeoutError):
        await asyncio.wait_for(visit_home(host, []), LOOK_SECONDS)


def main() -> None:
    """Print a row for each kind of request, or for those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--every", type=float, default=10.0, help="seconds from move to move")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--addresses", type=int, default=3, help="from which strangers ask")
    parser.add_argument("--only", default="", help="the rows whose name has this word")
    wish = parser.parse_args()
    out = sys.stdout
    out.write("| beside the games | moves: median, longest (ms) | home page: longest (ms) |")
    out.write(" event loop: late (ms) | sent | done | refused |\n|---|--:|--:|--:|--:|--:|--:|\n")
    for name, asked in questions().items():
        if wish.only not in name:
            continue
        with server_process(SERVER_SCRIPT) as process:
            row = asyncio.run(measure(Watched(process), asked, wish))
        out.write(f"| {name} | {row}\n")
        out.flush()


if __name__ == "__main__":
    main()
