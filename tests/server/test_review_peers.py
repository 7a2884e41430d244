"""Reviews with several servers on one PostgreSQL database: one makes it, all tell of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from app_client import AppClient, MatchDriver, open_app
from fake_reviewers import report_first_move_best
from postgresql_server import postgresql_database

from quinconce.core.match import MatchData
from quinconce.server.matches import background, peers
from quinconce.server.matches.review_progress import ReviewProgress

pytestmark = pytest.mark.anyio
PATIENCE = 30.0  # seconds, for a busy machine
MOVES = "o@1 n@2 r@3 m@4"


class Reviewer:
    """Notes what it is asked, and waits before some positions until it may go on."""

    def __init__(self, stop_before: int = 1000) -> None:
        self.plies: list[int] = []
        self.stop_before = stop_before
        self.go = threading.Event()

    def __call__(self, data: MatchData) -> str:
        if len(data.moves) >= self.stop_before:
            self.go.wait(PATIENCE)
        self.plies.append(len(data.moves))
        return report_first_move_best(data)


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await holds():
            await asyncio.sleep(0.02)


async def is_reviewed(match: MatchDriver, done: int) -> bool:
    found = (await match.watcher.get(f"{match.path}/review")).json()
    return bool(found["done"] >= done)


async def test_another_server_goes_on_with_a_review(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "CLAIM_SECONDS", 1.0)
    monkeypatch.setattr(peers, "LEASE_SECONDS", 1.0)
    monkeypatch.setattr(background, "HEARTBEAT_SECONDS", 0.3)
    database = postgresql_database(tmp_path)
    before, after = Reviewer(stop_before=2), Reviewer()
    async with AsyncExitStack() as stack:
        one, other = [
            await stack.enter_async_context(
                open_app(tmp_path, reviewer=reviewer, database=database)
            )
            for reviewer in (before, after)
        ]
        stack.callback(before.go.set)
        match = await one.create_match()
        await match.play(MOVES)
        await match.send_ok(0, "resignations")
        elsewhere = MatchDriver(other.client, match.created, [p.token for p in match.people])
        other.call_in_app(follow, other, match.id)
        await match.people[0].post(f"{match.path}/review")
        await until(lambda: is_reviewed(elsewhere, 2))
        # The other server tells of it, and does not make it too.
        assert other.call_in_app(progress, other, match.id) == ReviewProgress(2, 5, "open")
        assert after.plies == []
        # The one that made it dies without a word.
        one.call_in_app(die, one)
        await until(lambda: is_reviewed(elsewhere, 4))
        assert after.plies == [2, 3, 4]
        assert before.plies == [0, 1]


async def follow(app: AppClient, match: str) -> None:
    """Somebody has the page of a match open."""
    live = await app.services.live_matches.get(match)
    live.watchers[-1] += 1


async def progress(app: AppClient, match: str) -> ReviewProgress | None:
    """What streams here tell of a review, once they have heard of it."""
    live = app.services.live_matches.loaded[match]
    async with asyncio.timeout(PATIENCE):
        while live.review is None or live.review.done < 2:
            await asyncio.sleep(0.01)
    return live.review


async def die(app: AppClient) -> None:
    for task in (*app.services.background.tasks, *app.services.reviews.tasks.values()):
        task.cancel()
