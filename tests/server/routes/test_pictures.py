"""Pictures by address: positions for everybody, matches move by move."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from app_client import FakeClock, open_app
from PIL import Image, ImageChops

from quinconce import Match, game, names, picture_of
from quinconce.server.views import pictures

pytestmark = pytest.mark.anyio
MOVES = "r@1 m@1 o@3"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOVING_WIDTH", 80)


def address(file: str, **query: str) -> str:
    return f"/picture/{file}?{urlencode(query)}"


def image(answer: Any) -> Any:
    assert answer.status_code == 200, answer.text
    return Image.open(io.BytesIO(answer.content))


async def test_a_position_is_svg_or_png_as_its_address_says(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        svg = await app.visitor.get(address("diam.svg", moves=MOVES))
        assert svg.headers["content-type"] == "image/svg+xml"
        assert svg.text.startswith("<svg ")
        assert "Diam after o@3" in svg.text
        assert "light-dark(" in svg.text  # its reader chooses
        french = await app.visitor.get(address("diam.svg", moves=MOVES, lang="fr"))
        assert "Diam après o@3" in french.text
        asked = await app.visitor.get(address("diam.svg", moves=MOVES), accept_language="fr")
        assert asked.text == svg.text  # the address alone decides
        plain = await app.visitor.get(address("diam.png", moves=MOVES, width="120"))
        assert plain.headers["content-type"] == "image/png"
        assert "content-encoding" not in plain.headers
        assert image(plain).size[0] == 120
        for change in ({"theme": "dark"}, {"turned": "1"}, {"moves": "r@1 m@1"}):
            query = {"moves": MOVES, "width": "120", **change}
            other = image(await app.visitor.get(address("diam.png", **query)))
            assert ImageChops.difference(
                image(plain).convert("RGB"), other.convert("RGB").resize(image(plain).size)
            ).getbbox()


async def test_options_and_positions_come_as_everywhere(tmp_path: Path) -> None:
    match = Match(game("seega", size=7))
    match.play("@a1+a2")
    position = match.game.write(match.position)
    async with open_app(tmp_path) as app:
        answer = await app.visitor.get(address("diam.svg", edition="1997", players="4"))
        assert answer.text.count('class="place reserve') == 4
        small, large = [await app.visitor.get(address("seega.svg", size=n)) for n in ("5", "7")]
        assert small.text.count('class="place"') < large.text.count('class="place"') == 49
        query = {"size": "7", "position": position, "moves": "@b1+b2", "of": "no matter"}
        given = await app.visitor.get(address("seega.svg", **query))
        match.play("@b1+b2")
        assert given.text == picture_of(match, still=True, touchable=False).svg


def test_no_option_of_a_game_is_called_like_a_wish_for_a_picture() -> None:
    for name in names():
        assert not {*game(name).options} & {"width", "theme", "turned", "lang", "position", "moves"}


async def test_other_sites_may_show_these_pictures_and_nothing_else(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        foreign = {"sec_fetch_site": "cross-site", "origin": "https://elsewhere.example"}
        for path in (address("buts.svg"), address("buts.png", width="64")):
            answer = await app.visitor.get(path, **foreign)
            assert answer.status_code == 200
            assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
            assert answer.headers["access-control-allow-origin"] == "*"
            assert "style-src 'unsafe-inline'" in answer.headers["content-security-policy"]
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert "set-cookie" not in answer.headers
        for path in (
            "/",
            "/api/games",
            match.path,
            f"{match.path}/moving.gif",
            f"/match/{match.id}",
            address("none.png"),
            address("buts.png", width="1"),
        ):
            answer = await app.visitor.get(path)
            assert answer.headers["cross-origin-resource-policy"] == "same-origin", path
            assert "access-control-allow-origin" not in answer.headers
            assert "unsafe-inline" not in answer.headers["content-security-policy"]


async def test_who_has_a_picture_is_not_sent_it_again(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match("diadema")
        moving = f"{match.path}/moving.webp"
        for path in (address("buts.svg"), address("buts.png", width="64"), moving):
            first = await app.visitor.get(path)
            again = await app.visitor.get(path, if_none_match=first.headers["etag"])
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == first.headers["etag"]
        assert (await app.visitor.get(address("buts.svg"))).headers["cache-control"] == (
            "public, max-age=86400"
        )


REFUSED = [
    ("/picture/chess.png", 404, "no game"),
    ("/picture/diam.gif", 404, ".svg or .png"),
    ("/picture/diam", 404, ".svg or .png"),
    (address("diam.png", width="63"), 422, "64 to 1200"),
    (address("diam.png", width="1201"), 422, "64 to 1200"),
    (address("diam.png", width="wide"), 422, "64 to 1200"),
    (address("diam.svg", theme="pink"), 422, "no theme"),
    (address("diam.svg", moves="r@9"), 422, ""),
    (address("diam.svg", moves="r@1 r@1"), 422, ""),
    (address("diam.svg", moves="r@1 " * 2001), 413, "too long"),
    (address("diam.svg", position="x" * 401), 413, "too long"),
    (address("diam.svg", position="nonsense"), 422, ""),
    (address("diam.svg", players="17"), 422, "players"),
    ("/api/matches/aaaaaaaaaaaa/moving.gif", 404, "no such match"),
    ("/api/matches/a/moving.webp", 400, ""),
]


async def test_nonsense_is_refused_with_a_sentence(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        for path, status, why in REFUSED:
            answer = await app.visitor.get(path)
            assert answer.status_code == status, (path, answer.text)
            assert why in answer.json()["error"], path
            assert answer.headers["cache-control"] == "no-store", path


async def test_what_is_kept_is_not_counted(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_app(tmp_path, now=clock, limits={"pictures_per_minute": 3}) as app:
        for _time in range(5):
            assert (await app.visitor.get(address("buts.png", width="64"))).status_code == 200
        for width in (65, 66):
            assert (await app.visitor.get(address("buts.png", width=str(width)))).status_code == 200
        refused = await app.visitor.get(address("buts.png", width="67"))
        assert (refused.status_code, refused.json()["code"]) == (429, "rate")
        assert (await app.visitor.get(address("buts.png", width="64"))).status_code == 200
        assert (await app.visitor.get(address("buts.svg"))).status_code == 200
        clock.now += float(refused.headers["retry-after"])
        assert (await app.visitor.get(address("buts.png", width="67"))).status_code == 200


async def test_a_match_is_a_moving_picture_for_whoever_may_watch(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        await match.play("r@1 m@1")
        first = await match.watcher.get(f"{match.path}/moving.gif")
        assert (image(first).format, image(first).n_frames) == ("GIF", 3)
        await match.play("o@3")
        later = await match.watcher.get(
            f"{match.path}/moving.gif", if_none_match=first.headers["etag"]
        )
        assert image(later).n_frames == 4
        assert later.headers["cache-control"] == "no-cache"
        seen = {later.content}
        for query in ("turned=1", "theme=dark"):
            seen.add((await match.watcher.get(f"{match.path}/moving.gif?{query}")).content)
        assert len(seen) == 3
        webp = await match.watcher.get(f"{match.path}/moving.webp?theme=dark&turned=1")
        assert (image(webp).format, image(webp).n_frames) == ("WEBP", 4)
        wrong = await match.watcher.get(f"{match.path}/moving.webp?theme=pink")
        assert wrong.status_code == 400
