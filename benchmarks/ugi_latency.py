"""How late `quinconce ugi` answers `stop` and `movetime`, seen by the program that asks.

`python -m benchmarks.ugi_latency ["GAME KEY=VALUE …" …] [--turns N] [--movetime MS]`: positions
along games of chance; each is asked about twice, with `movetime`, and with `stop` after a moment.
"""

from __future__ import annotations

import argparse
import queue
import random
import subprocess
import sys
import threading
import time
from typing import IO, Final

from quinconce import Match, game
from quinconce.bridges.ugi import option_values, position_line
from quinconce.core.option import parse_options

GAMES: Final = ("diam", "diadema", "seega", "buts")
# Seconds of thought before it is stopped: also while its search has hardly begun.
STOP_AFTER: Final = (0.0, 0.001, 0.003, 0.01, 0.02, 0.05, 0.1, 0.2)
STOPPED: Final = ("go infinite", "go", "go movetime 5000", "go depth 60")


class Engine:
    """A text engine in its own process; lines come with the moment they were read."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "quinconce", "ugi"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        assert self.process.stdin
        assert self.process.stdout
        self.input: IO[str] = self.process.stdin
        self.lines: queue.SimpleQueue[tuple[float, str]] = queue.SimpleQueue()
        threading.Thread(target=self.read, args=(self.process.stdout,), daemon=True).start()

    def read(self, output: IO[str]) -> None:
        """Keep what it says."""
        for line in output:
            self.lines.put((time.perf_counter(), line))

    def say(self, line: str) -> float:
        """Send a line; returns when."""
        self.input.write(f"{line}\n")
        self.input.flush()
        return time.perf_counter()

    def wait_for(self, word: str) -> float:
        """Wait for a line that begins with a word; returns when it came."""
        while True:
            at, line = self.lines.get()
            if line.split()[:1] == [word]:
                return at


def measure(form: str, turns: int, movetime: int) -> tuple[list[float], list[float]]:
    """Milliseconds beyond `movetime`, and after `stop`, along games of chance."""
    name, *options = form.split()
    rules, chance, engine = game(name, **parse_options(options)), random.Random(1), Engine()
    for option, value in option_values(rules).items():
        engine.say(f"setoption name {option} value {value}")
    engine.say("isready")
    engine.wait_for("readyok")
    late: list[float] = []
    stops: list[float] = []
    match = Match(rules)
    while len(late) < turns:
        engine.say(position_line(match))
        engine.say("isready")
        engine.wait_for("readyok")
        started = engine.say(f"go movetime {movetime}")
        late.append(1000 * (engine.wait_for("bestmove") - started) - movetime)
        engine.say("isready")
        engine.wait_for("readyok")
        engine.say(chance.choice(STOPPED))
        time.sleep(chance.choice(STOP_AFTER))
        stopped = engine.say("stop")
        stops.append(1000 * (engine.wait_for("bestmove") - stopped))
        match.play(chance.choice(sorted(match.legal())))
        if match.outcome():
            match = Match(rules)
    engine.say("quit")
    engine.process.wait()
    return late, stops


def main() -> None:
    """Print a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--turns", type=int, default=50)
    parser.add_argument("--movetime", type=int, default=100)
    arguments = parser.parse_args()
    for name in arguments.games:
        late, stops = measure(name, arguments.turns, arguments.movetime)
        over = sum(value > 0 for value in late)
        stop = sorted(stops)
        print(  # noqa: T201
            f"{name:12} movetime {arguments.movetime}: latest {max(late):+.1f} ms, {over} of"
            f" {len(late)} beyond; stop: median {stop[len(stop) // 2]:.1f} ms,"
            f" latest {stop[-1]:.1f} ms"
        )


if __name__ == "__main__":
    main()
