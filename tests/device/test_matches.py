"""Matches on a device: the engine answers on the stream, and nothing that was played is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import pytest
from app_client import FakeClock
from device_pair import DeviceClient, open_device
from waiting import PATIENCE, until_true

from quinconce.device.app import DeviceRequest, Entry, MemoryStore
from quinconce.server.engines import jobs
from quinconce.server.engines.turns import turn_question
from quinconce.server.matches.events import Event, Move

anyio = pytest.mark.anyio
LONE = [{"kind": "me"}, {"kind": "engine", "level": 3}]


async def follow(
    device: DeviceClient, match: str, after: int = 0, seen: str = ""
) -> AsyncGenerator[dict[str, Any], None]:
    """The events of a stream as a page reads them."""
    named = {"accept": "text/event-stream", "last-event-id": seen}
    path = f"/api/matches/{match}/events?after={after}"
    answer = await device.device.answer(DeviceRequest("GET", path, named, b""))
    assert answer.headers["content-type"] == "text/event-stream"
    assert not isinstance(answer.body, bytes)
    async for piece in answer.body:
        for line in piece.decode().splitlines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


async def first(events: AsyncIterator[dict[str, Any]], kind: str) -> dict[str, Any]:
    """The next event of a kind."""
    async with asyncio.timeout(PATIENCE):
        async for event in events:
            if event["kind"] == kind:
                return event
    raise AssertionError(f"no {kind}")


@anyio
async def test_the_move_of_the_engine_comes_on_the_stream_with_the_view() -> None:
    async with open_device() as device:
        match = await device.create_match(seats=LONE)
        events = follow(device, match)
        assert (await first(events, "presence"))["present"] == [True, False]
        status, answer = await device.act(match, "moves", move="r@1")
        assert (status, answer["view"]["moves"]) == (200, ["r@1"])
        own = await first(events, "move")
        assert (own["seat"], "view" in own) == (0, False)
        played = await first(events, "move")
        assert played["seat"] == 1
        assert played["view"]["moves"] == ["r@1", played["move"]]
        assert played["view"]["scene"]["legal"]
        await events.aclose()


@anyio
async def test_a_stream_goes_on_after_the_last_event_that_was_seen() -> None:
    async with open_device() as device:
        match = await device.create_match()
        await device.play(match, "r@1 m@1 r@2")
        for events in (follow(device, match, 2), follow(device, match, 0, "2")):
            assert (await first(events, "move"))["seq"] == 3
            await events.aclose()


@anyio
@pytest.mark.slow
async def test_the_engine_plays_what_a_server_would_play() -> None:
    async with open_device(chooser=None) as device:
        match = await device.create_match("buts", seats=LONE)
        state = device.device.services.live_matches.loaded[match].state
        legal = (await device.view(match))["scene"]["legal"]
        after = state.after([Event(1, 0.0, 0, Move(legal[0]["move"]))])
        await device.act(match, "moves", move=legal[0]["move"])

        async def moves() -> list[str]:
            found: list[str] = (await device.view(match))["moves"]
            return found if len(found) > 1 else []

        played = await until_true(moves)
        assert played[1] == jobs.choose_move(turn_question(match, after, 3))


class DyingStore(MemoryStore):
    """A store whose page is killed at a write: before it, or after it and before the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.dies: str | None = None

    async def put(self, entries: list[Entry], known: list[Entry]) -> bool:
        if self.dies == "before":
            raise asyncio.CancelledError
        done = await super().put(entries, known)
        if self.dies == "after":
            raise asyncio.CancelledError
        return done


@anyio
@pytest.mark.parametrize(("dies", "moves"), [("before", 0), ("after", 1)])
async def test_a_page_that_is_killed_in_the_middle_of_a_move_goes_on(dies: str, moves: int) -> None:
    store = DyingStore()
    async with open_device(store) as device:
        match = await device.create_match(seats=LONE)
        store.dies = dies
        with pytest.raises(asyncio.CancelledError):
            await device.act(match, "moves", move="r@1")
    store.dies = None
    async with open_device(store) as device:
        assert len(store.entries) == 1 + moves
        status, answer = await device.act(match, "moves", move="r@1", seq=0)  # sent again
        assert (status, answer["new"]) == (200, not moves)

        async def is_answered() -> bool:
            return len((await device.view(match))["moves"]) == 2

        await until_true(is_answered)  # by the engine, which nobody had asked


@anyio
async def test_of_two_tabs_the_second_to_move_is_told_that_the_match_has_gone_on() -> None:
    store = MemoryStore()
    async with open_device(store) as one, open_device(store) as other:
        match = await one.create_match()
        await other.device.refresh()
        events = follow(other, match)
        await first(events, "presence")
        await one.play(match, "r@1")
        status, answer = await other.act(match, "moves", move="r@2", seq=0)
        assert (status, answer["code"], answer["seq"]) == (409, "stale", 1)
        assert (await other.view(match))["moves"] == ["r@1"]
        await one.play(match, "m@1")
        await other.device.refresh()  # another tab has said that it has written
        assert (await first(events, "move"))["seq"] == 1
        assert (await first(events, "move"))["seq"] == 2
        await events.aclose()
        await other.play(match, "r@2")
        await one.device.refresh()
        assert (await one.view(match))["moves"] == ["r@1", "m@1", "r@2"]


@anyio
async def test_an_engine_that_two_tabs_ask_moves_once() -> None:
    store = MemoryStore()
    async with open_device(store) as one, open_device(store) as other:
        match = await one.create_match(seats=LONE)
        await other.device.refresh()
        await asyncio.gather(
            one.act(match, "moves", move="r@1", seq=0), other.act(match, "moves", move="r@1", seq=0)
        )
        for device in (one, other):

            async def is_answered(device: DeviceClient = device) -> bool:
                await device.device.refresh()
                return len((await device.view(match))["moves"]) == 2

            await until_true(is_answered)
        assert len([key for kind, key in store.entries if kind == "event"]) == 2


@anyio
async def test_a_match_that_another_tab_deletes_is_gone_here_too() -> None:
    store = MemoryStore()
    async with open_device(store) as one, open_device(store) as other:
        match = await one.create_match()
        await one.play(match, "r@1")
        await other.device.refresh()
        assert (await other.view(match))["moves"] == ["r@1"]
        assert (await one.ask("DELETE", f"/api/matches/{match}"))[0] == 204
        await other.device.refresh()
        assert (await other.ask("GET", f"/api/matches/{match}"))[0] == 404
        assert not store.entries


class FullStore(MemoryStore):
    """A store whose quota is used up."""

    is_full = False

    async def put(self, entries: list[Entry], known: list[Entry]) -> bool:
        if self.is_full:
            raise OSError("QuotaExceededError")
        return await super().put(entries, known)


@anyio
async def test_a_full_store_is_told_in_one_sentence_and_the_match_is_unharmed() -> None:
    store = FullStore()
    async with open_device(store) as device:
        match = await device.create_match()
        await device.play(match, "r@1")
        store.is_full = True
        status, answer = await device.act(match, "moves", move="m@1")
        assert (status, answer["code"]) == (507, "storage")
        assert "device" in answer["error"]
        assert (await device.view(match))["moves"] == ["r@1"]
        body = {"game": "diam", "seats": [{"kind": "me"}, {"kind": "here"}]}
        assert (await device.ask("POST", "/api/matches", body))[0] == 507
        store.is_full = False
        assert (await device.play(match, "m@1"))["moves"] == ["r@1", "m@1"]


@anyio
async def test_a_store_that_refuses_without_a_reason_is_a_full_one() -> None:
    class RefusingStore(MemoryStore):
        async def put(self, entries: list[Entry], known: list[Entry]) -> bool:
            return entries[0][0] != "event" and await super().put(entries, known)

    async with open_device(RefusingStore()) as device:
        match = await device.create_match()
        assert (await device.act(match, "moves", move="r@1"))[0] == 507


@anyio
async def test_a_clock_that_runs_out_is_told_on_the_stream() -> None:
    clock = FakeClock()
    async with open_device(now=clock) as device:
        match = await device.create_match(clock={"minutes": 1})
        await device.play(match, "r@1")
        events = follow(device, match, 1)
        clock.now += 100
        assert (await first(events, "timeout"))["seat"] == 1
        await events.aclose()


@anyio
async def test_a_review_tells_how_far_it_is_on_the_stream() -> None:
    async with open_device() as device:
        match = await device.create_match()
        await device.play(match, "r@1 m@1")
        await device.act(match, "resignations")
        events = follow(device, match, 99)
        await device.ok("POST", f"/api/matches/{match}/review", {})
        told = await first(events, "review")
        while told["state"] != "done":
            told = await first(events, "review")
        assert (told["done"], told["of"]) == (3, 3)
        await events.aclose()


@anyio
async def test_a_review_that_was_cut_off_goes_on_when_the_device_is_opened_again() -> None:
    store = MemoryStore()
    async with open_device(store) as device:
        match = await device.create_match()
        await device.play(match, "r@1 m@1 r@2")
        await device.act(match, "resignations")
        await device.ok("POST", f"/api/matches/{match}/review", {})
    async with open_device(store) as device:

        async def is_done() -> bool:
            review = await device.ok("GET", f"/api/matches/{match}/review")
            return bool(review["state"] == "done")

        await until_true(is_done)


@anyio
@pytest.mark.slow
async def test_an_analysis_deepens_and_a_match_goes_on_beside_it() -> None:
    async with open_device() as device:
        match = await device.create_match(seats=LONE)
        body = json.dumps({"game": "seega"}).encode()
        asked = DeviceRequest("POST", "/api/analysis", {"accept": "application/x-ndjson"}, body)
        answer = await device.device.answer(asked)
        assert not isinstance(answer.body, bytes)
        depths = []
        async for line in answer.body:
            if view := json.loads(line or b"null"):
                depths.append(view["depth"])
                await device.act(match, "seat", name=f"at depth {view['depth']}")
            if len(depths) > 2:
                break
        await answer.body.aclose()  # type: ignore[attr-defined]
        assert depths == sorted(depths)
        assert (await device.view(match))["seats"][0]["name"].startswith("at depth")
