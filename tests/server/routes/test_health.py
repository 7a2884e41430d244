"""Whether a server lives, whether it is ready, and who may read its metrics."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from app_client import ApiUser, AppClient, end_background, open_app
from litestar.testing import RequestFactory
from waiting import PATIENCE

from quinconce.server import metrics
from quinconce.server.observe import look
from quinconce.server.routes import health

pytestmark = pytest.mark.anyio
TOKEN = "a-token-for-metrics"


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[AppClient]:
    async with open_app(tmp_path, metrics_token=TOKEN) as client:
        yield client


def sample(text: str, name: str, **labels: str) -> float:
    """The value of a metric; 0 if it has never been counted."""
    told = ",".join(f'{key}="{value}"' for key, value in sorted(labels.items()))
    pattern = "^" + re.escape(f"{name}{{{told}}}" if told else name) + r" (\S+)$"
    found = re.search(pattern, text, re.M)
    return float(found[1]) if found else 0.0


async def scrape(app: AppClient) -> str:
    answer = await app.visitor.get("/metrics", Authorization=f"Bearer {TOKEN}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return str(answer.text)


async def test_a_server_is_ready_while_its_database_answers(
    app: AppClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "READY_SECONDS", PATIENCE)
    answer = await app.visitor.get("/api/ready")
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "why": None})

    async def fail() -> None:
        raise OSError("no route to the database")

    async def hang() -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(health, "READY_SECONDS", 0.05)
    for trouble in (fail, hang):
        monkeypatch.setattr(app.services.store, "last_heartbeat", trouble)
        answer = await app.visitor.get("/api/ready?lang=en")
        assert answer.status_code == 503
        assert answer.json() == {"ready": False, "why": "the database does not answer"}
    assert (await app.visitor.get("/api/health")).status_code == 200


async def test_a_server_without_a_heartbeat_is_not_ready(app: AppClient) -> None:
    app.call_in_app(end_background, app)
    assert (await app.visitor.get("/api/ready")).status_code == 200
    app.services.peers.beaten_at = -math.inf
    answer = await app.visitor.get("/api/ready?lang=en")
    assert answer.status_code == 503
    assert answer.json() == {"ready": False, "why": "the database does not answer"}


async def test_a_server_that_drains_is_not_ready_and_makes_no_matches(app: AppClient) -> None:
    match = await app.create_match()
    app.services.rate_limits.draining = True
    answer = await app.visitor.get("/api/ready?lang=en")
    assert (answer.status_code, answer.json()["why"]) == (503, "the server is stopping")
    body = {"game": "diam", "seats": [{"kind": "friend"}, {"kind": "friend"}]}
    refused = await app.visitor.post("/api/matches", body)
    assert (refused.status_code, refused.json()["code"]) == (503, "stopping")
    assert int(refused.headers["retry-after"]) > 0
    # What goes on goes on.
    assert (await app.visitor.get("/api/health")).status_code == 200
    await match.play("r@1 m@1")


def may_read(client: str, token: str | None = TOKEN, **headers: str) -> bool:
    """Whether somebody at an address may read the metrics."""
    request = RequestFactory().get("/metrics", headers=headers)
    request.scope["client"] = (client, 50_000)
    return health.may_read_metrics(request, token)


async def test_metrics_are_for_this_machine_and_for_whoever_has_the_token() -> None:
    assert may_read("127.0.0.1")
    assert may_read("::1")
    for stranger in ("203.0.113.7", "192.168.1.4", "testclient", ""):
        assert not may_read(stranger)
        assert may_read(stranger, authorization=f"Bearer {TOKEN}")
    for header in health.PROXY_HEADERS:
        assert not may_read("127.0.0.1", **{header: "203.0.113.7"})
    for wrong in ("Bearer", "Bearer ", f"Bearer {TOKEN}x", TOKEN, "Bearer \xe9"):
        assert not may_read("203.0.113.7", authorization=wrong)
    for given in ("Bearer None", "Bearer ", "Bearer"):
        assert not may_read("203.0.113.7", None, authorization=given)


async def test_for_strangers_there_are_no_metrics(app: AppClient) -> None:
    assert (await app.visitor.get("/metrics")).status_code == 404


async def test_requests_are_counted_by_route_and_never_by_what_strangers_invent(
    app: AppClient,
) -> None:
    match = await app.create_match()
    route = "/api/matches/{match}"
    before = await scrape(app)
    for path in (match.path, match.path, "/api/matches/nosuchmatch0", "/api/no/such/address"):
        await app.visitor.get(path)
    await app.visitor.request("BREW", match.path)
    after = await scrape(app)

    def more(name: str, **labels: str) -> float:
        return sample(after, name, **labels) - sample(before, name, **labels)

    count = "quinconce_requests_total"
    assert more(count, route=route, method="GET", status="200") == 2
    assert more(count, route=route, method="GET", status="404") == 1
    assert more(count, route="other", method="GET", status="404") == 1
    assert more("quinconce_request_seconds_count", route=route, method="GET") == 3
    assert "BREW" not in after
    assert match.id not in after
    assert "no/such" not in after


async def test_a_study_that_is_saved_is_counted_as_put(app: AppClient) -> None:
    labels = {"route": "/api/studies/{study}", "method": "PUT", "status": "404"}
    before = sample(await scrape(app), "quinconce_requests_total", **labels)
    body = {"version": 1, "boards": [{"game": "diam"}]}
    saver = ApiUser(app.client, "x" * 22)
    assert (await saver.request("PUT", "/api/studies/nosuchstudy0", body)).status_code == 404
    assert sample(await scrape(app), "quinconce_requests_total", **labels) == before + 1


async def test_moves_streams_matches_and_engines_are_counted(app: AppClient) -> None:
    before = await scrape(app)
    match = await app.create_match()
    await match.play("r@1 m@1")
    with app.services.rate_limits.count_stream("203.0.113.7"):
        look(app.services)
        after = await scrape(app)
    assert sample(after, "quinconce_moves_total") - sample(before, "quinconce_moves_total") == 2
    assert sample(after, "quinconce_open_streams") == 1
    assert sample(after, "quinconce_live_matches") == len(app.services.live_matches.loaded)
    for name in ("quinconce_engines_waiting", "quinconce_engines_thinking"):
        assert sample(after, name) == 0


async def test_lags_are_measured(app: AppClient) -> None:
    news = "quinconce_news_lag_seconds_count"
    before = sample(await scrape(app), news)
    metrics.observe_news_lag(0.01)
    metrics.observe_news_lag(-1)
    assert sample(await scrape(app), news) == before + 2
    assert "quinconce_event_loop_lag_seconds_count" in await scrape(app)


async def test_an_answer_is_logged_with_its_route(
    app: AppClient, caplog: pytest.LogCaptureFixture
) -> None:
    match = await app.create_match()
    with caplog.at_level("INFO", "quinconce.access"):
        await app.visitor.get(f"{match.path}?secret=hidden")
    entries: list[Any] = [each for each in caplog.records if each.name == "quinconce.access"]
    assert entries[-1].fields["path"] == "/api/matches/{match}"
    assert entries[-1].fields["status"] == 200
    assert match.path in entries[-1].getMessage()
    assert "hidden" not in entries[-1].getMessage()
