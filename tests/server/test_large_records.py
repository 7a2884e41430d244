"""Records that are large or malformed: one sentence, and the event loop goes on meanwhile."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from app_client import AppClient, open_app

import quinconce
from quinconce import Match, Record, Variations

anyio = pytest.mark.anyio
pytestmark = pytest.mark.sqlite("it never comes to the database")
HEAD = '[Format "quinconce 2"]\n[Game "diadema"]\n\n'
LONGEST_STEP = 0.05  # seconds of work in which the event loop has to wait


def bushy_record(nodes: int) -> str:
    """A record that holds, with about so many moves in variations of two."""
    match = Match(quinconce.game("diadema"))
    tree = Variations.of(match)
    game, made = tree.game, 0
    for first, after in game.moves(game.start()):
        for second, later in game.moves(after):
            node = tree.add(tree.add(tree.root, first), second)
            for third, _last in game.moves(later):
                tree.add(node, third)
                made += 1
                if made == nodes:
                    played = tree.match_at(tree.main_line()[-1])
                    return Record.of(played, variations=tree).text()
    raise AssertionError("too few moves")


LARGE = {
    "a legal tree": bushy_record(1500),
    "100 000 moves": HEAD + "@A " * 65_000 + "*\n",
    "deep variations": HEAD + "@A " + "(@B " * 20_000 + ")" * 20_000 + "*\n",
    "open notes": HEAD + "{" * 190_000,
    "backslashes": HEAD + "{" + "\\" * 95_000,
    "a long word": HEAD + "(" * 190_000,
    "brackets": "[" * 190_000,
    "a header": '[Format "' + "\\" * 95_000,
    "deep JSON": '{"nodes":' + "[" * 190_000,
    "10 000 plies": '[Format "quinconce 1"]\n[Game "buts"]\n\n'
    + "G2-G1 B1-A1 G1-G2 A1-B1 " * 2500
    + "*\n",
}


def longest_step(do: Callable[[], object]) -> float:
    """The most work between two calls of `do`: in a single one, no other thread has its turn."""
    last, longest = time.thread_time(), 0.0

    def note(_frame: FrameType, _event: str, _about: object) -> None:
        nonlocal last, longest
        now = time.thread_time()
        last, longest = now, max(longest, now - last)

    gc.disable()  # what other tests have left is not the record's fault
    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(None)
        gc.enable()
    return longest


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_a_large_record_does_not_stall_the_loop(name: str) -> None:
    text = LARGE[name]
    assert len(text) < 200_000  # as much as a request may hold

    def read() -> None:
        with suppress(ValueError):
            Record.read(text)

    assert longest_step(read) < LONGEST_STEP


async def explore(app: AppClient, record: str) -> Any:
    return await app.visitor.post("/api/explore", {"record": record})


@anyio
async def test_large_and_malformed_records_are_answered_in_one_sentence(tmp_path: Path) -> None:
    async with open_app(tmp_path, limits={"moves_per_minute": 10**7}) as app:
        for name, record in LARGE.items():
            answer = await explore(app, record)
            assert answer.status_code == (200 if name == "a legal tree" else 422), name
            assert "\n" not in answer.json().get("error", "")
        answer = await explore(app, LARGE["100 000 moves"])
        assert "at most 20,000 moves" in answer.json()["error"]


@anyio
async def test_explore_hands_out_the_variations_of_a_record(tmp_path: Path) -> None:
    text = HEAD + "{first} @A $1 (@B {or}) @D\n*\n"
    async with open_app(tmp_path, limits={"moves_per_minute": 10**7}) as app:
        told = (await explore(app, text)).json()
        assert (told["moves"], told["note"]) == (["@A", "@D"], "first")
        assert told["nodes"] == [
            {"after": -1, "move": "@A", "mark": "!"},
            {"after": -1, "move": "@B", "note": "or"},
            {"after": 0, "move": "@D"},
        ]
        again = (await explore(app, json.dumps(Record.read(text).json()))).json()
        assert again["nodes"] == told["nodes"]
        plain = (await app.visitor.post("/api/explore", {"game": "diadema"})).json()
        assert plain["nodes"] is None
