"""The walk of a move: how often one request locks its match, reads, writes and draws."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from app_client import (
    AppClient,
    FakeClock,
    MatchDriver,
    end_background,
    open_app,
    stop_background,
)
from sqlalchemy import event

from quinconce.draw import picture_of
from quinconce.server.answers.streams import event_batches
from quinconce.server.matches.events import Move, Timeout

pytestmark = pytest.mark.anyio


# What servers on one database tell each other, move or no move.
BETWEEN_SERVERS = ("processes", "leases", "pulse", "presence", "clock_timestamp", "pg_notify")


class CountingLock(asyncio.Lock):
    """A lock that notes whenever somebody passes it."""

    def __init__(self, counts: Counter[str]) -> None:
        super().__init__()
        self.counts = counts

    async def acquire(self) -> Literal[True]:
        self.counts["lock passes"] += 1
        return await super().acquire()


@contextmanager
def count_steps(
    app: AppClient, match: MatchDriver, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Counter[str]]:
    """Counts lock passes, transactions, statements and drawings."""
    counts: Counter[str] = Counter()
    engine = app.services.database.sync_engine

    begun: set[int] = set()  # the connections whose transaction has done nothing yet

    def count_begin(connection: Any) -> None:
        begun.add(id(connection))

    def count_statement(connection: Any, _cursor: Any, text: str, *_more: Any) -> None:
        verb = text.split()[0]
        if verb == "BEGIN" or any(table in text for table in BETWEEN_SERVERS):
            return
        if id(connection) in begun:
            begun.discard(id(connection))
            counts["transactions"] += 1
        counts["reads" if verb == "SELECT" else "writes"] += 1

    def count_drawing(*arguments: Any, **looks: Any) -> Any:
        counts["drawings"] += 1
        return picture_of(*arguments, **looks)

    live = app.services.live_matches.loaded[match.id]
    monkeypatch.setattr("quinconce.server.views.position.picture_of", count_drawing)
    monkeypatch.setattr(live, "lock", CountingLock(counts))
    event.listen(engine, "begin", count_begin)
    event.listen(engine, "before_cursor_execute", count_statement)
    try:
        yield counts
    finally:
        event.remove(engine, "begin", count_begin)
        event.remove(engine, "before_cursor_execute", count_statement)


async def test_a_move_is_one_pass_one_read_one_commit_and_one_drawing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        app.call_in_app(end_background, app)
        with count_steps(app, match, monkeypatch) as counts:
            answer = await match.send(0, "moves", move="r@1", seq=0)
        assert answer.status_code == 200
        assert counts == {
            "lock passes": 1,
            "transactions": 2,  # the glance, the commit
            "reads": 1,
            "writes": 2,  # the event, and the summary beside its match
            "drawings": 1,
        }


async def test_who_wants_a_minimal_answer_gets_the_event_and_nothing_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        app.call_in_app(end_background, app)
        with count_steps(app, match, monkeypatch) as counts:
            answer = await match.people[0].post(
                f"{match.path}/moves", {"seq": 0, "move": "R@1"}, Prefer="wait=5, Return=minimal"
            )
        assert answer.status_code == 200
        assert answer.headers["preference-applied"] == "return=minimal"
        told = answer.json()
        assert (set(told), told["seq"], told["new"]) == ({"seq", "new", "event"}, 1, True)
        assert told["event"]["move"] == "r@1"
        assert counts["drawings"] == 0


async def test_a_clock_does_not_make_the_walk_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path, now=FakeClock()) as app:
        match = await app.create_match(clock={"minutes": 1})
        await match.play("r@1")
        app.call_in_app(end_background, app)
        with count_steps(app, match, monkeypatch) as counts:
            await match.send_ok(1, "moves", move="m@1", seq=1)
        assert (counts["lock passes"], counts["transactions"], counts["drawings"]) == (1, 2, 1)


async def test_a_refused_move_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        app.call_in_app(end_background, app)
        with count_steps(app, match, monkeypatch) as counts:
            assert (await match.send(0, "moves", move="m@1", seq=0)).status_code == 422
            assert (await match.send(1, "moves", move="r@1", seq=0)).status_code == 409
        assert (counts["lock passes"], counts["reads"], counts["writes"]) == (2, 2, 0)
        assert app.services.live_matches.loaded[match.id].state.seq == 0


async def test_the_page_of_the_second_side_is_drawn_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        app.call_in_app(end_background, app)
        with count_steps(app, match, monkeypatch) as counts:
            page = await match.people[1].get(f"/match/{match.id}")
        assert page.status_code == 200
        assert (counts["lock passes"], counts["drawings"]) == (1, 1)
        assert '"flipped":true' in page.text.replace(" ", "")


async def test_to_lock_a_match_writes_nothing_whatever_its_clock_says(tmp_path: Path) -> None:
    """Flagging is a call of its own."""
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        live_matches, store = app.services.live_matches, app.services.store
        match = await app.create_match(clock={"minutes": 1})
        await match.play("r@1 m@1")

        async def lock_and_flag() -> tuple[int, int]:
            stop_background(app)
            ticker.now += 61
            async with live_matches.locked(match.id) as live:
                before = len(await store.events(match.id, 0))
                await live_matches.flag_expired_clock(live)
                await live_matches.flag_expired_clock(live)  # once is enough
                return before, len(live.state.events)

        before, after = app.call_in_app(lock_and_flag)
        assert (before, after) == (2, 4)  # the timeout, and the end that follows
        acts = [event.act for event in app.call_in_app(store.events, match.id, 2)]
        assert acts[0] == Timeout()


async def test_a_clock_that_another_process_has_flagged_is_flagged_once(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app, open_app(tmp_path, now=ticker) as other:
        match = await app.create_match(clock={"minutes": 1})
        await match.play("r@1 m@1")

        async def flag_late() -> int:
            stop_background(app)
            live_matches = app.services.live_matches
            async with live_matches.locked(match.id) as live:
                ticker.now += 61
                other.call_in_app(other.services.background.flag_expired_clocks)
                await live_matches.flag_expired_clock(live)
                return live.state.seq

        async def load_in_other() -> None:
            stop_background(other)
            async with other.services.live_matches.locked(match.id):
                pass

        other.call_in_app(load_in_other)
        assert app.call_in_app(flag_late) == 4
        assert (await match.view())["scene"]["outcome"]["reason"] == "time"


async def test_a_number_that_another_process_took_makes_a_move_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app, open_app(tmp_path) as other:
        match = await app.create_match()
        append, elsewhere = app.services.store.append, other.services.live_matches

        async def append_late(*arguments: Any) -> None:
            monkeypatch.setattr(app.services.store, "append", append)
            other.call_in_app(elsewhere.submit, match.id, 0, Move("r@2"), 0)
            await append(*arguments)

        monkeypatch.setattr(app.services.store, "append", append_late)
        refused = await match.send(0, "moves", move="r@1", seq=0)
        assert (refused.status_code, refused.json()["code"]) == (409, "stale")
        assert refused.json()["seq"] == 1
        assert (await match.view())["moves"] == ["r@2"]


async def test_a_match_that_was_deleted_meanwhile_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        store, append = app.services.store, app.services.store.append

        async def append_late(*arguments: Any) -> None:
            await store.delete_match(match.id)
            await append(*arguments)

        monkeypatch.setattr(store, "append", append_late)
        gone = await match.send(0, "moves", move="r@1", seq=0)
        assert (gone.status_code, gone.json()["code"]) == (404, "match")
        assert match.id not in app.services.live_matches.loaded


async def test_a_move_whose_request_is_cancelled_is_kept_and_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        services = app.services
        announced: list[int] = []
        services.live_matches.listeners.append(lambda live: announced.append(live.state.seq))

        async def submit_and_vanish() -> None:
            begun, append = asyncio.Event(), services.store.append

            async def slow_append(*arguments: Any) -> None:
                begun.set()
                await append(*arguments)

            monkeypatch.setattr(services.store, "append", slow_append)
            task = asyncio.create_task(services.live_matches.submit(match.id, 0, Move("r@1"), 0))
            await begun.wait()
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await asyncio.gather(*services.database.pending)
            assert services.live_matches.loaded[match.id].state.seq == 0
            services.live_matches.unannounced[match.id] -= 60
            await services.background.announce_overdue()

        app.call_in_app(submit_and_vanish)
        assert announced == [1]
        assert services.live_matches.loaded[match.id].state.seq == 1
        assert (await match.view())["moves"] == ["r@1"]


async def test_a_stream_is_told_a_move_from_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        services = app.services

        async def follow() -> list[int]:
            batches = event_batches(services, match.id, 0, 60)
            seen = [len(await anext(batches))]
            await end_background(app)
            with count_steps(app, match, monkeypatch) as counts:
                await services.live_matches.submit(match.id, 0, Move("r@1"), 0)
                services.live_matches.announce(match.id)
                seen += [event.seq for event in await anext(batches)]
            await batches.aclose()
            return [*seen, counts["lock passes"], counts["reads"]]

        assert app.call_in_app(follow) == [0, 1, 1, 1]


async def test_a_stream_reads_what_another_process_has_stored(tmp_path: Path) -> None:
    async with open_app(tmp_path, recheck=0) as app, open_app(tmp_path) as other:
        match = await app.create_match()

        async def follow() -> list[int]:
            batches = event_batches(app.services, match.id, 0, 0.01)
            await anext(batches)
            other.call_in_app(other.services.live_matches.submit, match.id, 0, Move("r@1"), 0)
            seen = [event.seq for event in await anext(batches)]
            await batches.aclose()
            return seen

        assert app.call_in_app(follow) == [1]
