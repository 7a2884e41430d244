"""What many analyses cost those who play: first lines, slices, an engine's move: `python -m` it."""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from http.client import HTTPConnection
from socket import SHUT_RDWR
from statistics import median
from typing import Any, Final

from benchmarks.latency import post_json
from benchmarks.own_server import served_host, server_process
from quinconce import Match, game
from quinconce.core.match import replay

SERVER_SCRIPT: Final = """
import sys
from quinconce.server.serve import run_server
from quinconce.server.settings import ServerLimits, Settings
limits = ServerLimits(writes_per_minute=10**6, matches_per_hour=10**6)
settings = Settings(database=sys.argv[1], limits=limits)
run_server(settings, 0, lambda url, shared: print(url, flush=True))
"""
GAME: Final = "buts"
LEVEL: Final = 9  # of the engine whose moves are timed: it thinks some tens of milliseconds
OPENINGS: Final = tuple(sorted(Match(game(GAME)).legal())[::9])  # some legal moves


class Reader(threading.Thread):
    """Somebody who analyses, and notes when something comes."""

    def __init__(self, host: str, name: str, moves: list[str]) -> None:
        super().__init__(daemon=True)
        self.connection = HTTPConnection(host)
        self.body = {"game": GAME, "moves": moves, "visitor": name}
        self.first: float | None = None  # seconds to the first line
        self.last: dict[str, Any] = {}
        self.start()

    def run(self) -> None:
        """Until the connection is closed."""
        began = time.perf_counter()
        headers = {"Content-Type": "application/json"}
        self.connection.request("POST", "/api/analysis", json.dumps(self.body), headers)
        answer = self.connection.getresponse()
        assert answer.status == 200, answer.read()
        for line in answer:
            told = json.loads(line) if line.strip() else {}
            if told.get("lines"):
                self.first = self.first or time.perf_counter() - began
                self.last = told

    def close(self) -> None:
        """Leave."""
        if self.connection.sock:
            self.connection.sock.shutdown(SHUT_RDWR)

    def wait_for_line(self) -> float:
        """The seconds to the first line."""
        while self.first is None:
            time.sleep(0.005)
        return self.first


def engine_moves(host: str, count: int) -> list[float]:
    """How long an engine took for each of its moves, from one's own move on."""
    connection, times = HTTPConnection(host), []
    seats = [{"kind": "friend"}, {"kind": "engine", "level": LEVEL}]
    made = post_json(connection, "/api/matches", {"game": GAME, "seats": seats, "order": "given"})
    token = made["seats"][0]["link"].split("#")[1]
    path = f"/api/matches/{made['id']}"
    for _move in range(count):
        connection.request("GET", path)
        view = json.load(connection.getresponse())
        if view["scene"]["outcome"]:
            break
        move = min(replay(game(GAME), None, view["moves"]).legal())
        began = time.perf_counter()
        post_json(connection, f"{path}/moves", {"seq": view["seq"], "move": move}, token)
        before = len(view["moves"])
        while len(view["moves"]) < before + 2 and not view["scene"]["outcome"]:
            connection.request("GET", path)
            view = json.load(connection.getresponse())
        times.append(time.perf_counter() - began)
    return times


def tell(name: str, times: list[float]) -> None:
    """Print times in milliseconds."""
    told = f"half within {1000 * median(times):.0f} ms, the slowest {1000 * max(times):.0f} ms"
    sys.stdout.write(f"{name}: {told} (of {len(times)})\n")


def main() -> None:
    """Print first lines and an engine's moves, with nobody and with many who analyse."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readers", type=int, default=12)
    parser.add_argument("--moves", type=int, default=12)
    options = parser.parse_args()
    with server_process(SERVER_SCRIPT) as process:
        host = served_host(process)
        warm = Reader(host, "warm", [])
        warm.wait_for_line()
        warm.close()
        tell("moves of the engine, nobody analysing", engine_moves(host, options.moves))
        first = []
        for opening in OPENINGS:
            reader = Reader(host, "alone", [opening])
            first.append(reader.wait_for_line())
            reader.close()
        tell("a first line alone", first)
        readers = [
            Reader(host, f"r{n}", [OPENINGS[n % len(OPENINGS)], "B1-A1"])
            for n in range(options.readers)
        ]
        tell("a first line of many who begin at once", [each.wait_for_line() for each in readers])
        tell("moves of the engine, many analysing", engine_moves(host, options.moves))
        depths = sorted(each.last["depth"] for each in readers)
        seconds = sorted(each.last["seconds"] for each in readers)
        sys.stdout.write(
            f"depths {depths}; seconds thought {seconds[0]:.2f} to {seconds[-1]:.2f}\n"
        )


if __name__ == "__main__":
    main()
