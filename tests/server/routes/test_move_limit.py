"""A position with more moves than can be listed: refused where it is handed in, else narrowed."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from app_client import TWO_FRIENDS, ApiUser, Body, MatchDriver, open_app
from many_moves import BEFORE_MANY, LEADS_TO_MANY, MANY, OPTIONS
from sqlalchemy import text

import quinconce
from quinconce.core.move_limit import MOVE_LIMIT, sample_moves
from quinconce.core.record import Record
from quinconce.server.matches.engine_jobs import EngineQuestion, replay_cached

anyio = pytest.mark.anyio
RULES = quinconce.game("seega", **OPTIONS)
LINE = {"game": "seega", "options": OPTIONS, "position": BEFORE_MANY, "moves": [LEADS_TO_MANY]}


def some_move(question: EngineQuestion) -> str:
    """A move of some, where there are too many."""
    match = replay_cached(question.match)
    return min(sample_moves(match.game, match.position))


@anyio
async def test_a_position_that_is_handed_in_is_refused_with_a_sentence(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        position = {"game": "seega", "options": OPTIONS, "position": MANY}
        record = {"record": Record(RULES, start=RULES.read(MANY)).text()}
        match = {**position, "seats": TWO_FRIENDS}
        for path, body in (
            ("/api/explore", position),
            ("/api/explore", record),
            ("/api/truths", position),
            ("/api/truths", record),
            ("/api/matches", match),
            ("/api/tags/club/matches", {"setup": match, "count": 3}),
            ("/api/tags/club/matches.csv", {"setup": match, "count": 3}),
        ):
            answer = await app.visitor.post(path, body)
            assert (answer.status_code, answer.json()["code"]) == (422, "refused"), path
            assert f"{MOVE_LIMIT + 1:,} were counted" in answer.json()["error"]
        page = await ApiUser(app.client).request(
            "GET", f"/game/seega?size=9&position={MANY.replace(' ', '+').replace('=', '%3D')}"
        )
        assert page.status_code == 422


async def narrow(visitor: ApiUser, touched: list[str]) -> Body:
    """What the server says of the moves that begin with these places."""
    answer = await visitor.post("/api/explore", {**LINE, "touched": touched})
    assert answer.status_code == 200, answer.text
    scene: Body = answer.json()["scene"]
    return scene


@anyio
async def test_an_explored_match_that_comes_there_is_narrowed_touch_by_touch(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as app:
        scene = (await app.visitor.post("/api/explore", LINE)).json()["scene"]
        assert scene["legal"] is None
        narrowed = scene["narrowed"]
        assert (narrowed["touched"], narrowed["move"]) == ([], None)
        while scene["legal"] is None:
            scene = await narrow(app.visitor, [*narrowed["touched"], narrowed["places"][0]])
            narrowed = scene["narrowed"]
        assert 0 < len(scene["legal"]) <= MOVE_LIMIT
        move = scene["legal"][0]["move"]
        steps = [place for step in scene["legal"][0]["touches"] for place in step]
        assert steps[: len(narrowed["touched"])] == narrowed["touched"]
        last = await narrow(app.visitor, steps)
        assert last["narrowed"] == {"touched": steps, "places": [], "move": move}
        assert [each["move"] for each in last["legal"]] == [move]
        assert (await narrow(app.visitor, ["e5", "nowhere"]))["legal"] == []


@anyio
async def test_where_moves_can_be_listed_nothing_is_narrowed(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        scene = (await app.visitor.post("/api/explore", {**LINE, "moves": []})).json()["scene"]
        assert (len(scene["legal"]), scene["narrowed"]) == (11, None)


def first_reply() -> str:
    """The first of the moves that White has there."""
    after = RULES.after(RULES.read(BEFORE_MANY), LEADS_TO_MANY)
    return next(text for text, _after in islice(RULES.moves(after), 1))


async def view_of_many(match: MatchDriver) -> Body:
    """The view of White after the move that gives them more moves than can be listed."""
    await match.send_ok(1, "moves", move=LEADS_TO_MANY)
    return await match.view(0)


@anyio
@pytest.mark.slow
async def test_a_match_that_comes_there_goes_on(tmp_path: Path) -> None:
    setup = {"options": OPTIONS, "position": BEFORE_MANY, "clock": {"minutes": 5}}
    async with open_app(tmp_path) as app:
        match = await app.create_match("seega", **setup)
        view = await view_of_many(match)
        assert view["scene"]["legal"] is None
        assert view["scene"]["narrowed"]["places"]
        assert (await match.view(1))["scene"]["narrowed"] is None  # it is not their turn
        refused = await match.send(0, "moves", move="a1-b1")
        assert (refused.status_code, refused.json()["code"]) == (422, "move")
        view = (await match.send_ok(0, "moves", move=first_reply().upper()))["view"]
        assert view["moves"] == [LEADS_TO_MANY, first_reply()]
        await match.send_ok(0, "agreements", matter="takeback")
        view = (await match.send_ok(1, "agreements", matter="takeback"))["view"]
        assert view["moves"] == [LEADS_TO_MANY]
        assert (await match.watcher.get(f"/match/{match.id}")).status_code == 200
        assert (await match.people[0].get(f"{match.path}/plies/1")).status_code == 200
        record = await match.watcher.get(f"{match.path}/record")
        assert LEADS_TO_MANY in record.text
    async with open_app(tmp_path) as app:  # replayed from the store
        again = MatchDriver(app.client, match.created, [who.token for who in match.people])
        assert (await again.view(0))["scene"]["narrowed"]["places"]
        await again.send_ok(0, "moves", move=first_reply())


@anyio
async def test_a_match_that_was_started_there_before_can_still_be_played(tmp_path: Path) -> None:
    """A database may hold one from the time before the limit."""
    async with open_app(tmp_path) as app:
        match = await app.create_match("seega", options=OPTIONS, position=BEFORE_MANY)
        live = app.services.live_matches.loaded[match.id]
        change = text("UPDATE matches SET setup = replace(setup, 'turn=1', 'turn=0')")
        app.call_in_app(app.services.store.write, lambda connection: connection.execute(change))
        app.services.live_matches.evict(live.id)
        assert (await match.view(0))["scene"]["narrowed"]["places"]
        move = next(move for move, _after in RULES.moves(RULES.read(MANY)))
        await match.send_ok(0, "moves", move=move)


@anyio
async def test_an_engine_that_comes_there_is_asked(tmp_path: Path) -> None:
    seats = [{"kind": "engine", "level": 1}, {"kind": "friend"}]
    async with open_app(tmp_path, chooser=some_move) as app:
        match = await app.create_match("seega", options=OPTIONS, position=BEFORE_MANY, seats=seats)
        await match.send_ok(1, "moves", move=LEADS_TO_MANY)
        view = await match.view_after(2, seat=1)
        assert view["moves"][0] == LEADS_TO_MANY
