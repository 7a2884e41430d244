"""What a device keeps: garbage is passed over, everything goes into one file and comes back."""

from __future__ import annotations

import asyncio
import json

import pytest
from app_client import FakeClock
from device_pair import DeviceClient, open_device
from waiting import until_true

from quinconce.core.errors import phrase_of
from quinconce.device.app import Entry, MemoryStore
from quinconce.device.backup import NO_BACKUP
from quinconce.server.refusals import StorageError

anyio = pytest.mark.anyio
LONE = [{"kind": "me"}, {"kind": "engine", "level": 3}]
GARBAGE = [
    ("match", "abcdefghijkl", b"\xff\xfe nonsense"),
    ("match", "bbcdefghijkl", b'{"setup": {"game": "gone", "seats": []}}'),
    (
        "match",
        "cbcdefghijkl",
        b'{"setup": {"game": "gone", "seats": [{"kind": "me"}]}, "made": 1, "touched": 1}',
    ),
    ("event", "nobody/1", b"{}"),
    ("event", "no number", b"[]"),
    ("review", "abcdefghijkl", b"nonsense"),
    ("report", "abcdefghijkl/0", b'"nonsense"'),
    ("study", "abcdefghijkl", b'{"hash": 7}'),
]


async def played_device(device: DeviceClient) -> str:
    """A match with four events, a review of it, and a study."""
    match = await device.create_match()
    await device.play(match, "r@1 m@1")
    await device.act(match, "resignations")
    await device.ok("POST", f"/api/matches/{match}/review", {})

    async def is_done() -> bool:
        return bool((await device.ok("GET", f"/api/matches/{match}/review"))["state"] == "done")

    await until_true(is_done)
    await device.ok("POST", "/api/studies", {"title": "Mine", "boards": [{"game": "diam"}]})
    return match


@anyio
async def test_garbage_is_passed_over_and_left_as_it_is() -> None:
    store = MemoryStore()
    async with open_device(store) as device:
        match = await played_device(device)
        assert device.device.complaint() is None
    for kind, key, value in GARBAGE:
        store.entries[kind, key] = value
    before = dict(store.entries)
    async with open_device(store) as device:
        assert len((await device.ok("GET", "/api/me"))["matches"]) == 1
        assert (await device.view(match))["moves"] == ["r@1", "m@1"]
        assert (await device.ask("GET", "/", accept="text/html"))[0] == 200
        assert store.entries == before
        assert "cannot be read" in (device.device.complaint("en") or "")
        assert "illisibles" in (device.device.complaint("fr") or "")


def aside(store: MemoryStore) -> dict[str, bytes]:
    """What was put aside, by the kind and the key that it had."""
    return {
        key.rpartition("/")[0]: value
        for (kind, key), value in store.entries.items()
        if kind == "aside"
    }


@anyio
@pytest.mark.parametrize("broken", [b"nonsense", b'{"seq":2,"at":1,"seat":0,"act":{"kind":"fly"}}'])
async def test_a_match_with_a_broken_event_goes_on_and_the_broken_ones_are_put_aside(
    broken: bytes,
) -> None:
    store = MemoryStore()
    async with open_device(store) as device:
        match = await device.create_match()
        await device.play(match, "r@1 m@1 r@2")
    store.entries["event", f"{match}/2"] = broken
    before = dict(store.entries)
    async with open_device(store) as device:
        assert (await device.view(match))["moves"] == ["r@1"]
        assert "2 entries" in (device.device.complaint() or "")
        assert store.entries == before
    async with open_device(store) as device:
        status, answer = await device.act(match, "moves", move="m@2")
        assert (status, answer["view"]["moves"]) == (200, ["r@1", "m@2"])
        assert device.device.complaint() is None
    lost = {f"event/{match}/{n}": before["event", f"{match}/{n}"] for n in (2, 3)}
    assert aside(store) == lost
    async with open_device(store) as device, open_device(other := MemoryStore()) as elsewhere:
        assert (await device.play(match, "r@3"))["moves"] == ["r@1", "m@2", "r@3"]
        done = await elsewhere.device.import_(await device.device.export())
        assert (done.matches, done.skipped) == (1, 0)
        assert aside(other) == lost
        assert (await device.ask("DELETE", f"/api/matches/{match}"))[0] == 204
        assert not store.entries


@anyio
async def test_a_file_brings_back_what_cannot_be_read_any_more() -> None:
    store = MemoryStore()
    async with open_device(store) as device:
        match = await played_device(device)
        file = await device.device.export()
    (study,) = (key for kind, key in store.entries if kind == "study")
    whole = dict(store.entries)
    broken = [("match", match), ("event", f"{match}/2"), ("study", study)]
    for place in broken:
        store.entries[place] = b"nonsense"
    async with open_device(store) as device:
        done = await device.device.import_(file)
        assert (done.matches, done.studies, done.skipped) == (1, 1, 0)
        assert (await device.view(match))["moves"] == ["r@1", "m@1"]
        assert device.device.complaint() is None
    assert {place: store.entries[place] for place in whole} == whole
    assert aside(store) == {"/".join(place): b"nonsense" for place in broken}


@anyio
async def test_a_match_with_a_move_that_the_rules_refuse_is_kept_up_to_it() -> None:
    store = MemoryStore()
    async with open_device(store) as device:
        match = await device.create_match()
        await device.play(match, "r@1 m@1 r@2")
    key = ("event", f"{match}/2")
    store.entries[key] = store.entries[key].replace(b"m@1", b"x@9")
    async with open_device(store) as device:
        assert (await device.view(match))["moves"] == ["r@1"]
        assert (await device.play(match, "m@2 r@2"))["moves"] == ["r@1", "m@2", "r@2"]


@anyio
async def test_events_that_follow_a_broken_one_do_not_follow_those_of_a_file() -> None:
    store = MemoryStore()
    async with open_device(store) as device, open_device() as elsewhere:
        match = await device.create_match()
        await device.play(match, "r@1")
        await elsewhere.device.import_(await device.device.export())
        await elsewhere.play(match, "m@2")
        await device.play(match, "m@1 r@2")
        store.entries["event", f"{match}/2"] = b"nonsense"
        follows = store.entries["event", f"{match}/3"]
        await device.device.refresh()
        assert (await device.device.import_(await elsewhere.device.export())).matches == 1
        assert (await device.view(match))["moves"] == ["r@1", "m@2"]
    assert aside(store) == {f"event/{match}/2": b"nonsense", f"event/{match}/3": follows}


# A match that is not whole.


async def engine_tasks(device: DeviceClient) -> None:
    """Wait until no engine is asked any more."""
    while tasks := device.device.services.engine_turns.tasks:
        await asyncio.gather(*tasks)


@anyio
async def test_no_engine_moves_by_itself_in_a_match_that_is_not_whole() -> None:
    store = MemoryStore()
    async with open_device(store) as device:
        match = await device.create_match(seats=LONE)
        await device.play(match, "r@1")
        await engine_tasks(device)
    store.entries["event", f"{match}/2"] = b"nonsense"
    before = dict(store.entries)
    async with open_device(store) as device:
        for _ in range(2):
            assert (await device.view(match))["moves"] == ["r@1"]
            await device.device.services.take_up(match)
            await device.ok("GET", f"/api/matches/{match}/engine")
            await engine_tasks(device)
        assert store.entries == before
        status, _answer = await device.act(match, "agreements", matter="takeback")
        assert status == 200
        await device.play(match, "r@1")
        await engine_tasks(device)
        assert len((await device.view(match))["moves"]) == 2
    assert aside(store) == {f"event/{match}/2": b"nonsense"}


@anyio
async def test_no_clock_runs_out_in_a_match_that_is_not_whole() -> None:
    store, clock = MemoryStore(), FakeClock()
    async with open_device(store, clock) as device:
        match = await device.create_match(clock={"minutes": 1})
        await device.play(match, "r@1 m@1 r@2")
    store.entries["event", f"{match}/3"] = b"nonsense"
    before = dict(store.entries)
    async with open_device(store, clock) as device:
        clock.now += 100
        assert (await device.view(match))["moves"] == ["r@1", "m@1"]
        await device.device.services.take_up(match)
        assert store.entries == before
        await device.play(match, "r@3")
        clock.now += 100
        assert (await device.view(match))["scene"]["outcome"]["reason"] == "time"


@anyio
async def test_no_review_goes_on_by_itself_of_a_match_that_is_not_whole() -> None:
    store = MemoryStore()
    async with open_device(store) as device:
        match = await played_device(device)
        await device.act(match, "seat", name="Ida")
    store.entries["event", f"{match}/5"] = b"nonsense"
    del store.entries["report", f"{match}/1"]
    before = dict(store.entries)
    async with open_device(store) as device:
        assert not device.device.services.reviews.tasks
        assert store.entries == before


# A store that cannot be read.


class SometimesStore(MemoryStore):
    """A store that at times can neither be read nor written."""

    trouble: str | None = None

    async def load(self) -> list[tuple[str, str, bytes]]:
        if self.trouble:
            raise OSError(self.trouble)
        return await super().load()

    async def put(self, entries: list[Entry], known: list[Entry]) -> bool:
        if self.trouble:
            raise OSError(self.trouble)
        return await super().put(entries, known)


@anyio
async def test_a_store_that_cannot_be_read_says_so_and_is_whole_again_afterwards() -> None:
    store = SometimesStore()
    async with open_device(store) as device:
        match = await played_device(device)
        view = await device.view(match)
    (study,) = (key for kind, key in store.entries if kind == "study")
    before, store.trouble = dict(store.entries), "UnknownError"
    async with open_device(store) as device:
        assert (device.device.complaint("en") or "").startswith("What is kept on this device")
        assert (device.device.complaint("fr") or "").startswith("Ce qui est gardé")
        addresses = ("me", f"matches/{match}", f"studies/{study}", "device/export")
        for address in addresses:
            status, answer = await device.ask("GET", f"/api/{address}")
            assert (status, answer["code"]) == (507, "storage"), address
            assert answer["error"].startswith("what is kept on this device cannot be read")
        assert (await device.ask("POST", "/api/device/import", b"{}"))[0] == 422
        assert (await device.ask("GET", "/learn", accept="text/html"))[0] == 200
        store.trouble = None
        assert await device.view(match) == view
        for address in addresses:
            await device.ok("GET", f"/api/{address}")
        assert device.device.complaint() is None
    assert store.entries == before


@anyio
async def test_a_review_goes_on_when_a_store_can_be_read_again() -> None:
    store = SometimesStore()
    async with open_device(store) as device:
        match = await played_device(device)
    del store.entries["report", f"{match}/1"]
    store.trouble = "UnknownError"
    async with open_device(store) as device:
        store.trouble = None

        async def is_done() -> bool:
            review = await device.ok("GET", f"/api/matches/{match}/review")
            return bool(review["state"] == "done")

        await until_true(is_done)


@anyio
async def test_what_was_read_before_is_there_while_a_store_cannot_be_read() -> None:
    store = SometimesStore()
    async with open_device(store) as device:
        match = await device.create_match()
        await device.play(match, "r@1")
        store.trouble = "UnknownError"
        await device.device.refresh()
        assert (await device.view(match))["moves"] == ["r@1"]
        assert (await device.act(match, "moves", move="m@1"))[0] == 507
        store.trouble = None
        assert (await device.play(match, "m@1"))["moves"] == ["r@1", "m@1"]


@anyio
async def test_a_store_of_a_later_version_says_that_a_newer_quinconce_is_open() -> None:
    store = SometimesStore()
    async with open_device(store) as device:
        match = await device.create_match()
        store.trouble = "VersionError: the requested version (1) is less than the existing one (2)"
        status, answer = await device.act(match, "moves", move="r@1")
        assert (status, answer["code"]) == (507, "storage")
        assert answer["error"].startswith("a newer Quinconce is open")
        await device.device.refresh()
        assert (device.device.complaint() or "").startswith("A newer Quinconce is open")


# One file.


@anyio
async def test_everything_goes_into_one_file_and_comes_back() -> None:
    store = MemoryStore()
    store.entries["progress", "lessons"] = b'["diam-1"]'
    async with open_device(store) as device, open_device(MemoryStore()) as other:
        match = await played_device(device)
        file = await device.device.export()
        assert json.loads(file)["format"] == "quinconce device"
        assert await device.ok("GET", "/api/device/export")
        done = await other.device.import_(file, "fr")
        assert (done.matches, done.studies, done.skipped) == (1, 1, 0)
        assert done.words == "1 partie ajoutée. 1 étude ajoutée."
        assert await other.view(match) == await device.view(match)
        path = f"/api/matches/{match}/review"
        assert await other.ok("GET", path) == await device.ok("GET", path)
        theirs = other.device.services.entries.store
        assert isinstance(theirs, MemoryStore)
        assert theirs.entries == store.entries


@anyio
async def test_what_is_here_is_not_written_over_unless_the_file_has_gone_on() -> None:
    async with open_device() as device, open_device() as other:
        match = await device.create_match()
        await device.play(match, "r@1")
        await other.ok("POST", "/api/device/import", await device.device.export())
        await device.play(match, "m@1 r@2")
        done = await other.ok("POST", "/api/device/import", await device.device.export())
        assert done["matches"] == 1
        assert (await other.view(match))["moves"] == ["r@1", "m@1", "r@2"]
        await other.play(match, "m@3")
        await device.play(match, "m@2")
        done = await other.ok("POST", "/api/device/import", await device.device.export())
        assert (done["matches"], done["skipped"]) == (0, 1)
        assert (await other.view(match))["moves"][-1] == "m@3"


@anyio
@pytest.mark.parametrize(
    "file",
    [b"", b"nonsense", b"{}", b"[]", b"\xff", b'{"format": "quinconce device", "version": 2}'],
)
async def test_a_file_that_is_none_is_refused_in_one_sentence(file: bytes) -> None:
    async with open_device() as device:
        with pytest.raises(ValueError, match="not a file") as refused:
            await device.device.import_(file)
        assert phrase_of(refused.value) == NO_BACKUP
        status, answer = await device.ask("POST", "/api/device/import?lang=fr", file)
        assert (status, answer["code"]) == (422, "refused")
        assert answer["error"].startswith("ce fichier")


@anyio
async def test_garbage_in_a_file_comes_along_and_does_no_harm() -> None:
    store = MemoryStore()
    for kind, key, value in GARBAGE:
        store.entries[kind, key] = value
    async with open_device(store) as device, open_device() as other:
        done = await other.device.import_(await device.device.export())
        assert (done.matches, done.studies) == (0, 0)
        assert done.skipped == 4
        assert (await other.ok("GET", "/api/me"))["matches"] == []


@anyio
async def test_a_file_for_which_there_is_no_room_changes_nothing() -> None:
    class FullStore(MemoryStore):
        async def put(self, entries: object, known: object) -> bool:
            raise OSError("QuotaExceededError")

    async with open_device() as device, open_device(FullStore()) as other:
        await played_device(device)
        with pytest.raises(StorageError):
            await other.device.import_(await device.device.export())
        assert (await other.ok("GET", "/api/me"))["matches"] == []
