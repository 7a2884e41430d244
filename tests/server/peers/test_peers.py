"""Several servers on one PostgreSQL database: what happens at one is known at the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from app_client import AppClient, FakeClock, MatchDriver, open_app
from fake_engines import first_move
from postgresql_server import postgresql_database
from sqlalchemy import text
from waiting import PATIENCE, until_true

from quinconce.server.answers.streams import event_batches
from quinconce.server.engines.jobs import EngineQuestion
from quinconce.server.matches.events import Agree, Move
from quinconce.server.peers import leases
from quinconce.server.peers.clocks import SharedClock
from quinconce.server.peers.leases import Peers
from quinconce.server.refusals import PlayerPresentError

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.process,
    pytest.mark.sqlite("this is about PostgreSQL, whichever is asked for"),
]
CUT_LISTENERS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
)


@asynccontextmanager
async def open_servers(
    folder: Path, count: int = 2, **changes: Any
) -> AsyncIterator[list[AppClient]]:
    """Servers on one database; each runs in a thread of its own."""
    changes.setdefault("database", postgresql_database(folder))
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(open_app(folder, **changes)) for _ in range(count)]


def as_seen_from(app: AppClient, match: MatchDriver) -> MatchDriver:
    """The same match with the same people, who ask another server."""
    tokens = [person.token for person in match.people]
    return MatchDriver(app.client, match.created, tokens)


def peers_of(app: AppClient) -> Peers:
    peers = app.services.peers
    assert isinstance(peers, Peers)
    return peers


async def test_a_move_at_one_server_is_heard_at_the_other(tmp_path: Path) -> None:
    async with open_servers(tmp_path, recheck=3600) as (one, other):
        match = await one.create_match()

        async def follow() -> list[int]:
            live = await other.services.live_matches.get(match.id)
            with other.services.live_matches.track_presence(live, [1]):
                batches = event_batches(other.services, match.id, 0, 3600)
                await anext(batches)
                one.call_in_app(one.services.live_matches.submit, match.id, 0, Move("r@1"), 0)
                async with asyncio.timeout(PATIENCE):
                    while not (events := await anext(batches)):
                        pass
                await batches.aclose()
                return [event.seq for event in events]

        assert other.call_in_app(follow) == [1]


async def test_whoever_is_present_at_one_server_is_present_at_the_other(tmp_path: Path) -> None:
    async with open_servers(tmp_path, lend_after=0.0, now=FakeClock()) as (one, other):
        match = await one.create_match()
        elsewhere = as_seen_from(other, match)
        await elsewhere.play("r@1 m@1")
        live = other.call_in_app(other.services.live_matches.get, match.id)

        async def sit() -> Callable[[], None]:
            here = one.services.live_matches
            stay = here.track_presence(await here.get(match.id), [1])
            stay.__enter__()

            def leave() -> None:
                stay.__exit__(None, None, None)

            return leave

        rise = one.call_in_app(sit)
        await until_true(lambda: is_seen(elsewhere))
        with pytest.raises(PlayerPresentError):
            other.call_in_app(
                other.services.live_matches.submit, match.id, 0, Agree("engine", 1), None
            )
        one.call_in_app(rise)
        await until_true(lambda: not live.is_present(1) and live.absent_since(1) is not None)
        await elsewhere.send_ok(0, "agreements", matter="engine", about=1)
        assert (await match.view())["seats"][1]["kind"] == "engine"


async def is_seen(match: MatchDriver) -> bool:
    """Whether the second player is told to be there."""
    return bool((await match.view())["seats"][1]["present"])


async def test_whoever_was_at_a_server_that_died_is_absent(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_servers(tmp_path, now=clock) as (one, other):
        match = await one.create_match()
        elsewhere = as_seen_from(other, match)
        await elsewhere.play("r@1 m@1")

        stays = []  # what is forgotten ends

        async def sit() -> None:
            here = one.services.live_matches
            stays.append(here.track_presence(await here.get(match.id), [1]))
            stays[0].__enter__()

        async def die() -> None:
            for task in one.services.background.tasks:
                task.cancel()

        one.call_in_app(sit)
        await until_true(lambda: is_seen(elsewhere))
        one.call_in_app(die)
        assert await is_seen(elsewhere)
        clock.now += leases.LIFE_SECONDS + 1
        live = other.services.live_matches.loaded[match.id]

        async def refresh() -> bool:
            await other.services.live_matches.refresh_presence([live])
            return live.is_present(1)

        await until_true(lambda: not other.call_in_app(refresh))


async def test_a_match_that_one_server_deletes_is_gone_at_the_other(tmp_path: Path) -> None:
    async with open_servers(tmp_path) as (one, other):
        match = await one.create_match()
        elsewhere = as_seen_from(other, match)
        await elsewhere.play("r@1")
        maker = elsewhere.people[0]
        maker.token = match.created["key"]
        assert (await match.watcher.request("DELETE", match.path)).status_code == 403
        gone = await one.client.request(
            "DELETE", match.path, headers={"Authorization": f"Bearer {match.created['key']}"}
        )
        assert gone.status_code == 204
        for path in ("", "/record", "/record.json", "/plies/0"):
            assert (await elsewhere.watcher.get(match.path + path)).status_code == 404


async def test_hints_are_counted_together(tmp_path: Path) -> None:
    async with open_servers(tmp_path, limits={"hints_per_match": 2}) as (one, other):
        match = await one.create_match(seats=[{"kind": "me"}, {"kind": "engine", "level": 1}])
        cookies, csrf = one.visitor.cookies, one.visitor.csrf
        other.visitor.cookies, other.visitor.csrf = cookies, csrf
        for app, status in ((one, 200), (other, 200), (one, 429), (other, 429)):
            answer = await app.visitor.post(f"{match.path}/hints")
            assert answer.status_code == status, answer.text


async def test_matches_are_counted_together(tmp_path: Path) -> None:
    limits = {"matches_per_hour": 2}
    async with open_servers(tmp_path, limits=limits, now=FakeClock()) as (one, other):
        await one.create_match()
        await other.create_match()
        body = {"game": "diam", "seats": [{"kind": "friend"}] * 2}
        for app in (one, other):
            refused = await app.visitor.post("/api/matches", body)
            assert (refused.status_code, refused.json()["code"]) == (429, "matches")


class CountingEngine:
    """An engine that moves first, and notes how often it is asked for a move of its own."""

    def __init__(self) -> None:
        self.asked: list[EngineQuestion] = []

    def __call__(self, question: EngineQuestion) -> str:
        if len(question.match.moves) % 2 == 0:  # else it is only got ready
            self.asked.append(question)
        return first_move(question)


async def test_an_engine_is_asked_by_one_server(tmp_path: Path) -> None:
    engine = CountingEngine()
    async with open_servers(tmp_path, chooser=engine, now=FakeClock()) as (one, other):
        seats = [{"kind": "engine", "level": 1}, {"kind": "friend"}]
        match = await one.create_match(seats=seats)
        elsewhere = as_seen_from(other, match)
        for n in range(1, 4):
            await match.view()  # both look, and either may ask
            view = await elsewhere.view_after(2 * n - 1)
            legal = (await elsewhere.view(1))["scene"]["legal"]
            await elsewhere.send_ok(1, "moves", move=legal[0]["move"], seq=view["seq"])
        await elsewhere.view_after(7)
        for app in (one, other):
            await app.finish_turns()
        assert len(engine.asked) == 4


async def test_the_engine_of_a_server_that_died_is_asked_by_another(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_servers(tmp_path, now=clock) as (one, other):
        leader, follower = (one, other) if peers_of(one).leads else (other, one)
        match = await follower.create_match(
            seats=[{"kind": "friend"}, {"kind": "engine", "level": 1}]
        )

        async def play_and_die() -> None:
            live_matches = follower.services.live_matches
            for task in follower.services.background.tasks:
                task.cancel()
            await live_matches.submit(match.id, 0, Move("r@1"), 0)
            assert await peers_of(follower).claim(match.id, 1)  # and never asks

        follower.call_in_app(play_and_die)
        clock.now += leases.CLAIM_SECONDS + 1
        elsewhere = as_seen_from(leader, match)

        async def has_moved() -> bool:
            rows = await leader.services.store.events(match.id, 1)
            return bool(rows)

        await until_true(lambda: leader.call_in_app(has_moved))
        assert len((await elsewhere.view())["moves"]) == 2


async def test_one_server_leads_and_another_follows_when_it_goes(tmp_path: Path) -> None:
    clock = FakeClock()  # nobody is late
    async with open_servers(tmp_path, 1, now=clock) as (one,):
        assert peers_of(one).leads
        async with open_servers(tmp_path, 1, now=clock) as (other,):
            assert not peers_of(other).leads
            one.call_in_app(one.services.background.close)
            await until_true(lambda: peers_of(other).leads)


async def test_a_second_server_gives_no_clock_back_its_time(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_servers(tmp_path, 1, now=ticker) as (one,):
        match = await one.create_match(clock={"minutes": 10})
        await match.play("r@1 m@1")
        ticker.now += 8
        async with open_servers(tmp_path, 1, now=ticker) as (other,):
            assert (await as_seen_from(other, match).view())["clock"]["left"] == [592.0, 600.0]
            assert (await match.view())["seq"] == 2


async def test_a_clock_that_nobody_looks_at_falls_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticker = FakeClock()

    async def no_beat() -> None:
        """A sign of life would take the leap below for a fault of the database's clock."""

    async with open_servers(tmp_path, now=ticker) as (one, other):
        for server in (one, other):
            monkeypatch.setattr(peers_of(server), "beat", no_beat)
        match = await one.create_match(clock={"minutes": 1})
        await match.play("r@1 m@1")
        await as_seen_from(other, match).view()
        ticker.now += 61

        async def events() -> list[str]:
            return [event.kind for event in await one.services.store.events(match.id, 2)]

        assert await until_true(lambda: one.call_in_app(events)) == ["timeout", "end"]
        for at in (match, as_seen_from(other, match)):
            assert (await at.view())["scene"]["outcome"]["reason"] == "time"


async def test_news_that_was_cut_off_heals_and_streams_look_again(tmp_path: Path) -> None:
    async with open_servers(tmp_path, recheck=3600) as (one, other):
        match = await one.create_match()
        bulletins = peers_of(other).bulletins
        assert bulletins
        line = bulletins.line

        async def cut_off() -> None:
            await one.services.database.write(lambda connection: connection.execute(CUT_LISTENERS))

        async def follow() -> list[int]:
            live = await other.services.live_matches.get(match.id)
            with other.services.live_matches.track_presence(live, [1]):
                batches = event_batches(other.services, match.id, 0, 3600)
                await anext(batches)
                heal, line.heal = line.heal, lambda: None  # deaf for a while
                one.call_in_app(cut_off)
                await until_true(lambda: not line.connected)
                one.call_in_app(one.services.live_matches.submit, match.id, 0, Move("r@1"), 0)
                line.heal = heal
                await until_true(lambda: line.connected)
                async with asyncio.timeout(PATIENCE):
                    while not (events := await anext(batches)):
                        pass
                await batches.aclose()
                return [event.seq for event in events]

        assert other.call_in_app(follow) == [1]


async def test_both_servers_have_the_time_of_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[float] = []
    measure = SharedClock.measure

    def measure_and_note(clock: SharedClock, asked: float, told: float, answered: float) -> None:
        measure(clock, asked, told, answered)
        errors.append(answered - asked)

    monkeypatch.setattr(SharedClock, "measure", measure_and_note)
    async with open_servers(tmp_path) as (one, other):
        first, second, last = one.services.now(), other.services.now(), one.services.now()
        assert len(errors) >= 2
        assert first - sum(errors) <= second <= last + sum(errors)
