"""A program that speaks UGI as a script tells it to: well, or wrong in one way.

It is run as `python ugi_script.py MANNER [ARGUMENT]`. It knows one game, and nothing of its rules:
its moves are those of a file, one a line, after the moves it is told.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

FOREVER = 10_000.0  # seconds; whoever started it ends it sooner


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def next_move(moves: list[str], book: Path) -> str:
    """What a file says comes next: a line of it begins with the moves played so far."""
    lines = (line.split() for line in book.read_text(encoding="utf-8").splitlines())
    return next(line[len(moves)] for line in lines if line[: len(moves)] == moves)


def flood() -> None:
    while True:
        sys.stdout.write("info string " + "x" * 1000 + "\n")


def go(manner: str, argument: str, moves: list[str]) -> None:
    if manner == "crash":
        sys.stderr.write("something before\nIndexError: nothing there\n")
        sys.exit(3)
    if manner == "vanish":
        os.close(1)
        time.sleep(FOREVER)
    if manner == "slow":
        time.sleep(FOREVER)
    if manner == "flood":
        flood()
    if manner == "garbage":
        sys.stdout.buffer.write(b"\xff\xfe\x00\n\nbestmove\n" + b"y" * 200_000 + b"\n")
        say("info depth", "NaN", "pv")
        say("Bestmove nothing")
    if manner == "twice":
        say("bestmove", next_move(moves, Path(argument)))
    say("bestmove", argument if manner == "illegal" else next_move(moves, Path(argument)), "ponder")


def main(manner: str, argument: str = "") -> None:
    moves: list[str] = []
    for line in sys.stdin:
        words = line.split()
        if words == ["ugi"]:
            if manner == "mute":
                continue
            say("id name The Script")
            say("option name EDITION type string default none")
            say("ugiok")
        elif words == ["isready"] and manner != "never-ready":
            say("readyok")
        elif words[:1] == ["position"]:
            if manner == "slow-to-read":
                time.sleep(FOREVER)
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[:1] == ["go"]:
            go(manner, argument, moves)
        elif words == ["quit"] and manner != "stubborn":
            return
        if path := os.environ.get("UGI_SCRIPT_LOG"):
            with Path(path).open("a", encoding="utf-8") as log:
                log.write(line)
    if manner == "stubborn":
        time.sleep(FOREVER)


if __name__ == "__main__":
    main(*sys.argv[1:])
