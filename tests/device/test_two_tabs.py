"""Two tabs with a worker each on what one browser keeps: neither undoes what the other has done."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import fake_reviewers
import pytest
from app_client import FakeClock
from device_pair import DeviceClient, Json, open_device

from quinconce.core.match import MatchData
from quinconce.device.app import Entry, MemoryStore
from quinconce.device.kept import DeviceReviews
from quinconce.server.refusals import MatchNotFoundError
from quinconce.server.reviews.reports import StoredReview
from quinconce.server.settings import DAY

anyio = pytest.mark.anyio
LONE = [{"kind": "me"}, {"kind": "engine", "level": 3}]


class RacingStore(MemoryStore):
    """A store in which another tab is once faster than a write."""

    def __init__(self) -> None:
        super().__init__()
        self.race: Callable[[], Awaitable[object]] | None = None

    async def put(self, entries: list[Entry], known: list[Entry]) -> bool:
        race, self.race = self.race, None
        if race:
            await race()
        return await super().put(entries, known)


@asynccontextmanager
async def open_tabs(store: MemoryStore) -> AsyncIterator[tuple[DeviceClient, DeviceClient]]:
    """Two tabs, of which neither is told what the other writes."""
    async with open_device(store) as one, open_device(store) as other:
        yield one, other


async def match_in(one: DeviceClient, other: DeviceClient, moves: str = "", **setup: Json) -> str:
    """A match that both tabs have read."""
    match = await one.create_match(**setup)
    await one.play(match, moves)
    await other.device.refresh()
    await other.view(match)
    return match


@anyio
async def test_a_move_after_a_hint_that_another_tab_was_given_is_played() -> None:
    async with open_tabs(store := MemoryStore()) as (one, other):
        match = await match_in(one, other, seats=LONE)
        for _ in range(2):
            for tab in (one, other):
                await tab.ok("POST", f"/api/matches/{match}/hints")
        assert b'"hints":4' in store.entries["match", match]
        assert (await one.act(match, "moves", move="r@1", seq=0))[0] == 200
        assert b'"hints":4' in store.entries["match", match]


@anyio
async def test_the_last_hint_is_given_to_one_of_two_tabs() -> None:
    async with open_tabs(MemoryStore()) as (one, other):
        match = await match_in(one, other, seats=LONE)
        limit = one.device.services.settings.limits.hints_per_match
        path = f"/api/matches/{match}/hints"
        for _ in range(limit - 1):
            await one.ok("POST", path)
        answers = await asyncio.gather(one.ask("POST", path), other.ask("POST", path))
        assert sorted(status for status, _answer in answers) == [200, 429]


@anyio
async def test_a_move_in_a_match_that_another_tab_has_deleted_does_not_bring_it_back() -> None:
    async with open_tabs(store := MemoryStore()) as (one, other):
        match = await match_in(one, other, "r@1")
        assert (await one.ask("DELETE", f"/api/matches/{match}"))[0] == 204
        assert (await other.act(match, "moves", move="m@1", seq=1))[0] == 404
        assert not store.entries


@anyio
async def test_a_match_deleted_while_another_tab_moves_is_deleted_whole() -> None:
    async with open_tabs(store := RacingStore()) as (one, other):
        match = await match_in(one, other, "r@1")
        store.race = lambda: other.act(match, "moves", move="m@1", seq=1)
        assert (await one.ask("DELETE", f"/api/matches/{match}"))[0] == 204
        assert not store.entries


@anyio
async def test_a_tab_takes_up_the_other_way_on_which_a_match_has_gone() -> None:
    store = MemoryStore()
    async with open_device(store) as one:
        match = await one.create_match()
        await one.play(match, "r@1 m@1 r@2")
        store.entries["event", f"{match}/2"] = b"what only another version can read"
        async with open_device(store) as other:
            await other.play(match, "m@3 r@3")
        written = dict(store.entries)
        assert (await one.act(match, "moves", move="m@2", seq=2))[0] == 409
        assert store.entries == written
        await one.device.refresh()
        assert (await one.view(match))["moves"] == ["r@1", "m@3", "r@3"]


# Studies.


async def make_study(tab: DeviceClient, other: DeviceClient) -> tuple[str, str]:
    """The address and the secret of a study that both tabs have read."""
    made = await tab.ok("POST", "/api/studies", {"title": "One", "boards": [{"game": "diam"}]})
    await other.device.refresh()
    return f"/api/studies/{made['id']}", f"Bearer {made['secret']}"


def change_study(
    tab: DeviceClient, study: tuple[str, str], version: int, title: str
) -> Awaitable[tuple[int, Json]]:
    body = {"version": version, "title": title, "boards": [{"game": "diam"}]}
    return tab.ask("PUT", study[0], body, authorization=study[1])


@anyio
async def test_of_two_tabs_that_change_a_study_the_second_gets_a_conflict() -> None:
    async with open_tabs(MemoryStore()) as (one, other):
        study = await make_study(one, other)
        assert await change_study(one, study, 1, "Two") == (200, {"version": 2})
        status, answer = await change_study(other, study, 1, "Too")
        assert (status, answer["code"], answer["version"]) == (409, "changed", 2)
        assert (await other.ok("GET", study[0]))["title"] == "Two"
        assert await change_study(other, study, 1, "Two") == (200, {"version": 2})  # sent again
        assert await change_study(other, study, 2, "Three") == (200, {"version": 3})


@anyio
async def test_a_study_that_another_tab_has_deleted_is_not_changed() -> None:
    async with open_tabs(store := MemoryStore()) as (one, other):
        study = await make_study(one, other)
        assert (await one.ask("DELETE", study[0], authorization=study[1]))[0] == 204
        assert (await change_study(other, study, 1, "Two"))[0] == 404
        assert not store.entries


@anyio
async def test_opening_a_study_undoes_nothing_that_another_tab_has_changed() -> None:
    clock, store = FakeClock(), MemoryStore()
    async with open_device(store, clock) as one, open_device(store, clock) as other:
        study = await make_study(one, other)
        await change_study(one, study, 1, "Two")
        clock.now += 2 * DAY
        await other.ok("GET", study[0])  # this is noted
        assert (await other.ok("GET", study[0]))["title"] == "Two"
        await one.device.refresh()
        assert [row.used for row in one.device.services.study_store.rows.values()] == [clock.now]
        assert await change_study(one, study, 2, "Three") == (200, {"version": 3})


@anyio
async def test_a_new_secret_and_a_change_of_two_tabs_are_both_kept() -> None:
    async with open_tabs(MemoryStore()) as (one, other):
        study = await make_study(one, other)
        await change_study(one, study, 1, "Two")
        new = "abcdefghijklmnopqrstuv"
        path = f"{study[0]}/secret"
        assert (await other.ask("PUT", path, {"secret": new}, authorization=study[1]))[0] == 200
        assert (await change_study(one, study, 2, "Stolen"))[0] == 409
        assert (await change_study(one, study, 2, "Stolen"))[0] == 401
        assert await change_study(one, (study[0], f"Bearer {new}"), 2, "Three") == (
            200,
            {"version": 3},
        )


# Reviews.


def reviewed(match: str, moves: int, line: str = "line") -> StoredReview:
    return StoredReview(match, line, "engine", moves + 1)


def report(*moves: str) -> str:
    return fake_reviewers.report_first_move_best(MatchData("diam", moves=moves))


async def reviews_in(
    one: DeviceClient, other: DeviceClient
) -> tuple[StoredReview, DeviceReviews, DeviceReviews]:
    """A review with two positions that both tabs have begun."""
    new = reviewed(await match_in(one, other, "r@1"), 1)
    stores = one.device.services.review_store, other.device.services.review_store
    for each in stores:
        assert await each.begin(new, 1.0, 10) == new
    return new, *stores


@anyio
async def test_what_two_tabs_find_in_a_review_is_joined() -> None:
    store = MemoryStore()
    async with open_tabs(store) as (one, other):
        new, mine, theirs = await reviews_in(one, other)
        first = await mine.add_report(new, 0, report(), 2.0)
        assert first
        again = await theirs.add_report(new, 0, report("r@1"), 2.0)
        assert again == first
        done = await theirs.add_report(new, 1, report("r@1"), 2.0)
        assert done
        assert done.state == "done"
        assert await mine.add_report(first, 1, report("r@1"), 2.0) == done
        assert (await mine.fail(new, 3.0)).state == "done"
    async with open_device(store) as later:
        assert await later.device.services.review_store.review(new.match) == done


@anyio
async def test_a_review_of_another_line_has_nothing_of_what_another_tab_found_before() -> None:
    async with open_tabs(MemoryStore()) as (one, other):
        new, mine, theirs = await reviews_in(one, other)
        assert await theirs.add_report(new, 0, report(), 2.0)
        other_line = reviewed(new.match, 1, "another line")
        assert await mine.begin(other_line, 3.0, 10) == other_line
        assert await theirs.add_report(new, 1, report("r@1"), 4.0) is None
        assert await theirs.review(new.match) == other_line


@anyio
async def test_a_review_of_a_match_that_another_tab_has_deleted_is_given_up() -> None:
    async with open_tabs(store := MemoryStore()) as (one, other):
        new, _mine, theirs = await reviews_in(one, other)
        assert (await one.ask("DELETE", f"/api/matches/{new.match}"))[0] == 204
        assert await theirs.add_report(new, 0, report(), 2.0) is None
        assert not store.entries


@anyio
async def test_no_review_is_begun_of_a_match_that_another_tab_has_deleted() -> None:
    async with open_tabs(store := MemoryStore()) as (one, other):
        match = await match_in(one, other, "r@1")
        assert (await one.ask("DELETE", f"/api/matches/{match}"))[0] == 204
        with pytest.raises(MatchNotFoundError):
            await other.device.services.review_store.begin(reviewed(match, 1), 1.0, 10)
        assert not store.entries


# One file.


@anyio
async def test_an_import_is_worked_out_again_if_another_tab_has_moved_meanwhile() -> None:
    async with open_tabs(store := RacingStore()) as (one, other):
        match = await match_in(one, other, "r@1")
        async with open_device() as elsewhere:
            await elsewhere.device.import_(await one.device.export())
            await elsewhere.play(match, "m@1 r@2")
            file = await elsewhere.device.export()
        store.race = lambda: other.act(match, "moves", move="m@3", seq=1)
        done = await one.device.import_(file)
        assert (done.matches, done.skipped) == (0, 1)
        for tab in (one, other):
            assert (await tab.view(match))["moves"] == ["r@1", "m@3"]


@anyio
async def test_two_tabs_that_take_in_the_same_file_take_it_in_once() -> None:
    async with open_device() as device, open_tabs(store := RacingStore()) as (one, other):
        match = await device.create_match()
        await device.play(match, "r@1 m@1")
        file = await device.device.export()
        store.race = lambda: other.device.import_(file)
        done = await one.device.import_(file)
        assert (done.matches, done.skipped) == (0, 1)
        for tab in (one, other):
            assert (await tab.view(match))["moves"] == ["r@1", "m@1"]
