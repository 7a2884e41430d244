"""The machine's clock is set back: nobody is refused for it, and no clock of a match stops."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_client import TWO_FRIENDS, FakeClock, open_app

from quinconce.server.peers.clocks import ForwardClock

anyio = pytest.mark.anyio
JUMPS = (60.0, 3600.0, 86400.0)


@anyio
@pytest.mark.parametrize("jump", JUMPS)
async def test_a_clock_set_back_refuses_nobody(tmp_path: Path, jump: float) -> None:
    day, ticks = FakeClock(), FakeClock()
    limits = {"requests_per_minute": 12, "writes_per_minute": 6, "matches_per_hour": 60}
    async with open_app(tmp_path, now=day, monotonic=ticks, limits=limits) as app:
        for _try in range(3):
            assert (await app.visitor.post("/api/matches", MATCH)).status_code == 201
        day.now -= jump
        for _try in range(20):
            ticks.now += 10.0
            assert (await app.visitor.get("/api/games")).status_code == 200
            assert (await app.visitor.post("/api/explore", {"game": "diam"})).status_code == 200
        ticks.now += 3600.0
        assert (await app.visitor.post("/api/matches", MATCH)).status_code == 201


MATCH = {"game": "diam", "seats": TWO_FRIENDS}


@anyio
async def test_a_seat_is_lent_after_the_usual_while(tmp_path: Path) -> None:
    day, ticks = FakeClock(), FakeClock()
    async with open_app(tmp_path, now=day, monotonic=ticks, lend_after=60.0) as app:
        match = await app.create_match()
        await match.play("r@1")
        await match.send_ok(1, "seat", name="Zoë")
        day.now -= 3600.0
        ticks.now += 59.0
        assert (await match.send(0, "agreements", matter="engine", about=1)).status_code == 409
        ticks.now += 1.0
        view = (await match.send_ok(0, "agreements", matter="engine", about=1))["view"]
        assert view["seats"][1]["lent"]


@anyio
async def test_the_clock_of_a_match_runs_on(tmp_path: Path) -> None:
    day, ticks = FakeClock(), FakeClock()
    async with open_app(tmp_path, now=day, monotonic=ticks) as app:
        match = await app.create_match(clock={"minutes": 1})
        for seat in (0, 1):
            await match.send_ok(seat, "seat", name="Zoë")
        await match.play("r@1")
        day.now -= 3600.0
        ticks.now += 20.0
        assert (await match.view())["clock"]["left"] == [60.0, 40.0]
        ticks.now += 40.0
        outcome = (await match.view())["scene"]["outcome"]
        assert (outcome["reason"], outcome["winners"]) == ("time", [0])


def test_the_time_of_day_only_goes_forward() -> None:
    day, ticks = FakeClock(), FakeClock()
    now = ForwardClock(day, ticks)
    assert now() == 1_000_000
    day.now, ticks.now = 999_000, 1_000_010
    assert now() == 1_000_010  # set back: it goes on
    day.now, ticks.now = 1_000_500, 1_000_020
    assert now() == 1_000_500  # set forward: it follows
    day.now, ticks.now = 1_000_510, 1_000_030
    assert now() == 1_000_510
