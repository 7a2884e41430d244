"""Clocks that ran when the last server ended: all are resumed at once, and again if that failed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from app_client import AppClient, FakeClock, MatchDriver, end_background, open_app
from sqlalchemy import event, update

from quinconce.server.refusals import StorageError
from quinconce.server.storage.schema import MATCHES
from quinconce.server.storage.store import Store

pytestmark = pytest.mark.anyio


async def begin_matches(app: AppClient, count: int) -> list[MatchDriver]:
    """Matches whose clocks run."""
    matches = [await app.create_match(clock={"minutes": 10}) for _match in range(count)]
    for match in matches:
        await match.play("r@1 m@1")
    return matches


def count_statements(app: AppClient) -> list[str]:
    """The statements that are sent to the database from now on."""
    sent: list[str] = []

    @event.listens_for(app.services.database.sync_engine, "before_cursor_execute")
    def note(*details: object) -> None:
        sent.append(str(details[2]))

    return sent


@pytest.mark.parametrize("count", [1, 7])
async def test_they_cost_the_same_statements_however_many_they_are(
    tmp_path: Path, count: int
) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        await begin_matches(app, count)
        app.call_in_app(end_background, app)  # it would flag clocks that have run out, and beat
        ticker.now += 1000
        app.services.live_matches.loaded.clear()
        sent = count_statements(app)
        app.call_in_app(app.services.live_matches.resume_clocks, ticker.now - 990)
        assert sum(words.startswith("INSERT INTO events") for words in sent) == 1
        assert sum(words.startswith("UPDATE matches") for words in sent) == 1
        assert len([words for words in sent if words.startswith("SELECT")]) <= 3
        assert not app.services.live_matches.loaded  # no match is replayed for it
        assert len(app.services.live_matches.deadlines) == count


async def test_what_is_written_is_what_a_replay_gives(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        (match,) = await begin_matches(app, 1)
        ticker.now += 30
    ticker.now += 5000
    async with open_app(tmp_path, now=ticker) as app:
        match.watcher.client = app.client
        told = dict(app.services.live_matches.deadlines)
        assert (await match.view())["clock"]["left"] == [570.0, 600.0]
        live = app.services.live_matches.loaded[match.id]
        assert live.state.clock is not None
        assert live.state.clock.deadline() == pytest.approx(told[match.id])
        assert told[match.id] == pytest.approx(ticker.now + 570)
        ticker.now += 571
        app.call_in_app(app.services.background.flag_expired_clocks)
        assert app.call_in_app(app.services.store.match, match.id).waits == "nobody"


async def test_a_row_of_an_older_version_is_resumed_too(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        (match,) = await begin_matches(app, 1)
        older = update(MATCHES).values(falls_at=None)

        async def age() -> None:
            await app.services.store.write(lambda connection: connection.execute(older))

        app.call_in_app(age)
    ticker.now += 5000
    async with open_app(tmp_path, now=ticker) as app:
        match.watcher.client = app.client
        assert match.id in app.services.live_matches.deadlines
        assert (await match.view())["clock"]["left"] == [600.0, 600.0]


async def test_they_are_resumed_later_if_the_disk_was_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        (match,) = await begin_matches(app, 1)
    ticker.now += 5000
    skip_downtime, full = Store.skip_downtime, True

    async def skip_if_there_is_room(
        store: Store, since: float | None, at: float
    ) -> Mapping[str, float]:
        if full:
            raise StorageError
        return await skip_downtime(store, since, at)

    monkeypatch.setattr(Store, "skip_downtime", skip_if_there_is_room)
    async with open_app(tmp_path, now=ticker) as app:
        match.watcher.client = app.client
        assert (await match.view())["scene"]["outcome"] is None  # nobody lost while it was down
        with pytest.raises(StorageError):
            app.call_in_app(app.services.background.beat)
        full = False
        app.call_in_app(app.services.background.beat)
        view = await match.view()
        assert (view["clock"]["left"], view["scene"]["outcome"]) == ([600.0, 600.0], None)
        assert app.services.peers.is_in_touch
