"""Seats and their secrets: claimed by a link, kept by a cookie, rotated, and told to nobody."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app_client import TEST_HOST, TWO_FRIENDS, ApiUser, AppClient, FakeClock, MatchDriver, open_app
from corpus import FORMS, form_id
from sqlalchemy import select

import quinconce
from quinconce.server.matches.setup import (
    SeatSetup,
    Setup,
    fair_rotations,
    finalize_setup,
    seat_rotation,
)
from quinconce.server.security.secrets import (
    SeatKey,
    csrf_token,
    hash_secret,
    new_secret,
    seat_key,
    seats_for_secret,
)
from quinconce.server.storage.schema import METADATA

anyio = pytest.mark.anyio


def test_a_secret_has_128_bits_and_is_compared_with_every_key() -> None:
    secret = new_secret()
    assert len(secret) == 22
    keys = [
        SeatKey("m", 0, hash_secret(secret), "link"),
        SeatKey("m", 1, hash_secret(new_secret()), "link"),
    ]
    keys.append(SeatKey("m", 3, hash_secret(secret), "browser"))
    assert seats_for_secret(keys, secret) == {0, 3}
    assert seats_for_secret(keys, new_secret()) == set()
    assert seats_for_secret(keys, hash_secret(secret)) == set()
    assert csrf_token(secret) != csrf_token(new_secret())


@pytest.mark.parametrize("game", FORMS, ids=form_id)
def test_the_lot_leaves_partners_partners(game: quinconce.Game[Any]) -> None:
    sides = {frozenset(side) for side in game.sides}
    ways = fair_rotations(game)
    assert list(range(game.seats)) in ways
    for way in ways:
        assert sorted(way) == list(range(game.seats))
        assert {frozenset(way[seat] for seat in side) for side in game.sides} == sides
    assert sorted(seat_rotation(game, 1)) == list(range(game.seats))
    if game.seats == 2:
        assert sorted(ways) == [[0, 1], [1, 0]]


def test_who_starts_is_drawn_by_lot_unless_chosen() -> None:
    chairs = [SeatSetup("me", "Ada"), SeatSetup("friend", "Zoë")]
    setup = Setup("buts", chairs)
    drawn = {finalize_setup(setup, random.Random(n)).seats[0].name for n in range(20)}
    assert drawn == {"Ada", "Zoë"}
    given = Setup("buts", chairs, order="given")
    assert {finalize_setup(given, random.Random(n)).seats[0].name for n in range(20)} == {"Ada"}


@pytest.mark.parametrize(
    ("seats", "why"),
    [
        ([SeatSetup("me")], "2 seats to fill, not 1"),
        ([SeatSetup("me"), SeatSetup("me")], "one seat"),
        ([SeatSetup("me", level=3), SeatSetup("friend")], "an engine has a level"),
        ([SeatSetup("engine"), SeatSetup("friend")], "an engine has a level"),
        ([SeatSetup("engine", level=1), SeatSetup("engine", level=2)], "one person has to play"),
    ],
)
def test_seats_that_nobody_can_take_are_refused(seats: list[SeatSetup], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        finalize_setup(Setup("buts", seats), random.Random(0))


@anyio
async def test_a_link_is_claimed_for_a_cookie_and_resumed_elsewhere(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        friend, phone = ApiUser(app.client), ApiUser(app.client)
        body = {"secret": match.people[1].token, "name": "Zoë"}
        claimed = await friend.post(f"{match.path}/claims", body)
        assert claimed.json() == {"seat": 1, "csrf": friend.csrf}
        cookie = claimed.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert match.people[1].token not in cookie
        view = (await friend.get(match.path)).json()
        assert (view["mine"], view["seats"][1]["claimed"], view["seats"][1]["name"]) == (
            [1],
            True,
            "Zoë",
        )
        assert not view["seats"][0]["claimed"]
        await match.play("r@1")
        played = await friend.post(f"{match.path}/moves", {"seq": 2, "move": "m@1"})
        assert played.status_code == 200, played.text
        # The same link works on another device, and claims nothing anew.
        assert (await phone.post(f"{match.path}/claims", body)).status_code == 200
        assert (await phone.get(match.path)).json()["seq"] == 3
        wrong = await phone.post(f"{match.path}/claims", {"secret": new_secret()})
        assert (wrong.status_code, wrong.json()["code"]) == (403, "secret")
        mine = (await friend.get("/api/me")).json()
        assert [(own["id"], own["seats"], own["moves"]) for own in mine["matches"]] == [
            (match.id, [1], 2)
        ]
        assert (await ApiUser(app.client).get("/api/me")).json() == {"csrf": None, "matches": []}


@anyio
async def test_on_https_no_neighbouring_subdomain_can_set_the_cookie(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        https, mine = f"https://{TEST_HOST}", f"https://{TEST_HOST}{match.path}"
        browser = ApiUser(app.client)
        claims = f"{match.path}/claims"
        await browser.post(claims, {"secret": match.people[0].token})
        old = browser.cookies["quinconce"]
        # The cookie of before opens what it opened, and new seats belong to the new one.
        assert (await browser.get(mine)).json()["mine"] == [0]
        claimed = await browser.post(f"{https}{claims}", {"secret": match.people[1].token})
        assert claimed.status_code == 200, claimed.text
        cookie = claimed.headers["set-cookie"]
        assert cookie.startswith("__Host-quinconce=")
        assert {"Secure", "HttpOnly", "Path=/"} <= set(cookie.split("; "))
        assert "omain" not in cookie
        assert browser.cookies["__Host-quinconce"] != old == browser.cookies["quinconce"]
        assert (await browser.get(mine)).json()["mine"] == [0, 1]
        own = (await browser.get(f"{https}/api/me")).json()
        assert [(held["id"], held["seats"]) for held in own["matches"]] == [(match.id, [0, 1])]
        # What a neighbour sets is no longer what a page has to know.
        browser.cookies["quinconce"] = new_secret()
        browser.csrf = csrf_token(browser.cookies["quinconce"])
        forged = await browser.post(f"{mine}/resignations", {"seq": 2})
        assert (forged.status_code, forged.json()["code"]) == (403, "csrf")
        browser.csrf = csrf_token(browser.cookies["__Host-quinconce"])
        assert (await browser.post(f"{mine}/resignations", {"seq": 2})).status_code == 200
        assert (await browser.get(mine)).json()["mine"] == [1]


@anyio
async def test_rotating_leaves_the_seat_to_this_browser_alone(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        here, there = ApiUser(app.client), ApiUser(app.client)
        for browser in (here, there):
            await browser.post(f"{match.path}/claims", {"secret": match.people[1].token})
        elsewhere = await here.post(f"{match.path}/seats/1/links", {})
        assert elsewhere.status_code == 200, elsewhere.text
        further = ApiUser(app.client, elsewhere.json()["link"].split("#")[1])
        assert (await further.get(match.path)).json()["mine"] == [1]
        assert (await there.get(match.path)).json()["mine"] == [1]
        rotated = await here.post(f"{match.path}/seats/1/links", {"rotate": True})
        fresh = ApiUser(app.client, rotated.json()["link"].split("#")[1])
        assert (await fresh.get(match.path)).json()["mine"] == [1]
        assert (await here.get(match.path)).json()["mine"] == [1]
        assert (await there.get(match.path)).json()["mine"] == []
        for old in (further, match.people[1]):
            assert (await old.get(match.path)).status_code == 401
        # Nobody makes links to the seat of another; who made the match, while nobody has come.
        assert (await there.post(f"{match.path}/seats/1/links", {})).status_code == 403
        assert (await here.post(f"{match.path}/seats/0/links", {})).status_code == 403
        assert (await app.visitor.post(f"{match.path}/seats/1/links", {})).status_code == 403
        assert (await app.visitor.post(f"{match.path}/seats/0/links", {})).status_code == 200
        assert (await app.visitor.post(f"{match.path}/seats/7/links", {})).status_code == 404


@anyio
async def test_a_seat_has_a_few_links_and_the_oldest_goes(tmp_path: Path) -> None:
    async with open_app(tmp_path, limits={"links_per_seat": 2}) as app:
        match = await app.create_match()
        for _link in range(2):
            made = await match.people[0].post(f"{match.path}/seats/0/links", {})
            last = ApiUser(app.client, made.json()["link"].split("#")[1])
            match.people[0], first = last, match.people[0]
        assert (await last.get(match.path)).status_code == 200
        keys = app.call_in_app(app.services.live_matches.glance, match.id).keys
        assert [key.seat for key in keys if key.use == "link"].count(0) == 2
        assert first.token != last.token


@anyio
async def test_wrong_links_of_one_person_keep_nobody_else_out(tmp_path: Path) -> None:
    """A classroom is one address: all of these people have the same."""
    limits = {"wrong_secrets_per_hour": 2}
    async with open_app(tmp_path, limits=limits, now=FakeClock()) as app:
        match, other = await app.create_match(), await app.create_match()
        wrong = {"secret": new_secret()}
        codes = [
            (await ApiUser(app.client).post(f"{match.path}/claims", wrong)).json()["code"]
            for _try in range(4)
        ]
        assert codes == ["secret", "secret", "secrets", "secrets"]
        assert (await match.people[0].get(match.path)).json()["mine"] == [0]
        neighbour = ApiUser(app.client)
        right = {"secret": match.people[1].token}
        assert (await neighbour.post(f"{match.path}/claims", right)).status_code == 200
        # Who has a wrong link to another match is told so.
        told = await ApiUser(app.client).post(f"{other.path}/claims", wrong)
        assert (told.status_code, told.json()["code"]) == (403, "secret")


def seat_keys(app: AppClient, match: str, seat: int) -> list[SeatKey]:
    keys = app.call_in_app(app.services.live_matches.glance, match).keys
    return [key for key in keys if key.seat == seat]


@anyio
async def test_a_seat_claimed_again_and_again_has_a_bounded_number_of_keys(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_app(tmp_path, now=clock, limits={"browsers_per_seat": 4}) as app:
        match = await app.create_match()
        body = {"secret": match.people[1].token}
        browsers = [ApiUser(app.client) for _browser in range(9)]
        for browser in browsers:
            clock.now += 1
            assert (await browser.post(f"{match.path}/claims", body)).status_code == 200
        keys = seat_keys(app, match.id, 1)
        assert [key.use for key in keys] == ["link"] + 4 * ["browser"]
        # The first that came and the latest have the seat, and so has the link.
        mine = [(await browser.get(match.path)).json()["mine"] for browser in browsers]
        assert mine == [[1], [1], [], [], [], [], [], [1], [1]]
        assert (await match.people[1].get(match.path)).json()["mine"] == [1]
        # A browser that claims again gets what it has.
        clock.now += 1
        assert (await browsers[0].post(f"{match.path}/claims", body)).json()["seat"] == 1
        assert seat_keys(app, match.id, 1) == keys


def stored_bytes(app: AppClient, folder: Path) -> Iterator[bytes]:
    """Everything in the files of SQLite, or else in the tables."""
    yield from (path.read_bytes() for path in folder.glob("matches.sqlite*"))
    for table in METADATA.sorted_tables:
        rows = app.call_in_app(app.services.store.fetch_all, select(table))
        yield repr([tuple(row) for row in rows]).encode()


@anyio
async def test_no_secret_is_in_the_database_or_in_a_view(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        seats = [{"kind": "me"}, TWO_FRIENDS[0]]
        match = await app.create_match(seats=seats, tag="class")
        secrets = [match.people[1].token, app.visitor.cookies["quinconce"], match.created["key"]]
        secrets.append(match.created["tag_key"])
        assert all(secrets)
        await match.play("r@1 m@1")
        for path in ("", "/record", "/record.json", "/plies/0"):
            for visitor in (app.visitor, match.people[1], match.watcher):
                text = (await visitor.get(match.path + path)).text
                assert not [secret for secret in secrets if secret and secret in text]
        stored = b"".join(stored_bytes(app, tmp_path))
    assert match.id.encode() in stored
    for secret in secrets:
        assert secret is not None
        assert secret.encode() not in stored
        assert hash_secret(secret).encode() in stored


@pytest.mark.sqlite
@anyio
async def test_the_file_is_kept_from_others_and_written_ahead(tmp_path: Path) -> None:
    file = tmp_path / "own.sqlite"  # which the server makes
    async with open_app(tmp_path, database=f"sqlite:///{file}") as app:
        await app.create_match()
    with sqlite3.connect(file) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()
    assert file.stat().st_mode & 0o077 == 0


@anyio
async def test_a_match_is_deleted_by_who_made_it(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        await match.play("r@1")
        assert (await match.people[0].request("DELETE", match.path)).status_code == 403
        assert (await match.watcher.request("DELETE", match.path)).status_code == 403
        assert (await app.visitor.request("DELETE", match.path)).status_code == 204
        assert (await match.watcher.get(match.path)).status_code == 404
        other = await app.create_match()
        maker = ApiUser(app.client, other.created["key"])
        assert (await maker.request("DELETE", other.path)).status_code == 204
        assert app.call_in_app(app.services.store.events, match.id, 0) == []


async def table_secret(app: AppClient, match: MatchDriver, **wish: bool) -> str:
    """The secret of a new link to a table, of which who made the match is told."""
    made = await app.visitor.post(f"{match.path}/table/links", wish)
    link: str = made.json()["link"]
    assert link.startswith(f"{match.created['watch']}#table=")
    return link.partition("=")[2]


@anyio
async def test_friends_pick_free_seats_with_one_link_for_the_table(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        seats = [{"kind": "me"}, *[{"kind": "friend"}] * 2]
        match = await app.create_match(seats=seats, options={"players": 3})
        body = {"secret": await table_secret(app, match)}
        table = f"{match.path}/table"
        one, other, late = (ApiUser(app.client) for _ in range(3))
        came = await one.post(table, body)
        assert came.json() == {"seats": [], "csrf": one.csrf}
        choice = body | {"seat": 2, "name": " Zoë "}
        for _again in range(2):  # the answer may have been lost
            assert (await one.post(table, choice)).json()["seats"] == [2]
        assert [(s["claimed"], s["name"]) for s in (await match.view())["seats"]] == [
            (True, ""),
            (False, ""),
            (True, "Zoë"),
        ]
        taken = await other.post(table, choice)
        assert (taken.status_code, taken.json()["code"]) == (409, "taken")
        assert (await other.get(match.path)).json()["mine"] == []
        assert (await other.post(table, body | {"seat": 0})).status_code == 409
        assert (await other.post(table, body | {"seat": 7})).status_code == 404
        assert (await other.post(table, body | {"seat": 1})).json()["seats"] == [1]
        assert (await late.post(table, body | {"seat": 1})).status_code == 409
        # Who sits already keeps the seat; the link itself opens none, and is no token.
        assert (await app.visitor.post(table, body | {"seat": 1})).json()["seats"] == [0]
        wrong = await late.post(f"{match.path}/claims", body)
        assert (wrong.status_code, wrong.json()["code"]) == (403, "secret")
        program = ApiUser(app.client, body["secret"])
        assert (await program.get(match.path)).status_code == 401
        wrong = await late.post(table, {"secret": match.people[1].token or ""})
        assert (wrong.status_code, wrong.json()["code"]) == (403, "secret")


@anyio
async def test_who_made_the_match_makes_links_to_the_table(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        old = await table_secret(app, match)
        links, table = f"{match.path}/table/links", f"{match.path}/table"
        assert (await match.people[0].post(links, {})).status_code == 403
        new = await table_secret(app, match, rotate=True)
        assert (await ApiUser(app.client).post(table, {"secret": old})).status_code == 403
        assert (await ApiUser(app.client).post(table, {"secret": new})).status_code == 200


@anyio
async def test_a_seat_whose_claim_was_cut_short_is_claimed_again(tmp_path: Path) -> None:
    """The key of the browser was stored, and the event was not."""
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        body = {"secret": await table_secret(app, match)}
        one, other = ApiUser(app.client), ApiUser(app.client)
        for browser in (one, other):
            await browser.post(f"{match.path}/table", body)
        key = seat_key(match.id, 1, one.cookies["quinconce"], "browser")
        app.call_in_app(app.services.store.change_keys, [key], 0.0)
        assert (await other.post(f"{match.path}/table", body | {"seat": 1})).json()["seats"] == [1]
        assert (await one.get(match.path)).json()["mine"] == []  # one of them has it
        key = seat_key(match.id, 0, one.cookies["quinconce"], "browser")
        app.call_in_app(app.services.store.change_keys, [key], 0.0)
        again = await one.post(f"{match.path}/table", body | {"seat": 0, "name": "Ada"})
        assert again.json()["seats"] == [0]
        assert (await match.view())["seats"][0]["name"] == "Ada"
