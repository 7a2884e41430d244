"""How a turn travels: numbers that are never used twice, honest retries, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_client import ApiUser, FakeClock, open_app

pytestmark = pytest.mark.anyio


async def test_a_move_is_played_and_everybody_sees_it(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        done = await match.send_ok(0, "moves", move="r@1")
        assert done["new"]
        assert done["event"] == {
            "seq": 1, "at": done["event"]["at"], "seat": 0, "kind": "move", "move": "r@1"
        }  # fmt: skip
        view = await match.view()
        assert view["seq"] == 1
        assert view["moves"] == ["r@1"]
        assert view["scene"]["turn"] == 1
        assert view["scene"]["position"].startswith("r...")


async def test_a_stale_number_is_refused_and_an_honest_retry_is_not(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        first = await match.send_ok(0, "moves", move="r@1", seq=0)
        again = await match.send_ok(0, "moves", move="R @1", seq=0)
        assert not again["new"]
        assert again["event"] == first["event"]
        await match.play("m@1")
        late = await match.send_ok(0, "moves", move="r@1", seq=0)  # the answer was lost for longer
        assert not late["new"]
        for seat, move in ((0, "r@2"), (1, "r@1")):
            refused = await match.send(seat, "moves", move=move, seq=0)
            assert refused.status_code == 409
            assert refused.json()["code"] == "stale"
            assert refused.json()["seq"] == 2
        assert (await match.send(0, "moves", move="r@2", seq=7)).status_code == 409
        assert (await match.view())["moves"] == ["r@1", "m@1"]


async def test_a_late_move_after_a_takeback_cannot_slip_in(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        await match.play("r@1 m@1")
        before = (await match.view())["seq"]
        await match.send_ok(1, "agreements", matter="takeback")
        await match.send_ok(0, "agreements", matter="takeback")
        view = await match.view()
        assert view["moves"] == ["r@1"]
        assert view["seq"] > before
        late = await match.send(0, "moves", move="r@2", seq=before)
        assert late.status_code == 409
        # Player 2 had sent m@1 when 1 was the last event; sent again it is the event of then.
        again = await match.send_ok(1, "moves", move="m@1", seq=1)
        assert not again["new"]
        assert (await match.view())["moves"] == ["r@1"]


async def test_the_rules_refuse_in_words_and_in_both_languages(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        refused = await match.send(0, "moves", move="m@1")
        assert refused.status_code == 422
        assert refused.json()["error"] == "the brown reserve is not yours"
        path = f"{match.path}/moves?lang=fr"
        refused = await match.people[0].post(path, {"seq": 0, "move": "m@1"})
        assert refused.json()["error"] == "la réserve (marron) n’est pas à vous"
        refused = await match.people[0].post(
            f"{match.path}/moves", {"seq": 0, "move": "@"}, Accept_Language="de, fr;q=0.8, en;q=0.5"
        )
        assert "n’est pas un coup" in refused.json()["error"]
        assert (await match.view())["seq"] == 0


async def test_nobody_moves_for_another_and_watchers_for_nobody(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        out_of_turn = await match.send(1, "moves", move="r@1")
        assert (out_of_turn.status_code, out_of_turn.json()["code"]) == (409, "turn")
        other_seat = await match.send(1, "moves", move="r@1", seat=0)
        assert other_seat.status_code == 403
        watching = await match.watcher.post(f"{match.path}/moves", {"seq": 0, "move": "r@1"})
        assert watching.status_code == 403
        stranger = ApiUser(app.client, "x" * 22)
        assert (await stranger.get(match.path)).status_code == 401
        assert (
            await stranger.post(f"{match.path}/moves", {"seq": 0, "move": "r@1"})
        ).status_code == 401
        assert (await match.view())["moves"] == []


async def test_legal_moves_with_touches_are_for_the_seat_to_move(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match("seega")
        mine = (await match.view(0))["scene"]["legal"]
        assert {"move": "@a1+a2", "touches": [["a1", "a2"]]} in mine
        assert len(mine) == 276
        assert (await match.view(1))["scene"]["legal"] is None
        assert (await match.view())["scene"]["legal"] is None


async def test_a_match_ends_and_tells_how(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match(
            seats=[{"kind": "friend", "name": "Ada"}, {"kind": "friend"}]
        )
        view = await match.play("r@1 m@1 r@5 m@5")
        outcome = view["scene"]["outcome"]
        assert outcome["winners"] == [1]
        assert (
            outcome["words"]
            == "Player 2 (brown and black) wins: two brown pawns face to face at level 2."
        )
        events = await app.client.get(f"{match.path}/record")
        assert '[Seat0 "Ada"]' in events.text
        assert '[Result "1"]' in events.text
        assert (await match.send(0, "moves", move="r@2")).status_code == 422
        assert app.call_in_app(app.services.store.match, match.id).waits == "nobody"


async def test_the_past_can_be_browsed_and_positions_explored(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        await match.play("r@1 m@1 r@5")
        past = (await match.watcher.get(f"{match.path}/plies/1")).json()
        assert (past["ply"], past["last"], past["turn"], past["legal"]) == (1, "r@1", 1, None)
        assert (await match.watcher.get(f"{match.path}/plies/4")).status_code == 404
        explored = await app.visitor.post("/api/explore", {"game": "diam", "moves": ["r@1", "M@1"]})
        assert explored.status_code == 200, explored.text
        assert explored.json()["moves"] == ["r@1", "m@1"]
        assert {"move": "r@2", "touches": [["r"], ["2"]]} in explored.json()["scene"]["legal"]
        record = (await app.client.get(f"{match.path}/record.json")).text
        told = (await app.visitor.post("/api/explore", {"record": record, "ply": 2})).json()
        assert told["scene"]["last"] == "m@1"
        assert told["moves"] == ["r@1", "m@1", "r@5"]
        wrong = await app.visitor.post("/api/explore", {"game": "diam", "moves": ["r@9"]})
        assert wrong.status_code == 422
        assert (await app.visitor.post("/api/explore", {})).status_code == 422
        assert (await match.view())["seq"] == 3


async def test_a_match_is_as_it_was_after_a_restart(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        match = await app.create_match()
        await match.play("r@1 m@1 r@2")
        before = await match.view(1)
    async with open_app(tmp_path, now=ticker) as app:
        for person in (*match.people, match.watcher):
            person.client = app.client
        after = await match.view(1)
        assert after == before
        await match.play("m@2")


async def test_a_match_can_start_from_a_position(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        position = "rm../..../..../..../r.../..../..../.... turn=1"
        match = await app.create_match(position=position)
        view = await match.view()
        assert view["scene"]["position"] == view["start"] == position
        assert (await match.play("m@5"))["scene"]["outcome"]["winners"] == [1]
        wrong = await app.visitor.post(
            "/api/matches", {"game": "diam", "seats": [{"kind": "friend"}] * 2, "position": "x"}
        )
        assert wrong.status_code == 422


async def test_a_move_is_committed_then_answered_then_told_to_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        store, news = app.services.store, app.services.news
        append, tell = store.append, news.tell

        async def commit(*arguments: Any) -> None:
            await append(*arguments)
            order.append("commit")

        def broadcast(*arguments: Any) -> None:
            tell(*arguments)
            order.append("broadcast")

        async def answer(message: Any, _scope: Any) -> None:
            if message["type"] == "http.response.body":
                order.append("answer")

        monkeypatch.setattr(store, "append", commit)
        monkeypatch.setattr(news, "tell", broadcast)
        app.client.app.before_send.append(answer)
        await match.send(0, "moves", move="r@1", seq=0)
    assert order == ["commit", "answer", "broadcast"]


async def test_a_full_disk_acknowledges_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        append = app.services.store.append

        async def full(*_arguments: Any) -> None:
            raise OSError("no space left")

        monkeypatch.setattr(app.services.store, "append", full)
        assert (await match.send(0, "moves", move="r@1", seq=0)).status_code == 500
        assert (await match.view())["moves"] == []
        monkeypatch.setattr(app.services.store, "append", append)
        await match.play("r@2")
        assert (await match.view())["moves"] == ["r@2"]
