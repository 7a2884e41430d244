"""Which requests a device answers: all that pages send, and the others in one sentence."""

from __future__ import annotations

import pytest
from device_pair import open_device

from quinconce.device.routes import ROUTES, needs_server
from quinconce.server.routes.table import ROUTE_TABLE
from quinconce.words import LANGUAGES

anyio = pytest.mark.anyio
# What only a server has: its own health, its files, its schema, frames in other sites, the pages
# to keep.
SERVER_ONLY = (
    "GET /api/health",
    "GET /api/ready",
    "GET /metrics",
    "GET /api/schema",
    "GET /static/",
    "GET /favicon.ico",
    "GET /embed/",
    "GET /site/",
    "GET /{path}",
)


def test_a_device_knows_every_address_of_a_server() -> None:
    missing = {route for route in ROUTE_TABLE if not route.startswith(SERVER_ONLY)} - set(ROUTES)
    assert not missing
    assert set(ROUTES) <= set(ROUTE_TABLE)


@anyio
@pytest.mark.parametrize("lang", LANGUAGES)
async def test_what_needs_others_is_refused_in_one_sentence(lang: str) -> None:
    async with open_device() as device:
        for route, handler in ROUTES.items():
            if handler is needs_server:
                method, path = route.split()
                path = path.replace("{match}", "abcdefghijkl").replace("{seat}", "0")
                status, answer = await device.ask(method, f"{path}?lang={lang}", {})
                assert (status, answer["code"]) == (403, "server")
                assert "server" in answer["error"] or "serveur" in answer["error"]


@anyio
@pytest.mark.parametrize("more", [{"seats": [{"kind": "me"}, {"kind": "friend"}]}, {"tag": "club"}])
async def test_a_match_with_friends_or_of_a_club_needs_a_server(more: dict[str, object]) -> None:
    async with open_device() as device:
        seats = [{"kind": "me"}, {"kind": "here"}]
        body = {"game": "diam", "seats": seats, **more}
        status, answer = await device.ask("POST", "/api/matches", body)
        assert (status, answer["code"]) == (403, "server")
        assert (await device.ok("GET", "/api/me"))["matches"] == []


@anyio
async def test_a_defect_is_told_in_the_shape_of_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    async def break_down(*_arguments: object) -> object:
        raise RuntimeError("a defect")

    async with open_device() as device:
        monkeypatch.setattr(device.device.services.store, "matches_for_keys", break_down)
        status, answer = await device.ask("GET", "/api/me")
        assert (status, answer["code"]) == (500, "broken")
        status, page = await device.ask("GET", "/", accept="text/html")
        assert status == 500
        assert page.startswith("<!doctype html>")


@anyio
async def test_a_request_that_is_none_is_refused() -> None:
    async with open_device() as device:
        for method, path in (("GET", "//[nonsense"), ("", ""), ("GET", "/api/games/%00")):
            status, answer = await device.ask(method, path)
            assert status in (400, 404, 405), answer
        status, _answer = await device.ask("POST", "/api/explore", b" " * 300_000)
        assert status == 413
