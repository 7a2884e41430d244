"""Lessons over the network: read, tried, done; nonsense is refused, and no lessons are no error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import fake_engines
import pytest
from app_client import AppClient, open_app

import quinconce
from quinconce.study.lesson_files import steps_of, words_of_lessons

anyio = pytest.mark.anyio
pytestmark = pytest.mark.sqlite("it never comes to the database")


async def try_move(app: AppClient, path: str, move: str) -> Any:
    return await app.visitor.post(f"/api/lessons/{path}/moves", {"move": move})


@anyio
@pytest.mark.parametrize("name", quinconce.names())
async def test_every_step_is_read_and_done(name: str, tmp_path: Path) -> None:
    words = words_of_lessons(name, "en").steps
    async with open_app(tmp_path, fake_engines.first_move) as app:
        id_: str | None = next(iter(steps_of(name)))
        seen = []
        while id_:
            seen.append(id_)
            step = steps_of(name)[id_]
            told = (await app.visitor.get(f"/api/lessons/{name}/{id_}")).json()
            assert (told["title"], told["text"]) == words[id_][:2]
            assert told["scene"]["turn"] == step.seat
            assert told["scene"]["legal"]
            judged = (await try_move(app, f"{name}/{id_}", told["answer"])).json()
            assert judged["right"]
            assert judged["words"] == words[id_].done
            assert judged["moves"][0] == step.answer
            assert len(judged["scenes"]) == len(judged["moves"])
            assert not judged["scenes"][-1]["legal"]
            id_ = told["next"]
        assert seen == list(steps_of(name))


@anyio
async def test_a_wrong_move_gets_the_hint_and_an_illegal_one_the_reason(tmp_path: Path) -> None:
    async with open_app(tmp_path, fake_engines.first_move) as app:
        judged = (await try_move(app, "diam/parry", "r@6")).json()
        assert not judged["right"]
        assert judged["words"].startswith("Player 2 (brown and black) would win with m@5. Cover")
        assert judged["moves"] == judged["scenes"] == []
        refused = await try_move(app, "diam/carry", "2.1-1")
        assert refused.status_code == 422
        assert refused.json()["error"] == "the pawn at 2.1 is not yours to move"
        judged = (await try_move(app, "diam/diam", " R@5 ")).json()  # as people type
        assert judged["right"]
        french = await app.visitor.get("/api/lessons/diam/parry?lang=fr")
        assert french.json()["title"] == "Voir la menace"


@anyio
async def test_what_does_not_exist_is_not_found(tmp_path: Path) -> None:
    async with open_app(tmp_path, fake_engines.first_move) as app:
        for path in ("/learn/go", "/learn/go/place", "/learn/diam/nothing"):
            assert (await app.visitor.get(path)).status_code == 404
        for path in ("go/place", "diam/nothing"):
            assert (await app.visitor.get(f"/api/lessons/{path}")).status_code == 404
            assert (await try_move(app, path, "r@1")).status_code == 404
        for body in ({}, {"move": ""}, {"move": "x" * 401}, {"move": "r@1", "more": 1}):
            answer = await app.visitor.post("/api/lessons/diam/place/moves", body)
            assert answer.status_code in (400, 422)


@anyio
async def test_a_game_without_lessons_has_pages_that_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in ("server.answers.learn", "server.views.lessons"):
        monkeypatch.setattr(f"quinconce.{room}.lessons_of", lambda _name: ())
        monkeypatch.setattr(f"quinconce.{room}.steps_of", lambda _name: {})
    async with open_app(tmp_path, fake_engines.first_move) as app:
        page = await app.visitor.get("/learn/seega")
        assert page.status_code == 200
        assert "There are no lessons for this game yet" in page.text
        assert 'href="/game/seega#rules"' in page.text
        assert (await app.visitor.get("/learn")).status_code == 200
        assert (await app.visitor.get("/")).status_code == 200
        assert (await app.visitor.get("/learn/seega/place")).status_code == 404
