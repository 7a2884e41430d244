"""A server that is alone on its database: it leads, and sees to the clocks when it starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_client import AppClient, FakeClock, end_background, open_app

from quinconce.server.refusals import StorageError

pytestmark = [pytest.mark.anyio, pytest.mark.sqlite("a server on PostgreSQL is not alone")]


async def test_clocks_that_could_not_be_seen_to_are_seen_to_at_the_next_beat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path, now=FakeClock()) as app:
        app.call_in_app(end_background, app)
        peers, background = app.services.peers, app.services.background
        seen_to: list[float | None] = []

        async def no_space(_pulse: float | None) -> None:
            raise StorageError

        async def see_to(pulse: float | None) -> None:
            seen_to.append(pulse)

        app.call_in_app(app.services.store.record_heartbeat, 5.0)
        peers.beaten_at = float("-inf")
        monkeypatch.setattr(background, "resume_clocks", no_space)
        with pytest.raises(StorageError):
            app.call_in_app(background.beat)
        assert not peers.leads
        monkeypatch.setattr(background, "resume_clocks", see_to)
        for _beat in range(2):
            app.call_in_app(background.beat)
        assert (seen_to, peers.leads) == ([5.0], True)


async def test_a_sign_of_life_is_written_only_while_a_clock_runs(tmp_path: Path) -> None:
    now = FakeClock()

    async def last_sign(app: AppClient) -> float | None:
        return await app.services.store.last_heartbeat()

    async with open_app(tmp_path, now=now) as app:
        app.call_in_app(end_background, app)
        app.call_in_app(app.services.background.beat)
        assert app.call_in_app(last_sign, app) is None
        match = await app.create_match(clock={"minutes": 1})
        await match.play("r@1 m@1")
        app.call_in_app(app.services.background.beat)
        assert app.call_in_app(last_sign, app) == now()
