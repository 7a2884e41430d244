"""Records: those of every game are read and written byte for byte, as text and as JSON."""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterator
from typing import Any

import pytest
from golden.compare import FILES, WRITE, compare
from golden.process import run_all

import quinconce
from quinconce import Match, Record, Seat, Variations

FOLDER = FILES / "records"
DAY = datetime.date(2026, 11, 17)
MOST_SEED = 18446744073709551615


def walk(plies: int, name: str, start: str | None = None, **options: Any) -> Match[Any]:
    """A match of chance, always the same."""
    rules = quinconce.game(name, **options)
    match = Match(rules, None if start is None else rules.read(start))
    chance = random.Random(f"{name} {options} {plies}")
    while len(match.moves) < plies and (legal := sorted(match.legal())):
        match.play(chance.choice(legal))
    return match


def middle(name: str, plies: int, **options: Any) -> str:
    """A position in the middle of a match."""
    match = walk(plies, name, **options)
    return match.game.write(match.position)


def resign(match: Match[Any], *seats: int) -> Match[Any]:
    """Some give up."""
    for seat in seats:
        match.resign(seat)
    return match


def agree(match: Match[Any]) -> Match[Any]:
    """All agree to stop."""
    for seat in range(match.game.seats):
        match.agree(seat)
    return match


def run_out(match: Match[Any], seat: int) -> Match[Any]:
    """Somebody's time is over."""
    match.run_out(seat)
    return match


def records() -> Iterator[tuple[str, Record]]:
    """Records of every game, with every way to end, and names that are hard to write."""
    whole = 10_000  # plies, more than any match takes
    four: dict[str, Any] = {"edition": 2003, "players": 4}
    three: dict[str, Any] = {"edition": 2003, "players": 3}
    old: dict[str, Any] = {"edition": 1997}
    odd = Seat('Zoé "\\" Ω\n𝔸'), Seat("名前 ]\r"), Seat("", level=10, seed=MOST_SEED), Seat(" ")
    yield "buts", Record.of(walk(whole, "buts"))
    yield "buts-resignation", Record.of(resign(walk(9, "buts"), 1), odd[:2], DAY)
    yield "buts-position", Record.of(walk(8, "buts", middle("buts", 12)), odd[1:3])
    yield "diadema", Record.of(walk(whole, "diadema"), (Seat("A"), Seat(level=1, seed=0)), DAY)
    yield "diadema-agreement", Record.of(agree(walk(6, "diadema")), (), DAY)
    yield "diadema-empty", Record.of(walk(0, "diadema"))
    yield "diam-2003-2", Record.of(walk(whole, "diam"), odd[:2])
    yield "diam-2003-2-time", Record.of(run_out(walk(11, "diam"), 0), odd[2:])
    yield "diam-2003-3", Record.of(walk(whole, "diam", **three), odd[:3], DAY)
    yield "diam-2003-3-position", Record.of(walk(5, "diam", middle("diam", 9, **three), **three))
    yield "diam-2003-4", Record.of(walk(whole, "diam", **four), odd)
    yield "diam-2003-4-resignation", Record.of(resign(walk(7, "diam", **four), 0, 1), odd)
    yield "diam-1997-2", Record.of(walk(whole, "diam", **old))
    yield "diam-1997-4", Record.of(walk(whole, "diam", **old, players=4), odd, DAY)
    yield "diam-1997-4-agreement", Record.of(agree(walk(10, "diam", **old, players=4)))
    rare: dict[str, Any] = {
        "reach": "step",
        "chain": "optional",
        "blocked": "remove",
        "quiet": "none",
    }
    yield "seega-5", Record.of(walk(whole, "seega"))
    yield "seega-5-rare", Record.of(resign(walk(40, "seega", **rare), 0), odd[:2])
    yield "seega-7", Record.of(run_out(walk(30, "seega", size=7, quiet=25), 1), odd[:2], DAY)
    yield "seega-9", Record.of(walk(45, "seega", size=9, reach="step"))
    tagged = Record.of(walk(5, "seega", middle("seega", 20)), odd[:2], DAY)
    tags = {"Event": "Été «2026»", "Site": 'a "b" \\ c', "Round": "1"}
    yield (
        "seega-tags",
        Record(tagged.game, tagged.moves, tagged.start, tagged.seats, DAY, None, tags),
    )
    yield "diam-2003-2-variations", annotated()


def annotated() -> Record:
    """A match with variations in variations, notes that are hard to write, and marks."""
    match = walk(12, "diam")
    tree = Variations.of(match)
    tree.root.note = "Été 2026 {1}\n\\n 𝔸"
    line = tree.main_line()
    chance = random.Random("variations")
    for node, mark in zip(line, ("!", "?", "!!", "??", "!?", "?!"), strict=False):
        node.mark = mark
        other = tree.play(node, chance.choice(sorted(tree.match_at(node).legal())))
        tree.play(other, sorted(tree.match_at(other).legal())[0]).note = f"(1. {mark}) $1 }}"
        tree.play(other, sorted(tree.match_at(other).legal())[1]).mark = mark
    return Record.of(match, (Seat("A"), Seat("B")), DAY, tree)


def write_records() -> None:
    """Write the golden records; those that are there stay as they are."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, record in records():
        for path in (FOLDER / f"{name}.quinconce", FOLDER / f"{name}.json"):
            if not path.exists():
                record.save(path)


if WRITE:
    write_records()
NAMES = sorted(path.stem for path in FOLDER.glob("*.quinconce"))


def test_there_are_records_of_every_game() -> None:
    assert len(NAMES) == 21
    assert {name.split("-")[0] for name in NAMES} == set(quinconce.names())


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_written_as_it_was_read(name: str) -> None:
    text = (FOLDER / f"{name}.quinconce").read_bytes().decode()
    twin = (FOLDER / f"{name}.json").read_bytes().decode()
    for record in (Record.read(text), Record.read(twin)):
        assert record.text() == text
        assert record.json_text() == twin
        assert record.match().outcome() == record.outcome


@pytest.mark.process
def test_what_is_said_of_records_stays() -> None:
    files = [str(FOLDER / f"{name}.quinconce") for name in NAMES]
    said = run_all([["check", file] for file in files])
    said += run_all([["check", file] for file in files], "fr")
    compare("records.check.txt", "".join(said))
    printed = run_all([["check", file, form] for file in files for form in ("--text", "--json")])
    kept = [FOLDER / f"{name}.{kind}" for name in NAMES for kind in ("quinconce", "json")]
    assert printed == [path.read_bytes().decode() for path in kept]
