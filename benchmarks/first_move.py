"""How long from Play to the engine's first move, from an empty cache: `python -m` this module.

For every form of every game: a server as `quinconce serve` starts it; a second after it is up the
page of the game is read, a match against the engine is made as the page does it, and the time runs
until the engine's move is there. Then once more in the same server. Each level has a server and a
cache of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from quinconce import names
from quinconce.core.game import Game
from quinconce.core.registry import game_forms

LEVELS: Final = (1, 5, 6, 9, 10)
LIMITS: Final = {9: 1.0, 10: 3.0}  # seconds that a first move may take, up to these levels
START_PAUSE: Final = 1.0  # seconds between the server's first sign of life and Play
TIMEOUT: Final = 120.0  # seconds for a move to come
POLL: Final = 0.02


class Figure(NamedTuple):
    """The seconds until the first move of a level in a form of a game."""

    form: str
    level: int
    first: float  # a second after the server is up, with an empty cache
    again: float  # in the next match on the same server
    processor: float  # seconds that all processors together spent until the server ended


class Page:
    """A browser at work, without a screen: it keeps cookies and the CSRF token."""

    def __init__(self, host: str) -> None:
        self.connection = HTTPConnection(host)
        self.cookie = ""
        self.token = ""

    def get(self, path: str) -> Any:
        return self.ask("GET", path)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """What the server answers: JSON, or the text of a page."""
        headers = {"Accept": "application/json"} if path.startswith("/api/") else {}
        headers |= {"Cookie": self.cookie} if self.cookie else {}
        headers |= {"X-CSRF-Token": self.token} if self.token else {}
        headers |= {"Content-Type": "application/json"} if body else {}
        self.connection.request(method, path, json.dumps(body) if body else None, headers)
        response = self.connection.getresponse()
        for cookie in response.headers.get_all("Set-Cookie") or ():
            self.cookie = cookie.partition(";")[0]
        text = response.read().decode()
        assert response.status < 300, text
        if not response.headers["Content-Type"].startswith("application/json"):
            return text
        answer = json.loads(text)
        if isinstance(answer, dict):
            self.token = answer.get("csrf") or self.token
        return answer

    def first_move(self, game: Game[Any], level: int) -> float:
        """The seconds from Play until the engine, which begins, has moved."""
        query = urlencode(game.chosen)
        self.get(f"/game/{game.name}?{query}")
        others = [{"kind": "me"}, *[{"kind": "here"}] * (game.seats - 2)]
        seats = [{"kind": "engine", "level": level}, *others]
        setup = {"game": game.name, "options": game.chosen, "seats": seats, "order": "given"}
        started = time.perf_counter()
        match = self.ask("POST", "/api/matches", setup)["id"]
        self.get(f"/match/{match}")
        while not self.get(f"/api/matches/{match}")["moves"]:
            assert time.perf_counter() - started < TIMEOUT, "no move came"
            time.sleep(POLL)
        return time.perf_counter() - started


@contextmanager
def running_server(folder: Path) -> Iterator[str]:
    """A server as people start it, with empty folders for all that it keeps."""
    folders = {name: str(folder) for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME")}
    process = subprocess.Popen(
        [sys.executable, "-m", "quinconce", "serve", "--port", "0"],
        env=os.environ | folders | {"QUINCONCE_LANG": "en"},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdout
        found = re.search(r"http://(\S+)", process.stdout.readline())
        assert found, "the server did not start"
        yield found[1]
    finally:
        process.terminate()
        process.communicate()


def measure(game: Game[Any], levels: Sequence[int]) -> Iterator[Figure]:
    """One form at some levels, each from an empty cache."""
    for level in levels:
        before = processor_seconds()
        with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as host:
            page = Page(host)
            time.sleep(START_PAUSE)
            first, again = page.first_move(game, level), page.first_move(game, level)
        yield Figure(game.form_id, level, first, again, processor_seconds() - before)


def processor_seconds() -> float:
    """What processes that were started here and have ended have used."""
    times = os.times()
    return times.children_user + times.children_system


def chosen_forms(wanted: Sequence[str]) -> list[Game[Any]]:
    """The forms of these games, or of all: one for each value of each option, not all sets."""
    found: dict[str, Game[Any]] = {}
    for name in wanted or names():
        first, *others = game_forms(name)
        for game in (first, *others):
            differ = [key for key in game.chosen if game.chosen[key] != first.chosen[key]]
            if len(differ) <= 1 or game.seats != first.seats:
                found[game.form_id] = game
    return list(found.values())


def limit(level: int) -> float:
    """The seconds that a level may take."""
    return next(seconds for last, seconds in LIMITS.items() if level <= last)


def row(figure: Figure) -> str:
    """A line of the table."""
    late = " late" if figure.first > limit(figure.level) else ""
    return (
        f"| {figure.form} | {figure.level} | {figure.first:.2f}{late} | {figure.again:.2f}"
        f" | {figure.processor:.0f} |"
    )


def main() -> None:
    """Print the table, and write the figures as JSON where that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="*", help="names of games; all of them if there is none")
    parser.add_argument("--levels", type=int, nargs="+", default=LEVELS)
    parser.add_argument("--json", type=Path, help="a file for the figures")
    arguments = parser.parse_args()
    sys.stdout.write("| form | level | first move | in the next match | processor |\n")
    sys.stdout.write("|---|--:|--:|--:|--:|\n")
    figures = []
    for game in chosen_forms(arguments.games):
        for figure in measure(game, arguments.levels):
            figures.append(figure)
            sys.stdout.write(row(figure) + "\n")
            sys.stdout.flush()
    if arguments.json:
        arguments.json.write_text(json.dumps([each._asdict() for each in figures], indent=1))


if __name__ == "__main__":
    main()
