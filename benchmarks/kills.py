"""Whether anything is lost when servers are killed under a crowd that plays.

`python -m benchmarks.kills --database sqlite --kills 1000` kills one server on SQLite again and
again; `--database postgresql --processes 3 --kills 200` kills three on a PostgreSQL of its own,
restarts that too as a power cut would, and cuts all connections of one server. Afterwards the
database is compared with what the programs were told; the exit code is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, select

from benchmarks.fault_crowd import PATIENCE, Crowd, Ledger, Receipt
from benchmarks.forked_servers import ForkedServers, fork_servers
from benchmarks.own_postgresql import PostgresqlServer, run_postgresql
from quinconce.server.matches import events
from quinconce.server.matches.events import ClaimSeat, Event, Move, Rematch, Takeback
from quinconce.server.matches.setup import Setup
from quinconce.server.storage.database import database_url, open_database
from quinconce.server.storage.schema import EVENTS, MATCHES

MOST_ACTS: Final = 15  # that are acknowledged between two faults, as a rule
LOOK_SECONDS: Final = 0.005  # between two looks at what was acknowledged
LONGEST_QUIET: Final = 0.1  # seconds until the next fault, at any moment of the next act
CALM: Final = 0.85  # how often all is well again before the next fault
LAST_ACTS: Final = 100  # after which the crowd goes home when nothing happens any more
TRACE: Final = "Traceback (most recent call last):"
LINES_OF_TRACE: Final = 30  # which tell where it happened
MOST_TOLD: Final = 40  # lines about what is wrong
# What the crowd has done at least once before it goes home.
KINDS: Final = (
    "races for one number",
    "takebacks against moves",
    "rematches agreed on at once",
    "clocks compared",
)


class Plan(NamedTuple):
    """Where and how often something is done to the servers."""

    postgresql: bool
    processes: int
    kills: int
    restarts: int  # of PostgreSQL, as after a power cut
    cuts: int  # of all connections of one server to PostgreSQL
    tables: int
    seed: int


class Report(NamedTuple):
    """What was done, what was told, and what was found."""

    ledger: Ledger
    seconds: float


class StoredMatch(NamedTuple):
    """A match as the database holds it."""

    people: frozenset[int]  # the seats in which no engine sits
    moves: int
    waits: str
    events: list[Event]


@contextmanager
def own_database(plan: Plan, folder: Path) -> Iterator[tuple[str, PostgresqlServer | None]]:
    """The address of an empty database, and the PostgreSQL that holds it."""
    if not plan.postgresql:
        yield f"sqlite:///{folder / 'matches.sqlite'}", None
        return
    with run_postgresql() as server:
        yield server.create_database("matches"), server


async def inject_faults(
    plan: Plan, servers: ForkedServers, postgresql: PostgresqlServer | None, ledger: Ledger
) -> None:
    """Do everything of a plan, in some order, while the crowd plays on."""
    chance = random.Random(plan.seed)
    faults = ["kill"] * plan.kills + ["restart"] * plan.restarts + ["cut"] * plan.cuts
    chance.shuffle(faults)
    for fault in faults:
        if chance.random() < CALM:
            await servers.wait_up()
            if not await wait_for_acts(ledger, chance.randint(1, MOST_ACTS)):
                return ledger.fail("nobody plays any more, though all servers are up")
        await asyncio.sleep(chance.random() * LONGEST_QUIET)
        server = chance.choice(servers.servers)
        if fault == "kill":
            await servers.kill(server)
        elif postgresql and fault == "restart":
            await asyncio.to_thread(postgresql.restart, immediate=True)
        elif postgresql:
            await asyncio.wait_for(server.up.wait(), PATIENCE)
            name = f"quinconce-{server.pid}"
            cut = await asyncio.to_thread(postgresql.cut_connections, name)
            ledger.counts["connections cut"] += cut
        ledger.counts[FAULTS[fault]] += 1
    await servers.wait_up()


async def wait_for_acts(ledger: Ledger, count: int) -> bool:
    """Wait until so many more acts were acknowledged; whether they came."""
    wanted, deadline = len(ledger.receipts) + count, time.monotonic() + PATIENCE
    while len(ledger.receipts) < wanted and time.monotonic() < deadline:
        await asyncio.sleep(LOOK_SECONDS)
    return len(ledger.receipts) >= wanted


async def play_on(ledger: Ledger) -> None:
    """Wait for some more acts, and until everything was tried."""
    if not await wait_for_acts(ledger, LAST_ACTS):
        return ledger.fail("nobody plays any more, though nothing happens to the servers")
    deadline = time.monotonic() + PATIENCE
    while missing := [kind for kind in KINDS if not ledger.counts[kind]]:
        if time.monotonic() > deadline:
            return ledger.fail(f"never tried: {missing}")
        await asyncio.sleep(LOOK_SECONDS)
    return None


FAULTS: Final = {
    "kill": "servers killed",
    "restart": "restarts of PostgreSQL",
    "cut": "servers cut off from PostgreSQL",
}


async def read_matches(address: str) -> dict[str, StoredMatch]:
    """All matches of a database."""

    def read(connection: Connection) -> dict[str, StoredMatch]:
        found = {}
        for row in connection.execute(select(MATCHES)):
            seats = msgspec.json.decode(row.setup, type=Setup).seats
            people = frozenset(n for n, seat in enumerate(seats) if seat.kind != "engine")
            found[row.id] = StoredMatch(people, row.moves, row.waits, [])
        for row in connection.execute(select(EVENTS).order_by(EVENTS.c.match, EVENTS.c.seq)):
            act = events.decode(row.act)
            found[row.match].events.append(Event(row.seq, row.at, row.seat, act))
        return found

    database = open_database(database_url(address))
    try:
        return await database.read(read)
    finally:
        await database.close()


def check(ledger: Ledger, stored: dict[str, StoredMatch]) -> None:
    """Compare what programs were told with what is stored."""
    written = set()
    for id_, match in stored.items():
        if [event.seq for event in match.events] != list(range(1, len(match.events) + 1)):
            ledger.fail(f"match {id_} has a gap: {[event.seq for event in match.events]}")
        if (plies := count_plies(match.events)) != match.moves:
            ledger.fail(f"match {id_} has {plies} moves and says {match.moves}")
        for event in match.events:
            if isinstance(event.act, Rematch) and event.act.match not in stored:
                ledger.fail(f"the rematch of {id_} is not there")
            by_server = isinstance(event.act, ClaimSeat)  # who played before sits in a rematch
            if event.seat is not None and event.seat in match.people and not by_server:
                written.add(Receipt(id_, event.seq, event.seat, event.act))
    for id_ in ledger.matches - set(stored):
        ledger.fail(f"match {id_} was made and is not there")
    lost = ledger.receipts - written
    # Programs ask until they are answered: what nobody was told is a second copy of something.
    doubled = [one for one in written - ledger.receipts if one.match in ledger.matches]
    ledger.counts["acts lost"], ledger.counts["acts doubled"] = len(lost), len(doubled)
    ledger.failures += [f"lost: {one}" for one in lost]
    ledger.failures += [f"doubled: {one}" for one in doubled]


def count_plies(happened: Sequence[Event]) -> int:
    """The moves that are played and not taken back."""
    plies = 0
    for event in happened:
        if isinstance(event.act, Move):
            plies += 1
        elif isinstance(event.act, Takeback):
            plies = event.act.ply
    return plies


async def run(plan: Plan) -> Report:
    """Let a crowd play while faults happen, then look what is left."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as name, own_database(plan, Path(name)) as (address, server):
        async with fork_servers(plan.processes, address, Path(name)) as servers:
            crowd = Crowd(servers, random.Random(plan.seed))
            ledger = crowd.ledger

            async def until() -> None:
                await inject_faults(plan, servers, server, ledger)
                await play_on(ledger)

            await crowd.run(plan.tables, until())
            stored = await settled_matches(address)
            check(ledger, stored)
            waiting = [id_ for id_, match in stored.items() if match.waits == "engine"]
            ledger.failures += [f"the engine of {id_} has not moved" for id_ in waiting]
            ledger.counts["servers that ended by themselves"] += servers.given_up
            for trace, times in tracebacks(servers.log()).most_common(3):
                ledger.failures.insert(0, f"{times} times in the logs:\n{trace}")
    count_stored(ledger, stored)
    return Report(ledger, time.monotonic() - begun)


def tracebacks(log: str) -> Counter[str]:
    """The tracebacks in a log, by how they end."""
    found = re.split(r"^\d{4}-\d\d-\d\d ", log, flags=re.MULTILINE)  # every record has its day
    ends = ["\n".join(record.splitlines()[-LINES_OF_TRACE:]) for record in found if TRACE in record]
    return Counter(ends)


async def settled_matches(address: str) -> dict[str, StoredMatch]:
    """All matches, once the engines have moved that were to move, or too much time has passed."""
    deadline = time.monotonic() + PATIENCE
    while True:
        stored = await read_matches(address)
        waiting = any(match.waits == "engine" for match in stored.values())
        if not waiting or time.monotonic() > deadline:
            return stored
        await asyncio.sleep(0.2)


def count_stored(ledger: Ledger, stored: dict[str, StoredMatch]) -> None:
    """Count what there was to be lost."""
    ledger.counts["matches"] = len(stored)
    ledger.counts["acts acknowledged"] = len(ledger.receipts)
    for match in stored.values():
        for event in match.events:
            if event.seat is not None and event.seat not in match.people:
                ledger.counts["moves of engines"] += 1


def table(report: Report) -> str:
    """What happened, one figure a line."""
    counts = report.ledger.counts
    lines = [f"| {name} | {counts[name]} |" for name in sorted(counts)]
    for kind, seconds in report.ledger.slowest.items():
        lines.append(f"| seconds until the slowest {kind} | {seconds:.1f} |")
    lines.append(f"| seconds in all | {report.seconds:.0f} |")
    return "\n".join(["| what | how often |", "|---|---|", *lines, ""])


def main() -> None:
    """Do it, print what was found, and say by the exit code whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--restarts", type=int, default=0, help="of PostgreSQL")
    parser.add_argument("--cuts", type=int, default=0, help="of all connections of a server")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = vars(parser.parse_args())
    report = asyncio.run(run(Plan(asked.pop("database") == "postgresql", **asked)))
    sys.stdout.write(table(report))
    for failure in report.ledger.failures[:MOST_TOLD]:
        sys.stdout.write(f"WRONG: {failure}\n")
    sys.exit(1 if report.ledger.failures else 0)


if __name__ == "__main__":
    main()
