"""What a device keeps: garbage is passed over, everything goes into one file and comes back."""

from __future__ import annotations

import json

import pytest
from device_pair import DeviceClient, open_device
from waiting import until_true

from quinconce.core.errors import phrase_of
from quinconce.device.app import MemoryStore
from quinconce.device.backup import NO_BACKUP
from quinconce.server.refusals import StorageError

anyio = pytest.mark.anyio
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


@anyio
@pytest.mark.parametrize("broken", [b"nonsense", b'{"seq":2,"at":1,"seat":0,"act":{"kind":"fly"}}'])
async def test_a_match_with_a_broken_event_is_kept_up_to_it_and_goes_on(broken: bytes) -> None:
    store = MemoryStore()
    async with open_device(store) as device:
        match = await device.create_match()
        await device.play(match, "r@1 m@1 r@2")
    store.entries["event", f"{match}/2"] = broken
    async with open_device(store) as device:
        assert (await device.view(match))["moves"] == ["r@1"]
        assert device.device.complaint()
    async with open_device(store) as device:
        status, answer = await device.act(match, "moves", move="m@2")
        assert (status, answer["view"]["moves"]) == (200, ["r@1", "m@2"])
    async with open_device(store) as device:
        assert (await device.play(match, "r@3"))["moves"] == ["r@1", "m@2", "r@3"]


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
async def test_a_store_that_cannot_be_read_is_an_empty_one() -> None:
    class NoStore(MemoryStore):
        async def load(self, kind: str) -> list[tuple[str, bytes]]:
            raise OSError("there is no storage in a private window")

    async with open_device(NoStore()) as device:
        assert (await device.ok("GET", "/api/me"))["matches"] == []
        match = await device.create_match()
        assert (await device.play(match, "r@1"))["moves"] == ["r@1"]


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
        async def put(self, entries: object) -> bool:
            raise OSError("QuotaExceededError")

    async with open_device() as device, open_device(FullStore()) as other:
        await played_device(device)
        with pytest.raises(StorageError):
            await other.device.import_(await device.device.export())
        assert (await other.ok("GET", "/api/me"))["matches"] == []
