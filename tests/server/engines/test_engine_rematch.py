"""A rematch that the engine begins, while nobody looks at it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from app_client import open_app

pytestmark = pytest.mark.anyio


async def test_an_engine_begins_a_rematch_that_nobody_looks_at(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match(seats=[{"kind": "friend"}, {"kind": "engine", "level": 1}])
        await match.send_ok(0, "resignations")
        done = await match.send_ok(0, "agreements", matter="rematch")
        rematch = done["view"]["rematch"]
        for _look in range(500):
            events = app.call_in_app(app.services.store.events, rematch, 0)
            if [event.kind for event in events] == ["claim", "move"]:
                return
            await asyncio.sleep(0.02)
        raise AssertionError("the engine never moved")
