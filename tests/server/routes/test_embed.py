"""Pages for other sites: their policy, what they tell, and that everything else has another."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from app_client import AppClient, open_app

from quinconce.puzzles.puzzle import all_puzzles
from quinconce.server.routes.table import ROUTE_TABLE
from quinconce.server.security.middleware import EMBED_PATH

pytestmark = pytest.mark.anyio
LOOKS = "text/html"


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[AppClient]:
    async with open_app(tmp_path) as client:
        yield client


async def make_study(app: AppClient) -> dict[str, Any]:
    boards = [{"game": "diam"}, {"game": "buts", "title": "Jumps"}]
    answer = await app.visitor.post("/api/studies", {"title": "</script>", "boards": boards})
    study: dict[str, Any] = answer.json()
    return study


async def embed_paths(app: AppClient) -> list[str]:
    """One page of each kind."""
    match = await app.create_match()
    return [
        f"/embed/match/{match.id}",
        f"/embed/study/{(await make_study(app))['id']}?board=2",
        f"/embed/puzzle/{all_puzzles('diam')[0].id}",
        "/embed/board?game=diam&moves=r@1+m@1",
    ]


def told(answer: Any) -> Any:
    """What a page tells its modules."""
    found = re.search(r'<script type="application/json" id="embed">(.*?)</script>', answer.text)
    assert found
    return json.loads(found[1])


def policy(answer: Any) -> dict[str, str]:
    parts = answer.headers["content-security-policy"].split("; ")
    return dict(part.split(" ", 1) for part in parts)


async def test_other_sites_may_frame_these_pages_and_they_send_no_form(app: AppClient) -> None:
    for path in await embed_paths(app):
        answer = await app.visitor.get(path, accept=LOOKS)
        assert answer.status_code == 200, answer.text
        assert "x-frame-options" not in answer.headers
        assert policy(answer)["frame-ancestors"] == "*"
        assert policy(answer)["form-action"] == "'none'"
        assert policy(answer)["script-src"] == "'self'"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert "<form" not in answer.text


async def test_no_cookie_is_set_or_read(app: AppClient) -> None:
    match = await app.create_match(seats=[{"kind": "me"}, {"kind": "friend"}])
    app.visitor.cookies |= {"lang": "fr", "theme": "dark"}
    assert app.visitor.cookies.keys() >= {"quinconce", "lang"}
    for path in [f"/embed/match/{match.id}", *await embed_paths(app)]:
        looks = "&" if "?" in path else "?"
        answer = await app.visitor.get(f"{path}{looks}theme=light", accept=LOOKS)
        assert "set-cookie" not in answer.headers
        assert '<html lang="en" data-embedded data-theme="light">' in answer.text
        assert 'name="csrf"' not in answer.text
        french = await app.visitor.get(f"{path}{looks}lang=fr", accept=LOOKS)
        assert "set-cookie" not in french.headers
        assert "Ouvrir dans Quinconce" in french.text


async def test_a_player_sees_what_strangers_see(app: AppClient) -> None:
    match = await app.create_match(seats=[{"kind": "me"}, {"kind": "friend"}])
    path = f"/embed/match/{match.id}"
    for answer in (
        await app.visitor.get(path),
        await match.people[1].get(path),  # with the token of a seat
        await match.watcher.get(path),
    ):
        view = told(answer)["view"]
        assert (view["mine"], view["maker"], view["scene"]["legal"]) == ([], False, None)
        for seat in match.created["seats"]:
            assert not seat["link"] or seat["link"].split("#")[1] not in answer.text
        assert match.created["key"] not in answer.text


async def test_a_study_is_shown_without_its_secret_and_escaped(app: AppClient) -> None:
    study = await make_study(app)
    answer = await app.visitor.get(f"/embed/study/{study['id']}?board=99")
    assert study["secret"] not in answer.text
    assert "&lt;/script&gt;" in answer.text
    assert (told(answer)["shown"], len(told(answer)["boards"])) == (1, 2)


async def test_a_puzzle_does_not_tell_its_solution(app: AppClient) -> None:
    puzzle = all_puzzles("diam")[0]
    answer = await app.visitor.get(f"/embed/puzzle/{puzzle.id}")
    assert told(answer).keys() & {"line", "solution"} == set()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("match/abcdefghijkl", 404),
        ("study/abcdefghijkl", 404),
        ("puzzle/nonsense", 404),
        ("board?game=chess", 404),
        ("board", 404),
        ("board?game=diam&players=7", 422),
        ("board?game=diam&moves=" + "r@1+" * 12_600, 413),
        ("nonsense", 404),
    ],
)
async def test_what_is_not_there_is_told_in_a_page_that_fits_a_frame(
    app: AppClient, path: str, status: int
) -> None:
    answer = await app.visitor.get(f"/embed/{path}", accept=LOOKS)
    assert answer.status_code == status
    assert policy(answer)["frame-ancestors"] == "*"
    assert "set-cookie" not in answer.headers
    assert '<p class="fault">' in answer.text
    assert "<nav" not in answer.text


@pytest.mark.parametrize("query", ["ply=-1&board=x", "ply=99999999999999999999", "board=0"])
async def test_numbers_that_are_none_are_left_out(app: AppClient, query: str) -> None:
    study = await make_study(app)
    for path in (f"study/{study['id']}?{query}", f"board?game=diam&{query}"):
        answer = await app.visitor.get(f"/embed/{path}")
        assert answer.status_code == 200
        assert (told(answer)["shown"], told(answer)["ply"]) == (0, 0)


async def test_everything_else_refuses_to_be_framed(app: AppClient) -> None:
    paths = [
        route.removeprefix("GET ")
        for route in ROUTE_TABLE
        if route.startswith("GET ") and not route.endswith(("/events", "/metrics"))
    ]
    assert len(paths) > 40
    for path in paths:
        if path.startswith(EMBED_PATH):
            continue
        # What stands in braces is not there: errors refuse too.
        answer = await app.visitor.get(re.sub(r"{\w+}", "nonsense", path), accept=LOOKS)
        assert answer.headers["x-frame-options"] == "DENY", path
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], path


async def test_pictures_are_the_only_other_thing_for_other_sites(app: AppClient) -> None:
    for path in ("/embed-nothing", "/embed", "/static/x/match.js", "/EMBED/board?game=diam"):
        answer = await app.visitor.get(path, accept=LOOKS)
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


async def test_nothing_is_changed_there(app: AppClient) -> None:
    """No address below /embed/ answers anything but GET and HEAD."""
    assert {route.split()[0] for route in ROUTE_TABLE if f" {EMBED_PATH}" in route} == {"GET"}
    for path in await embed_paths(app):
        answer = await app.visitor.post(path)
        assert answer.status_code in (403, 405)
