"""Who is not let in, what every answer carries, and how much is too much."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_client import TEST_HOST, TWO_FRIENDS, ApiUser, FakeClock, open_app

from quinconce.server.security.middleware import SECURITY_HEADERS
from quinconce.server.security.rate_limits import RateLimit, rate_limit_key
from quinconce.server.security.secrets import link_reach

anyio = pytest.mark.anyio
MATCH = {"game": "diam", "seats": TWO_FRIENDS}


@anyio
async def test_an_unknown_host_is_refused_everywhere(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        for host in ("evil.example", "evil.example:80", "", "[", f"{TEST_HOST}.evil.example"):
            for method, path in (("GET", "/api/games"), ("POST", "/api/matches"), ("GET", "/")):
                answer = await app.visitor.request(method, path, MATCH, Host=host)
                assert answer.status_code == 421, (host, path)
                assert answer.json()["code"] == "host"
        assert (await app.visitor.get("/api/games", Host="LOCALHOST:8642")).status_code == 200


@anyio
async def test_what_a_page_of_others_sends_is_refused(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        stream = f"{match.path}/events"
        foreign = [
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": f"https://{TEST_HOST}"},
            {"Origin": f"http://{TEST_HOST}:1"},
            {"Sec_Fetch_Site": "cross-site"},
            {"Sec_Fetch_Site": "same-site"},
        ]
        for headers in foreign:
            for method, path in (("POST", "/api/matches"), ("GET", stream), ("DELETE", match.path)):
                answer = await match.watcher.request(method, path, MATCH, **headers)
                assert (answer.status_code, answer.json()["code"]) == (403, "origin"), headers
        own = {"Origin": f"http://{TEST_HOST}", "Sec_Fetch_Site": "same-origin"}
        assert (await app.visitor.post("/api/matches", MATCH, **own)).status_code == 201
        # Following a link from elsewhere is what links are for.
        assert (await app.visitor.get("/", Sec_Fetch_Site="cross-site")).status_code == 200


@anyio
async def test_a_cookie_alone_does_nothing(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match(seats=[{"kind": "me"}, TWO_FRIENDS[0]])
        forged = ApiUser(app.client)
        forged.cookies = dict(app.visitor.cookies)
        body = {"seq": 0, "move": "r@1"}
        for token in (None, "", "0" * 32):
            forged.csrf = token
            answer = await forged.post(f"{match.path}/moves", body)
            assert (answer.status_code, answer.json()["code"]) == (403, "csrf")
            assert (await forged.request("DELETE", match.path)).status_code == 403
        assert (await forged.get(match.path)).json()["mine"] == [0]
        forged.csrf = (await forged.get("/api/me")).json()["csrf"]
        assert (await forged.post(f"{match.path}/moves", body)).status_code == 200


@anyio
async def test_every_answer_carries_the_headers(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        for path in ("/", "/api/games", "/api/nothing", "/nothing", "/api/matches/x"):
            answer = await app.visitor.get(path)
            for name, value in SECURITY_HEADERS.items():
                assert answer.headers[name] == value, path
            assert "server" not in answer.headers
        policy = SECURITY_HEADERS["Content-Security-Policy"]
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
        assert (await app.visitor.get("/api/games")).headers["cache-control"] == "no-store"


@anyio
@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nothing", 404),
        ("GET", "/api/matches/short", 400),
        ("GET", "/api/matches/AAAAAAAAAAAA", 404),
        ("GET", "/api/matches/AAAAAAAAAAAA/events", 404),
        ("GET", "/../../etc/passwd", 404),
        ("GET", "/api/matches/..%2f..%2fsecret/record", 404),
        ("PUT", "/api/matches", 405),
        ("POST", "/api/matches", 400),
    ],
)
async def test_every_refusal_has_one_shape(
    tmp_path: Path, method: str, path: str, status: int
) -> None:
    async with open_app(tmp_path) as app:
        body = {"game": 1} if method == "POST" else None
        answer = await app.visitor.request(method, path, body)
        assert answer.status_code == status
        assert set(answer.json()) >= {"error", "code"}
        french = await app.visitor.request(method, path, body, Cookie="lang=fr")
        assert french.status_code == status
        assert french.json()["error"] != answer.json()["error"]


@anyio
async def test_our_own_fault_shows_nothing_of_the_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()

        def broken(_match: str) -> None:
            raise RuntimeError("the inside")

        monkeypatch.setattr(app.services.live_matches, "get", broken)
        answer = await match.people[0].post(f"{match.path}/moves", {"seq": 0, "move": "r@1"})
        assert answer.status_code == 500
        assert answer.json()["code"] == "broken"
        assert "inside" not in answer.text
        assert "Traceback" not in answer.text
        assert "the inside" in caplog.text
        assert str(match.people[0].token) not in caplog.text


@anyio
async def test_too_large_is_413(tmp_path: Path) -> None:
    async with open_app(
        tmp_path, limits={"body_bytes": 1000, "match_length": 2, "matches_per_request": 2}
    ) as app:
        answer = await app.visitor.post("/api/explore", {"record": "x" * 2000})
        assert (answer.status_code, answer.json()["code"]) == (413, "large")
        match = await app.create_match()
        await match.play("r@1 m@1")
        long = await match.send(0, "moves", move="r@2")
        assert (long.status_code, long.json()["code"]) == (413, "length")
        assert (await match.send(0, "resignations")).status_code == 200
        many = await app.visitor.post("/api/tags/t/matches", {"setup": MATCH, "count": 3})
        assert (many.status_code, many.json()["code"]) == (413, "matches")


@anyio
async def test_too_many_is_429_and_says_when(tmp_path: Path) -> None:
    ticker = FakeClock()
    limits = {
        "writes_per_minute": 5,
        "matches_per_hour": 2,
        "hints_per_match": 1,
        "streams_per_address": 0,
    }
    async with open_app(tmp_path, now=ticker, limits=limits) as app:
        for _match in range(2):
            match = await app.create_match(seats=[{"kind": "me"}, {"kind": "engine", "level": 1}])
        refused = await app.visitor.post("/api/matches", MATCH)
        assert (refused.status_code, refused.json()["code"]) == (429, "matches")
        assert int(refused.headers["retry-after"]) > 1000
        hints = [await app.visitor.post(f"{match.path}/hints") for _hint in range(2)]
        assert [hint.status_code for hint in hints] == [200, 429]
        refused = await app.visitor.post("/api/explore", {"game": "diam"})
        assert (refused.status_code, refused.json()["code"]) == (429, "rate")
        ticker.now += float(refused.headers["retry-after"])
        assert (await app.visitor.post("/api/explore", {"game": "diam"})).status_code == 200
        stream = await app.visitor.get(f"{match.path}/events")
        assert (stream.status_code, stream.json()["code"]) == (429, "streams")


def test_an_allowance_comes_back_evenly() -> None:
    ticker = FakeClock()
    allowance = RateLimit(6, 60.0, ticker)
    assert [allowance.take("a") for _n in range(7)] == [0, 0, 0, 0, 0, 0, 10]
    assert allowance.take("b", 6) == 0
    ticker.now += 10
    assert [allowance.take("a"), allowance.take("a")] == [0, 10]


def test_a_household_is_one_address() -> None:
    assert (
        rate_limit_key("2001:db8::1")
        == rate_limit_key("2001:db8::ffff:1")
        != rate_limit_key("2001:db9::1")
    )
    assert rate_limit_key("192.0.2.1") != rate_limit_key("192.0.2.2")
    assert rate_limit_key(None) == rate_limit_key("") == ""


@pytest.mark.parametrize(
    ("base", "far"),
    [
        ("http://localhost:8642", "machine"),
        ("http://[::1]:8642", "machine"),
        ("http://192.168.1.4:8642", "network"),
        ("http://desk.local:8642", "network"),
        ("https://games.example", "world"),
    ],
)
def test_how_far_a_link_works(base: str, far: str) -> None:
    assert link_reach(base) == far


@anyio
async def test_an_unstarted_match_expires(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker, expire_after=100.0) as app:
        started, unstarted = await app.create_match(), await app.create_match()
        await started.play("r@1")
        ticker.now += 101
        app.call_in_app(app.services.background.delete_unstarted)
        assert (await started.view())["moves"] == ["r@1"]
        gone = await unstarted.watcher.get(unstarted.path)
        assert (gone.status_code, gone.json()["code"]) == (404, "match")
