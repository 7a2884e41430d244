"""What is old is deleted; never because a machine's clock is wrong, and never in part."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from app_client import AppClient, FakeClock, MatchDriver, open_app
from postgresql_server import postgresql_database
from sqlalchemy import Connection, select, text
from waiting import until_true

from quinconce.server.matches import events
from quinconce.server.matches.events import Event
from quinconce.server.settings import DAY, HOUR
from quinconce.server.storage.connection import ServerDatabase
from quinconce.server.storage.schema import EXPIRY, KEYS, MATCHES
from quinconce.server.storage.store import INSERT_EVENTS, UPDATE_MATCH, event_rows

pytestmark = pytest.mark.anyio
STUDY = {"title": "Kept", "boards": [{"game": "diam"}]}
LOCK_WAITS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


def count_waiting(connection: Connection) -> int:
    """How many wait for a lock."""
    return int(connection.execute(LOCK_WAITS).scalar_one())


class Times:
    """A time of day, which may be wrong, and a clock that counts intervals."""

    def __init__(self) -> None:
        self.day, self.ticks = FakeClock(), FakeClock()

    def open_app(self, folder: Path) -> Any:
        clocks: dict[str, Any] = {
            "now": self.day,
            "monotonic": self.ticks,
            "database_now": self.day,
        }
        return open_app(folder, **clocks)

    async def run(self, app: AppClient, hours: int) -> None:
        """So many hours pass, and whatever is to be done in them is done."""
        for _hour in range(hours):
            self.day.now += HOUR
            self.ticks.now += HOUR
            app.call_in_app(app.services.background.beat)
            app.call_in_app(app.services.background.delete_expired)


async def fill(app: AppClient) -> tuple[MatchDriver, str]:
    """A match without a move, and a study; and a clock that runs, which has signs of life."""
    clocked = await app.create_match(clock={"days": 60})
    await clocked.play("r@1 m@1")
    made = await app.visitor.post("/api/studies", STUDY)
    assert made.status_code == 201, made.text
    return await app.create_match(), made.json()["id"]


async def kept(app: AppClient, match: MatchDriver, study: str) -> tuple[bool, bool]:
    """Whether they are still there; without a look that counts as use."""
    store = app.services.store
    row = app.call_in_app(app.services.studies.store.study, study)
    return app.call_in_app(store.match, match.id) is not None, row is not None


async def test_what_is_old_expires(tmp_path: Path) -> None:
    times = Times()
    async with times.open_app(tmp_path) as app:
        match, study = await fill(app)
        await times.run(app, 7 * 24)
        assert await kept(app, match, study) == (True, True)
        await times.run(app, 1)
        assert await kept(app, match, study) == (False, True)


async def test_nothing_expires_in_the_first_hour(tmp_path: Path) -> None:
    times = Times()
    async with times.open_app(tmp_path) as app:
        match, study = await fill(app)
        await times.run(app, 7 * 24)
    times.day.now += 2 * HOUR
    async with times.open_app(tmp_path) as app:
        app.call_in_app(app.services.background.delete_expired)
        assert await kept(app, match, study) == (True, True)
        await times.run(app, 1)
        assert await kept(app, match, study) == (False, True)


@pytest.mark.parametrize("stored", [True, False], ids=["sign", "older version"])
async def test_a_clock_that_is_wrong_for_some_starts_deletes_nothing(
    tmp_path: Path, stored: bool
) -> None:
    times = Times()
    async with times.open_app(tmp_path) as app:
        match, study = await fill(app)
        await times.run(app, 24)
        if not stored:
            await forget_sign(app)
    times.day.now += 400 * DAY
    for _start in range(3):
        async with times.open_app(tmp_path) as app:
            await times.run(app, 24)
            await app.create_match()  # something that says that now is then
            assert await kept(app, match, study) == (True, True)
    times.day.now -= 400 * DAY
    async with times.open_app(tmp_path) as app:
        await times.run(app, 24)
        assert await kept(app, match, study) == (True, True)
        await times.run(app, 2 * 24 + 1)  # seven days have passed by now
        assert await kept(app, match, study) == (False, True)


async def forget_sign(app: AppClient) -> None:
    """Leave the database as an older version would."""

    async def forget() -> None:
        await app.services.store.write(lambda connection: connection.execute(EXPIRY.delete()))

    app.call_in_app(forget)


@pytest.mark.process
@pytest.mark.sqlite("this is about PostgreSQL, whichever is asked for")
async def test_a_first_move_while_a_match_expires_leaves_it_whole(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_app(tmp_path, now=clock, database=postgresql_database(tmp_path)) as app:
        match = await app.create_match()
        clock.now += 8 * DAY
        row = {"match": match.id, "moves": 1, "touched": clock.now}
        move = event_rows(match.id, [Event(1, clock.now, 0, events.Move("r@1"))])

        def play(connection: Connection) -> None:
            connection.execute(INSERT_EVENTS, move)
            connection.execute(UPDATE_MATCH, row)

        async def waits() -> bool:
            """Whether somebody waits for a lock in the database."""
            return bool(await app.services.store.read(count_waiting))

        async def race() -> list[str]:
            store, database = app.services.store, app.services.database
            assert isinstance(database, ServerDatabase)
            async with database.engine.connect() as mover:
                await mover.run_sync(play)
                deleting = asyncio.ensure_future(store.delete_unstarted(clock.now - 7 * DAY))
                await until_true(waits)
                await mover.commit()
            return await deleting

        assert app.call_in_app(race) == []
        view = await match.view()
        assert view["moves"] == ["r@1"]
        await match.play("m@1")  # both seats still open with their keys
        keys = select(KEYS.c.seat).where(KEYS.c.match == match.id)
        assert len(app.call_in_app(app.services.store.fetch_all, keys)) >= 2
        there = select(MATCHES.c.moves).where(MATCHES.c.id == match.id)
        assert [tuple(r) for r in app.call_in_app(app.services.store.fetch_all, there)] == [(2,)]
