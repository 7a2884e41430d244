"""A rematch that the engine begins, while nobody looks at it."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_client import open_app
from waiting import until_true

pytestmark = pytest.mark.anyio


async def test_an_engine_begins_a_rematch_that_nobody_looks_at(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match(seats=[{"kind": "friend"}, {"kind": "engine", "level": 1}])
        await match.send_ok(0, "resignations")
        done = await match.send_ok(0, "agreements", matter="rematch")
        rematch = done["view"]["rematch"]

        def kinds() -> list[str]:
            return [event.kind for event in app.call_in_app(app.services.store.events, rematch, 0)]

        await until_true(lambda: kinds() == ["claim", "move"])
