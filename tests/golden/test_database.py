"""Stored matches: written as they always were, and read from databases of every age."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from command_line import run_command
from golden.compare import FILES, WRITE, compare, compare_json
from golden.scenario import LATER, play_everything
from golden.server import Moment, Server, serve

# What stands in the database under "kind"; an event that is stored is stored for ever.
KINDS: dict[str, dict[str, Any]] = {
    "agree": {"kind": "agree", "matter": "engine", "about": 1},
    "back": {"kind": "back"},
    "claim": {"kind": "claim", "name": "Bo"},
    "clock": {"kind": "clock", "lost": 10000.0},
    "end": {"kind": "end", "winners": [], "reason": "equal", "by": "agreement"},
    "hand": {"kind": "hand", "about": 1, "level": 5, "lent": True},
    "move": {"kind": "move", "move": "@a1+a2"},
    "name": {"kind": "name", "name": "Ada Ω «L»"},
    "refuse": {"kind": "refuse", "matter": "takeback"},
    "rematch": {"kind": "rematch", "match": "tUNfC0uVQ4eK"},
    "resign": {"kind": "resign"},
    "takeback": {"kind": "takeback", "ply": 2},
    "timeout": {"kind": "timeout"},
}
TABLES = ("events", "keys", "matches", "pulse", "tags")
SECRETS = {
    hashlib.sha256(secret.encode()).hexdigest(): secret
    for secret in (f"golden-secret-{number:08}" for number in range(1, 200))
}
IN_ENGLISH = {"accept_language": "en"}


def query(database: Path, text: str) -> list[Any]:
    """The rows of a query."""
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(text).fetchall()


def rows(database: Path) -> str:
    """Everything in a database, a row a line, below the names of its columns."""
    lines = []
    with closing(sqlite3.connect(database)) as connection:
        for table in TABLES:
            found = connection.execute(f"SELECT * FROM {table}")
            lines.append(f"{table}: {', '.join(column[0] for column in found.description)}")
            lines += [json.dumps(row, ensure_ascii=False) for row in sorted(found)]
    return "\n".join(lines) + "\n"


def keep(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Write the golden databases: today's, and that of the first version, which had less tables.

    Those that are there stay: a later version has to read them as they are.
    """
    golden = FILES / "matches.sqlite"
    if golden.exists():
        return
    run_command(capsys, "backup", str(golden), "--database", f"sqlite:///{database}")
    with closing(sqlite3.connect(golden)) as connection:
        connection.executescript("PRAGMA page_size = 1024; VACUUM")
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript("DROP TABLE tags; DROP TABLE pulse")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
        dump = "\n".join(connection.iterdump())
    (FILES / "matches.first.sql").write_text(dump + "\n", encoding="utf-8")


@pytest.mark.usefixtures("in_english")
def test_matches_are_written_as_they_always_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "matches.sqlite"
    asyncio.run(play_everything(database))
    compare("matches.rows.txt", rows(database))
    if WRITE:
        keep(database, capsys)


def copy_of_today(database: Path) -> None:
    """A database as this version writes it, from a file that is one."""
    shutil.copy(FILES / "matches.sqlite", database)


def copy_of_the_first(database: Path) -> None:
    """A database as the first version left it, from its SQL."""
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript((FILES / "matches.first.sql").read_text(encoding="utf-8"))


def digest(value: Any) -> str:
    """Stands for something long."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def shorten(view: Any) -> Any:
    """A view whose picture and legal moves are only digests."""
    scene = view["scene"]
    legal = scene["legal"]
    told = None if legal is None else f"{len(legal)} moves {digest(legal)}"
    return view | {"scene": scene | {"svg": digest(scene["svg"]), "legal": told}}


async def tell(server: Server, match: str, keys: list[Any]) -> dict[str, Any]:
    """Everything that can be asked about a match."""
    path = f"/api/matches/{match}"
    view = await server.get(path, **IN_ENGLISH)
    told = {
        "view": shorten(view),
        "french": (await server.get(f"{path}?lang=fr"))["scene"]["status"],
        "record": await server.get(f"{path}/record"),
        "record.json": await server.get(f"{path}/record.json"),
        "events": await server.events(match),
        "plies": [
            digest(await server.get(f"{path}/plies/{ply}", **IN_ENGLISH))
            for ply in range(len(view["moves"]) + 1)
        ],
    }
    for seat, secret, use in keys:
        if use == "link":
            token = {"authorization": f"Bearer {secret}", **IN_ENGLISH}
            mine = shorten(await server.get(path, **token))
            told[f"seat {seat}"] = {
                "mine": mine["mine"],
                "maker": mine["maker"],
                "legal": mine["scene"]["legal"],
            }
        else:
            cookie = {"cookie": f"quinconce={secret}", **IN_ENGLISH}
            told[f"browser in seat {seat}"] = await server.get("/api/me", **cookie)
    return told


async def tell_all(database: Path) -> dict[str, Any]:
    """What a server says of every match in a database."""
    found = query(database, 'SELECT "match", seat, hash, use FROM keys ORDER BY 1, 2, 4, 3')
    told: dict[str, Any] = {}
    async with serve(database, Moment(LATER)) as server:
        for (match,) in query(database, "SELECT id FROM matches ORDER BY made, id"):
            keys = [(seat, SECRETS[hash_], use) for of, seat, hash_, use in found if of == match]
            told[match] = await tell(server, match, keys)
        for tag, hash_ in query(database, "SELECT tag, hash FROM tags ORDER BY 1"):
            token = {"authorization": f"Bearer {SECRETS[hash_]}"}
            told[f"tag {tag}"] = await server.get(f"/api/tags/{tag}/records", **token)
    return told


@pytest.mark.parametrize(("name", "copy"), [("today", copy_of_today), ("first", copy_of_the_first)])
def test_a_stored_database_says_what_it_said(
    name: str, copy: Callable[[Path], None], tmp_path: Path
) -> None:
    database = tmp_path / "matches.sqlite"
    copy(database)
    stored = query(database, 'SELECT "match", seq, at, seat, act FROM events ORDER BY 1, 2')
    assert ("tags" in str(query(database, "SELECT name FROM sqlite_master"))) == (name == "today")
    told = asyncio.run(tell_all(database))
    assert query(database, "SELECT version_num FROM alembic_version") >= [("0002",)]
    for match, seq, at, seat, act in stored:
        event = {"seq": seq, "at": at, "seat": seat, **json.loads(act)}
        assert told[match]["events"][seq - 1] == event
    compare_json(f"matches.{name}.json", told)


def test_every_kind_of_event_keeps_its_name_and_fields(tmp_path: Path) -> None:
    database = tmp_path / "matches.sqlite"
    copy_of_today(database)
    stored = [json.loads(act) for (act,) in query(database, "SELECT act FROM events")]
    assert {act["kind"] for act in stored} == KINDS.keys()
    assert len(KINDS) == 13
    for example in KINDS.values():
        assert example in stored

    async def follow() -> str:
        async with serve(database, Moment(LATER)) as server:
            streams = [
                await server.follow(f"/api/matches/{match}/events", "text/event-stream")
                for (match,) in query(database, "SELECT id FROM matches")
            ]
        return "".join(streams)

    told = [line.split(": ", 1) for line in asyncio.run(follow()).splitlines() if ": " in line]
    assert {value for field, value in told if field == "event"} == {*KINDS, "presence"}
    acts = [json.loads(value) for field, value in told if field == "data"]
    for example in KINDS.values():
        assert any(example.items() <= act.items() for act in acts)
