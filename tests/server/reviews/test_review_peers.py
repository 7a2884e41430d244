"""Reviews with several servers on one PostgreSQL database: one makes it, all tell of it."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from app_client import AppClient, Body, FakeClock, MatchDriver, open_app
from fake_reviewers import PausingReviewer
from postgresql_server import postgresql_database
from waiting import until_true

from quinconce.server import background
from quinconce.server.matches.protocols import ReviewProgress
from quinconce.server.peers import leases

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.process,
    pytest.mark.sqlite("this is about PostgreSQL, whichever is asked for"),
]
MOVES = "o@1 n@2 r@3 m@4"


async def review(match: MatchDriver) -> Body:
    found: Body = (await match.watcher.get(f"{match.path}/review")).json()
    return found


async def is_begun(match: MatchDriver) -> bool:
    return bool((await review(match))["done"] >= 2)


async def is_made(match: MatchDriver) -> bool:
    """Whether the last position was looked at too, which `done` does not count."""
    return bool((await review(match))["state"] == "done")


async def test_another_server_goes_on_with_a_review(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "HEARTBEAT_SECONDS", 0.1)
    clock = FakeClock()  # nobody is late before it goes
    database = postgresql_database(tmp_path)
    before, after = PausingReviewer(stop_before=2), PausingReviewer()
    async with AsyncExitStack() as stack:
        one, other = [
            await stack.enter_async_context(
                open_app(tmp_path, reviewer=reviewer, database=database, now=clock)
            )
            for reviewer in (before, after)
        ]
        stack.callback(before.gate.open)
        match = await one.create_match()
        await match.play(MOVES)
        await match.send_ok(0, "resignations")
        elsewhere = MatchDriver(other.client, match.created, [p.token for p in match.people])
        other.call_in_app(follow, other, match.id)
        await match.people[0].post(f"{match.path}/review")
        await until_true(lambda: is_begun(elsewhere))
        # The other server tells of it, and does not make it too.
        assert other.call_in_app(progress, other, match.id) == ReviewProgress(2, 5, "open")
        assert after.plies == []
        # The one that made it dies without a word.
        one.call_in_app(die, one)
        clock.now += max(leases.CLAIM_SECONDS, leases.LEASE_SECONDS) + 1
        await until_true(lambda: is_made(elsewhere))
        assert after.plies == [2, 3, 4]
        assert before.plies == [0, 1]


async def follow(app: AppClient, match: str) -> None:
    """Somebody has the page of a match open."""
    live = await app.services.live_matches.get(match)
    live.watchers[-1] += 1


async def progress(app: AppClient, match: str) -> ReviewProgress | None:
    """What streams here tell of a review, once they have heard of it."""
    live = app.services.live_matches.loaded[match]
    await until_true(lambda: live.review and live.review.done >= 2)
    return live.review


async def die(app: AppClient) -> None:
    for task in (*app.services.background.tasks, *app.services.reviews.tasks.values()):
        task.cancel()
