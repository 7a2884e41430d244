"""Clocks: kept by the server, rebuilt from what is stored, and never counting while it is down."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_client import FakeClock, end_background, open_app
from hypothesis import given
from hypothesis import strategies as st

from quinconce.server.matches.clock import Clock, TimeControl
from quinconce.server.settings import DAY

anyio = pytest.mark.anyio
FOUR = [{"kind": "friend"}] * 4


def test_minutes_run_down_and_the_increment_comes_after_a_move() -> None:
    clock = Clock(TimeControl(minutes=1, increment=5), 2)
    assert clock.deadline() is None
    clock.switch_to(0, 100.0)
    assert clock.left_at(110.0) == [50.0, 60.0]
    assert (clock.deadline(), clock.seat_out_of_time(159.9), clock.seat_out_of_time(160.0)) == (
        160.0,
        None,
        0,
    )
    clock.charge(110.0)
    clock.credit_move(0)
    clock.switch_to(1, 110.0)
    assert clock.left == [55.0, 60.0]
    clock.skip_downtime(30.0)
    assert clock.left_at(145.0) == [55.0, 55.0]
    clock.switch_to(None, 145.0)
    assert clock.left_at(1e9) == [55.0, 55.0]


def test_days_a_move_begin_anew_with_every_turn() -> None:
    clock = Clock(TimeControl(days=2), 2)
    clock.switch_to(0, 0.0)
    clock.charge(1.5 * DAY)
    clock.credit_move(0)
    clock.switch_to(1, 1.5 * DAY)
    assert clock.left == [2 * DAY, 2 * DAY]
    assert clock.deadline() == 3.5 * DAY


@pytest.mark.parametrize(
    "terms",
    [
        TimeControl(),
        TimeControl(minutes=1, days=1),
        TimeControl(days=1, increment=2),
        TimeControl(increment=3),
    ],
)
def test_what_is_no_clock_is_refused(terms: TimeControl) -> None:
    with pytest.raises(ValueError, match="a clock"):
        terms.check()


@given(st.lists(st.tuples(st.floats(0, 100), st.booleans()), max_size=30))
def test_no_time_is_lost_or_made(steps: list[tuple[float, bool]]) -> None:
    """What everybody has used is what has passed, but for the time nobody is charged with."""
    clock, now, used = Clock(TimeControl(minutes=1000), 2), 0.0, 0.0
    clock.switch_to(0, now)
    for n, (pause, down) in enumerate(steps):
        now += pause
        if down:
            clock.skip_downtime(pause)
        else:
            used += pause
        clock.switch_to((n + 1) % 2, now)
    assert sum(clock.left_at(now)) == pytest.approx(120_000 - used)


@anyio
async def test_the_clock_runs_from_the_first_move_for_who_is_there(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        match = await app.create_match(clock={"minutes": 1, "increment": 10})
        ticker.now += 500
        await match.play("r@1")
        ticker.now += 500  # nobody has come to seat 1
        view = await match.view()
        assert view["clock"]["left"] == [70.0, 60.0]
        assert view["clock"]["running"] is None
        await match.people[1].post(f"{match.path}/claims", {"secret": match.people[1].token})
        ticker.now += 20
        view = await match.view()
        assert (view["clock"]["left"], view["clock"]["running"]) == ([70.0, 40.0], 1)
        view = await match.play("m@1")
        assert view["clock"]["left"] == [70.0, 50.0]


@anyio
async def test_who_runs_out_of_time_loses_without_anybody_asking(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        match = await app.create_match(clock={"minutes": 1})
        await match.play("r@1 m@1")
        ticker.now += 59
        app.call_in_app(app.services.background.flag_expired_clocks)
        assert app.call_in_app(app.services.store.match, match.id).waits == "people"
        ticker.now += 1
        app.call_in_app(app.services.background.flag_expired_clocks)
        assert app.call_in_app(app.services.store.match, match.id).waits == "nobody"
        outcome = (await match.view())["scene"]["outcome"]
        assert (outcome["winners"], outcome["reason"]) == ([1], "time")


@anyio
async def test_a_move_that_comes_too_late_is_refused(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        match = await app.create_match(clock={"minutes": 1})
        view = await match.play("r@1 m@1")
        ticker.now += 61
        late = await match.send(0, "moves", move="r@2", seq=view["seq"])
        assert (late.status_code, late.json()["code"]) == (409, "stale")
        assert (await match.view())["scene"]["outcome"]["reason"] == "time"


@anyio
async def test_each_for_themselves_the_engine_plays_on_for_who_ran_out(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        options = {"edition": "1997", "players": "4"}
        match = await app.create_match(options=options, seats=FOUR, clock={"minutes": 1})
        await match.play("r@1")
        for seat in range(4):
            await match.people[seat].post(
                f"{match.path}/claims", {"secret": match.people[seat].token}
            )
        ticker.now += 61
        app.call_in_app(app.services.background.flag_expired_clocks)
        view = await match.view()
        assert view["scene"]["outcome"] is None
        assert view["seats"][1]["kind"] == "engine"


@anyio
async def test_time_while_the_server_is_down_does_not_count(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        match = await app.create_match(clock={"minutes": 10})
        await match.play("r@1 m@1")
        ticker.now += 60
    ticker.now += 10_000
    async with open_app(tmp_path, now=ticker) as app:
        for person in (*match.people, match.watcher):
            person.client = app.client
        assert (await match.view())["clock"]["left"] == [540.0, 600.0]
        ticker.now += 40
        assert (await match.play("r@2"))["clock"]["left"] == [500.0, 600.0]
    ticker.now += 10_000
    async with open_app(tmp_path, now=ticker) as app:
        for person in (*match.people, match.watcher):
            person.client = app.client
        assert (await match.view())["clock"]["left"] == [500.0, 600.0]


@anyio
async def test_a_server_that_was_killed_charges_up_to_its_last_sign_of_life(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        match = await app.create_match(clock={"minutes": 10})
        await match.play("r@1 m@1")
        ticker.now += 30
        app.call_in_app(app.services.background.record_heartbeat)
        app.call_in_app(end_background, app)
        ticker.now += 3

        async def nothing() -> None:
            """Killed: no last sign of life."""

        app.services.background.close = nothing  # type: ignore[method-assign]
    ticker.now += 10_000
    async with open_app(tmp_path, now=ticker) as app:
        match.watcher.client = app.client
        assert (await match.view())["clock"]["left"] == [570.0, 600.0]
