"""How long until a move is answered and the other player has it: `python -m` this module."""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from http.client import HTTPConnection
from statistics import median, quantiles
from typing import Any, Final

from benchmarks.own_server import served_host, server_process
from quinconce import Match, game, names

SERVER_SCRIPT: Final = """
import sys
from quinconce.server.serve import run_server
from quinconce.server.settings import Settings
run_server(Settings(database=sys.argv[1]), 0, lambda url, shared: print(url, flush=True))
"""
MATCHES_PER_GAME: Final = 3  # of one match a game
PLIES_PER_MATCH: Final = 16
EVENT_TIMEOUT: Final = 10.0  # seconds for an event to come


def post_json(connection: HTTPConnection, path: str, body: Any, token: str = "") -> Any:
    """What the server answers."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection.request("POST", path, json.dumps(body), headers)
    return json.load(connection.getresponse())


class Listener(threading.Thread):
    """The other player, who notes when each event has come."""

    def __init__(self, host: str, path: str) -> None:
        super().__init__(daemon=True)
        self.stream = HTTPConnection(host)
        self.stream.request("GET", f"{path}/events")
        self.lines = self.stream.getresponse()
        self.arrival_times: dict[int, float] = {}
        self.start()

    def run(self) -> None:
        """Until the server goes."""
        for line in self.lines:
            told = json.loads(line) if line.strip() else {}
            if "seq" in told:
                self.arrival_times[told["seq"]] = time.perf_counter()

    def wait_for(self, seq: int) -> None:
        """The last event may be under way still."""
        until = time.perf_counter() + EVENT_TIMEOUT
        while seq not in self.arrival_times and time.perf_counter() < until:
            time.sleep(0.01)


def measure_latencies(host: str) -> tuple[list[float], list[float]]:
    """Milliseconds until each answer, and until each event has come to the other player."""
    answered, shown = [], []
    connection, chance = HTTPConnection(host), random.Random(0)
    for name in names() * MATCHES_PER_GAME:
        match, sent = Match(game(name)), {}
        setup = {"game": name, "seats": [{"kind": "friend"}] * 2, "order": "given"}
        made = post_json(connection, "/api/matches", setup)
        tokens = [seat["link"].split("#")[1] for seat in made["seats"]]
        path = f"/api/matches/{made['id']}"
        listener = Listener(host, path)
        for ply in range(PLIES_PER_MATCH):
            if match.outcome():
                break
            move, seat = chance.choice(sorted(match.legal())), match.seat
            sent[ply + 1] = time.perf_counter()
            post_json(connection, f"{path}/moves", {"seq": ply, "move": move}, tokens[seat])
            answered.append(1000 * (time.perf_counter() - sent[ply + 1]))
            match.play(move)
            time.sleep(0.02)
        listener.wait_for(len(sent))
        shown += [1000 * (listener.arrival_times[seq] - at) for seq, at in sent.items()]
    return answered, shown


def main() -> None:
    """Print the figures."""
    with server_process(SERVER_SCRIPT) as process:
        measured = measure_latencies(served_host(process))
        for name, figures in zip(("answered", "shown"), measured, strict=True):
            tail = quantiles(figures, n=20)[-1]
            sys.stdout.write(
                f"{name}: median {median(figures):.1f} ms, 95 % {tail:.1f} ms, n {len(figures)}\n"
            )


if __name__ == "__main__":
    main()
