"""A server whose machine has the wrong time: the database's counts, for games and for the lead."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from app_client import AppClient, FakeClock, MatchDriver, open_app, stop_background
from postgresql_server import postgresql_database
from sqlalchemy import text
from waiting import until_true

from quinconce.server.peers import leases
from quinconce.server.peers.clocks import SharedClock

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.process,
    pytest.mark.sqlite("this is about PostgreSQL, whichever is asked for"),
]
AN_HOUR_WRONG = pytest.mark.parametrize("error", [3600.0, -3600.0], ids=["ahead", "behind"])
LEASE_LEFT = text(
    "SELECT until - extract(epoch FROM clock_timestamp()) FROM leases WHERE name = 'leader'"
)


class World:
    """A database whose time is right, and machines whose time may be wrong."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = FakeClock()
        self.address = postgresql_database(folder)

    def open_app(self, error: float = 0.0) -> Any:
        def now() -> float:
            return self.clock.now + error

        return open_app(self.folder, now=now, monotonic=self.clock, database=self.address)


def as_seen_from(app: AppClient, match: MatchDriver) -> MatchDriver:
    """The same match with the same people, who ask another server."""
    return MatchDriver(app.client, match.created, [person.token for person in match.people])


@AN_HOUR_WRONG
async def test_no_clock_of_a_game_is_wrong(tmp_path: Path, error: float) -> None:
    world = World(tmp_path)
    async with world.open_app() as right:
        match = await right.create_match(clock={"minutes": 10})
        await match.play("r@1 m@1")
        world.clock.now += 8  # less than after which nobody is taken to lead
        right.call_in_app(right.services.background.beat)
        async with world.open_app(error) as wrong:
            elsewhere = as_seen_from(wrong, match)
            assert (await elsewhere.view())["clock"]["left"] == [592.0, 600.0]
            await elsewhere.play("r@2")
            world.clock.now += 8
            for at in (match, elsewhere):
                view = await at.view()
                assert (view["clock"]["left"], view["scene"]["outcome"]) == ([592.0, 592.0], None)


@AN_HOUR_WRONG
async def test_it_neither_keeps_nor_blocks_the_lead(tmp_path: Path, error: float) -> None:
    world = World(tmp_path)
    async with world.open_app(error) as wrong:
        assert wrong.services.peers.leads
        async with world.open_app() as right:
            right.call_in_app(right.services.background.beat)
            assert not right.services.peers.leads
            wrong.call_in_app(stop_background, wrong)  # it dies without a word
            world.clock.now += leases.LEASE_SECONDS + 1
            await until_true(lambda: right.services.peers.leads)
            wrong.call_in_app(wrong.services.peers.beat)
            assert not wrong.services.peers.leads


async def test_a_lease_that_lasts_too_long_is_nobodys(tmp_path: Path) -> None:
    """A server of an older version gave it by a clock that was an hour ahead, and died."""
    world = World(tmp_path)
    async with world.open_app() as app:
        until = {"until": world.clock.now + 3600}
        taken = text("UPDATE leases SET holder = 'gone', until = :until")

        async def take() -> None:
            await app.services.store.write(lambda connection: connection.execute(taken, until))
            await app.services.background.beat()

        app.call_in_app(take)
        assert app.services.peers.leads


@AN_HOUR_WRONG
async def test_the_time_is_that_of_postgresql_itself(
    tmp_path: Path, error: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    widths: list[float] = []  # of the bounds within which the time is known
    measure = SharedClock.measure

    def measure_and_note(clock: SharedClock, asked: float, there: float, answered: float) -> bool:
        widths.append(answered - asked)
        return measure(clock, asked, there, answered)

    monkeypatch.setattr(SharedClock, "measure", measure_and_note)
    clocks: dict[str, Any] = {"now": lambda: time.time() + error, "monotonic": time.monotonic}
    address = postgresql_database(tmp_path)
    async with open_app(tmp_path, **clocks, database_now=None, database=address) as app:
        before, there, after = time.time(), app.services.now(), time.time()
        assert before - max(widths) <= there <= after + max(widths)

        async def lease_left() -> float:
            return float(
                await app.services.store.read(
                    lambda connection: connection.execute(LEASE_LEFT).scalar_one()
                )
            )

        assert app.call_in_app(lease_left) <= leases.LEASE_SECONDS


async def test_time_in_which_the_machine_slept_is_counted_by_no_clock(tmp_path: Path) -> None:
    ticks, database = FakeClock(), FakeClock()
    clocks: dict[str, Any] = {"now": database, "monotonic": ticks, "database_now": database}
    async with open_app(tmp_path, **clocks, database=postgresql_database(tmp_path)) as app:
        match = await app.create_match(clock={"minutes": 10})
        await match.play("r@1 m@1")
        app.call_in_app(app.services.background.beat)
        database.now += 3600
        app.call_in_app(app.services.background.beat)
        view = await match.view()
        assert (view["clock"]["left"], view["scene"]["outcome"]) == ([600.0, 600.0], None)
