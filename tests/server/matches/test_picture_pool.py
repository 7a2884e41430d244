"""The worker of pictures: each is made once, what is kept is bounded, a dead worker is replaced."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from waiting import until_true

from quinconce.core.worker_pools import process_pool
from quinconce.server.matches import picture_pool
from quinconce.server.matches.errors import PictureFailedError, PicturesBusyError
from quinconce.server.matches.picture_pool import PicturePool

pytestmark = [pytest.mark.anyio, pytest.mark.sqlite("it never comes to the database")]


async def keep(pool: PicturePool, name: str, size: int) -> None:
    async def draw() -> bytes:
        return bytes(size)

    assert len(await pool.make(name, draw)) == size


async def test_what_is_kept_is_bounded_and_what_was_asked_for_last_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(picture_pool, "MAX_KEPT_BYTES", 100)
    monkeypatch.setattr(picture_pool, "MAX_PICTURE_BYTES", 50)
    pool = PicturePool(ThreadPoolExecutor)
    for n in range(20):
        await keep(pool, f"{n}", 30)
        assert pool.find("0")  # asked for again each time
        assert sum(bool(pool.find(str(i))) for i in range(20)) <= 3
        pool.find("0")
    await keep(pool, "large", 51)
    assert pool.find("large") is None
    assert pool.find("0")
    for _again in range(5):
        await keep(pool, "0", 40)
    assert pool.find("0") == bytes(40)


async def test_those_who_want_the_same_wait_for_one() -> None:
    pool, begun, go_on = PicturePool(ThreadPoolExecutor), [], asyncio.Event()

    async def draw() -> bytes:
        begun.append(1)
        await go_on.wait()
        return b"picture"

    askers = [asyncio.create_task(pool.make("one", draw)) for _asker in range(5)]
    await until_true(lambda: begun)
    askers[0].cancel()  # the others wait on
    go_on.set()
    assert await asyncio.gather(*askers[1:]) == [b"picture"] * 4
    assert len(begun) == 1
    assert pool.find("one") == b"picture"


async def test_too_many_at_once_are_refused_and_an_end_gives_them_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(picture_pool, "MAX_BEING_MADE", 2)
    pool, begun = PicturePool(ThreadPoolExecutor), []

    async def never() -> bytes:
        begun.append(1)
        await asyncio.Event().wait()
        return b""

    waiting = [asyncio.create_task(pool.make(name, never)) for name in "ab"]
    await until_true(lambda: len(begun) == 2)
    with pytest.raises(PicturesBusyError):
        await pool.make("c", never)
    await pool.close()
    ends = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ends)


@pytest.mark.process
async def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    marker = tmp_path / "died"
    pool = PicturePool(process_pool)
    try:
        assert await pool.run(DieOnce(marker)) == b"alive"
        assert marker.exists()
    finally:
        await pool.close()


class DieOnce:
    """Kills its worker the first time."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __call__(self) -> bytes:
        if not self.marker.exists():
            self.marker.touch()
            os._exit(1)
        return b"alive"


async def test_a_worker_that_always_dies_is_an_error_in_words() -> None:
    def die() -> bytes:
        raise BrokenExecutor

    with pytest.raises(PictureFailedError):
        await PicturePool(ThreadPoolExecutor).run(die)
