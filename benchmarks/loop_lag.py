"""How long the worst requests hold the event loop of a server: `python -m` this module.

For each kind of request, eight at once: the longest step of the loop in CPU time of its thread
(what a request itself holds it for, however busy the machine is), and the longest that a timer came
late (with what others hold it for). Then a crowd that watches a match while somebody moves.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from statistics import median
from typing import Any, Final

import click

from benchmarks.latency import post_json
from benchmarks.own_server import served_host, server_process
from quinconce import Match, game
from quinconce.core.record import Record

# What a script begins with whose server tells, for each line that it is sent, what held its loop.
WATCH_SCRIPT: Final = """
import asyncio, asyncio.events, json, sys, threading, time
from quinconce.server.serve import run_server
from quinconce.server.services import Services
from quinconce.server.settings import ServerLimits, Settings

worst = {"step": 0.0, "what": "", "late": 0.0, "since": 0.0}
run = asyncio.events.Handle._run

def timed_run(handle):
    before = time.thread_time()
    try:
        return run(handle)
    finally:
        held = time.thread_time() - before
        if held > worst["step"]:
            worst.update(step=held, what=repr(handle)[:300])

asyncio.events.Handle._run = timed_run
open_services = Services.open

async def watch():
    while True:
        before = time.monotonic()
        await asyncio.sleep(0.005)
        worst["late"] = max(worst["late"], time.monotonic() - before - 0.005)

async def open_and_watch(self):
    await open_services(self)
    self.watching = asyncio.create_task(watch())

Services.open = open_and_watch

def report():
    for _line in sys.stdin:
        print(json.dumps({**worst, "cpu": time.process_time() - worst["since"]}), flush=True)
        worst.update(step=0.0, what="", late=0.0, since=time.process_time())

threading.Thread(target=report, daemon=True).start()
"""
SERVER_SCRIPT: Final = f"""{WATCH_SCRIPT}
limits = ServerLimits(requests_per_minute=10**6, writes_per_minute=10**6, matches_per_hour=10**6,
    streams_per_address=10**4, total_streams=10**4)
run_server(Settings(database=sys.argv[1], limits=limits), 0,
    lambda url, shared: print(url, flush=True))
"""
AT_ONCE: Final = 8
CROWDS: Final = (0, 100, 300)  # people who watch
CROWD_MOVES: Final = 8
CROWDED: Final = (  # chains of captures by the million
    "w.w.bwb.w/wbb.bwb.w/wwb..bw.b/wb..bwb.w/bwb.wwb../........b/.wbbb.bbw/bbwwwbwwb/w.wb.wb.."
)
FRIENDS: Final = [{"kind": "friend"}, {"kind": "friend"}]
Question = tuple[str, str, Any]  # method, path, body


class Watched:
    """A server that tells what held its loop."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout
        assert process.stdin
        self.process = process
        self.out, self.into = process.stdout, process.stdin
        self.address = served_host(process)

    def worst(self) -> dict[str, Any]:
        """What was worst since this was last asked."""
        self.into.write("\n")
        self.into.flush()
        found: dict[str, Any] = json.loads(self.out.readline())
        return found

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, bytes]:
        """The status and the text of an answer, compressed as for a browser."""
        headers = {"Content-Type": "application/json", "Accept-Encoding": "gzip"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connection = HTTPConnection(self.address, timeout=300)
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, headers)
        answer = connection.getresponse()
        told = answer.status, answer.read()
        connection.close()
        return told

    def post(self, path: str, body: Any, token: str = "") -> Any:
        """What the server answers, as JSON."""
        connection = HTTPConnection(self.address, timeout=300)
        told = post_json(connection, path, body, token)
        connection.close()
        return told


@contextmanager
def watched_server() -> Iterator[Watched]:
    """A server of its own, on a database of its own."""
    with server_process(SERVER_SCRIPT) as process:
        yield Watched(process)


def long_record(plies: int) -> str:
    """A long match of Seega 9×9 in which nobody captures for as long as may be."""
    chance = random.Random(1)
    match = Match(game("seega", size=9, quiet="none"))
    while len(match.moves) < plies and not match.outcome():
        legal = sorted(match.legal(), key=lambda text: (text.count("x"), chance.random()))
        match.play(legal[0])
    return Record.of(match).text()


def make_match(server: Watched, **setup: Any) -> tuple[str, list[str]]:
    """A match between two programs, and their tokens."""
    made = server.post("/api/matches", {"seats": FRIENDS, "order": "given", **setup})
    return made["id"], [seat["link"].partition("#")[2] for seat in made["seats"]]


def questions(server: Watched) -> dict[str, Sequence[Question]]:
    """The worst requests of each kind."""
    seega = {"game": "seega", "options": {"size": 9, "quiet": "none"}}
    record = long_record(1000)
    moves = [word for line in record.split("\n\n")[1].splitlines() for word in line.split()[1:]]
    crowded = {"game": "seega", "options": {"size": 9}}
    before = {**crowded, "position": f"{CROWDED} turn=1 phase=2 duty=0"}
    many = {**before, "seats": FRIENDS}
    opening, _tokens = make_match(server, **seega)
    return {
        "explore: millions of chains": [
            ("POST", "/api/explore", {**crowded, "position": f"{CROWDED} turn=0 phase=2 duty=0"})
        ],
        "explore: narrowed": [("POST", "/api/explore", {**before, "moves": ["a2xa3"]})],
        "explore: 3 160 placings": [("POST", "/api/explore", seega)],
        "explore: a long line": [("POST", "/api/explore", {**seega, "moves": moves})],
        "explore: a long record": [("POST", "/api/explore", {"record": record})],
        "truths: a long record": [("POST", "/api/truths", {"record": record, "since": 100_000})],
        "match: read": [("GET", f"/api/matches/{opening}", None)],
        "match: page": [("GET", f"/match/{opening}", None)],
        "match: print": [("GET", f"/match/{opening}/print", None)],
        "QR codes": [
            ("POST", "/api/qr", {"text": f"http://localhost/{n}#{'x' * 200}"}) for n in range(20)
        ],
        "pages": [
            ("GET", path, None)
            for path in ("/", "/game/seega", "/known", "/explore", "/puzzles/seega", "/api/games")
        ],
        "100 matches at once": [
            ("POST", f"/api/tags/club{n}/matches", {"setup": many, "count": 100}) for n in range(2)
        ],
        "deep JSON": [("POST", "/api/explore", "[" * 50_000)],
    }


def ask_all(server: Watched, asked: Sequence[Question]) -> dict[str, Any]:
    """Ask eight times at once, and return what held the loop meanwhile."""
    server.ask(*asked[0])
    server.worst()
    with ThreadPoolExecutor(max(AT_ONCE, len(asked))) as crowd:
        every = [each for each in asked for _time in range(max(1, AT_ONCE // len(asked)))]
        for done in [crowd.submit(server.ask, *each) for each in every]:
            status, _text = done.result()
            assert status < 500, status
    return server.worst()


def long_match(server: Watched) -> dict[str, Sequence[Question]]:
    """A match of many moves, played, and then asked for."""
    match, tokens = make_match(server, game="seega", options={"size": 9, "quiet": "none"})
    moves = [w for line in long_record(400).split("\n\n")[1].splitlines() for w in line.split()[1:]]
    for seq, move in enumerate(moves):
        token = tokens[seq % 2]
        server.post(f"/api/matches/{match}/moves", {"seq": seq, "move": move}, token)
    return {
        "long match: read": [("GET", f"/api/matches/{match}", None)],
        "long match: page": [("GET", f"/match/{match}", None)],
        "long match: print": [("GET", f"/match/{match}/print", None)],
        "long match: record": [("GET", f"/api/matches/{match}/record", None)],
        "long match: stream": [("GET", f"/match/{match}?lang=fr", None)],
    }


def watch_match(
    server: Watched, match: str, stop: threading.Event, seen: Callable[[], None]
) -> None:
    """Somebody who watches in a browser: reads the match whenever its stream tells of an event."""
    connection = HTTPConnection(server.address, timeout=300)
    connection.request(
        "GET", f"/api/matches/{match}/events", headers={"Accept": "text/event-stream"}
    )
    for line in connection.getresponse():
        if stop.is_set():
            return
        if line.startswith(b"event: move"):
            server.ask("GET", f"/api/matches/{match}")
            seen()


def crowd_row(server: Watched, people: int) -> tuple[float, float, float]:
    """How long the mover waits, and until all have seen the move; the CPU it costs the server."""
    match, tokens = make_match(server, game="seega", options={"size": 9})
    stop, seen = threading.Event(), threading.Semaphore(0)
    for _person in range(people):
        arguments = (server, match, stop, seen.release)
        threading.Thread(target=watch_match, args=arguments, daemon=True).start()
    time.sleep(1 + people / 50)
    answers, shown, played = [], [], Match(game("seega", size=9))
    server.worst()
    for seq in range(CROWD_MOVES):
        move = min(played.legal())
        played.play(move)
        before = time.perf_counter()
        server.post(f"/api/matches/{match}/moves", {"seq": seq, "move": move}, tokens[seq % 2])
        answers.append(time.perf_counter() - before)
        for _person in range(people):
            seen.acquire(timeout=60)
        shown.append(time.perf_counter() - before)
    stop.set()
    cpu = 1000 * server.worst()["cpu"] / CROWD_MOVES
    return 1000 * median(answers), 1000 * median(shown), cpu


def main() -> None:
    """Print a row for each kind of request, then one for each crowd.

    With words as arguments, only the rows that contain one of them.
    """
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")]

    def is_wanted(name: str) -> bool:
        return not wanted or any(word in name for word in wanted)

    with watched_server() as server:
        click.echo("| request, 8 at once | longest step (ms CPU) | timer late by (ms) | CPU (ms) |")
        click.echo("|---|--:|--:|--:|")
        asked = questions(server) | (long_match(server) if is_wanted("long match") else {})
        for name in filter(is_wanted, asked):
            worst = ask_all(server, asked[name])
            step, late, cpu = (1000 * worst[key] for key in ("step", "late", "cpu"))
            click.echo(f"| {name} | {step:.1f} | {late:.0f} | {cpu:.0f} |")
            if "--why" in sys.argv:
                click.echo(f"    {worst['what']}")
        if is_wanted("crowd"):
            click.echo(
                "\n| people watching | answer (ms) | all have seen it (ms) | CPU a move (ms) |"
            )
            click.echo("|--:|--:|--:|--:|")
            for people in CROWDS:
                row = " | ".join(f"{value:.0f}" for value in crowd_row(server, people))
                click.echo(f"| {people} | {row} |")


if __name__ == "__main__":
    main()
