"""What a stranger may send: however broken, it is refused with a sentence, never with a 500."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_client import AppClient, FakeClock, open_app

from quinconce.server.security import rate_limits

anyio = pytest.mark.anyio

POSTS = (
    "/api/matches",
    "/api/tags/club/matches",
    "/api/tags/club/matches.csv",
    "/api/explore",
    "/api/truths",
    "/api/qr",
    "/api/puzzles/aaaaaaaa/moves",
)
MATCH_POSTS = (
    "moves",
    "resignations",
    "agreements",
    "refusals",
    "seat",
    "claims",
    "seats/0/links",
)
BROKEN_BODIES = (
    b'{"text": "\xff\xfe"}',
    b"\xff",
    b'{"move": "\xc3\x28", "seq": 0}',
    b"[" * 100_000 + b"]" * 100_000,
    b'{"a":' * 40_000 + b"1" + b"}" * 40_000,
    b'{"options": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
)


@anyio
@pytest.mark.parametrize("body", BROKEN_BODIES, ids=range(len(BROKEN_BODIES)))
async def test_a_body_that_is_not_utf_8_or_nested_too_deep_is_refused(
    tmp_path: Path, body: bytes
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        for path in (*POSTS, *(f"{match.path}/{what}" for what in MATCH_POSTS)):
            answer = await app.client.post(
                path,
                content=body,
                headers={
                    "Content-Type": "application/json",
                    "Authorization": f"Bearer {match.people[0].token}",
                },
            )
            assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), path
            assert answer.json()["error"]


@anyio
@pytest.mark.parametrize(
    "host", ["localhost:abc", "localhost:99999", "localhost:-1", "localhost:0"]
)
async def test_a_host_with_a_port_that_is_none_is_refused(tmp_path: Path, host: str) -> None:
    async with open_app(tmp_path) as app:
        for path in ("/", "/api/games", "/static/1/style.css", "/nothing"):
            for accept in ("text/html", "application/json"):
                answer = await app.visitor.get(path, Host=host, Accept=accept)
                assert answer.status_code == 421, (path, answer.text)
        answer = await app.visitor.post("/api/matches", {}, Host=host)
        assert (answer.status_code, answer.json()["code"]) == (421, "host")


def delete_before_the_keys_change(
    app: AppClient, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Delete a match at the moment in which somebody's key is about to be stored."""
    store = app.services.store
    change_keys = store.change_keys

    async def delete_first(*arguments: Any) -> None:
        await store.delete_match(match)
        app.services.live_matches.evict(match)
        await change_keys(*arguments)

    monkeypatch.setattr(store, "change_keys", delete_first)


@anyio
async def test_a_seat_claimed_while_its_match_is_deleted_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        for what in ("claims", "seats/0/links"):
            match = await app.create_match()
            player = match.people[0]
            with monkeypatch.context() as patch:
                delete_before_the_keys_change(app, match.id, patch)
                body = {"secret": player.token} if what == "claims" else {}
                answer = await player.post(f"{match.path}/{what}", body)
            assert (answer.status_code, answer.json()["code"]) == (404, "match"), answer.text


def test_many_addresses_at_once_are_not_gone_through_at_every_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_ADDRESSES", 100)
    ticks = FakeClock()
    limit = rate_limits.RateLimit(6, 60.0, ticks)
    looks = 0
    count_usage = limit._usage

    def count_looks(address: str, now: float) -> float:
        nonlocal looks
        looks += 1
        return count_usage(address, now)

    monkeypatch.setattr(limit, "_usage", count_looks)
    for n in range(2000):
        assert limit.take(str(n)) == 0
    assert looks < 4 * 2000  # one for each request, and few more
    assert len(limit.usage) == 2000
    ticks.now += 60
    for n in range(4000):
        limit.take(f"later {n}")
    assert "0" not in limit.usage  # what is owed nothing is forgotten
