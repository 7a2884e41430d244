"""Remarks over the network: for one person alone, once for each event, in two languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_client import MatchDriver, open_app

import quinconce
from quinconce.server.engines import jobs, remarks
from quinconce.server.engines.jobs import EngineQuestion
from quinconce.server.refusals import EngineFailedError

anyio = pytest.mark.anyio
ALONE = [{"kind": "me"}, {"kind": "engine", "level": 1}]
MOVES = ["@G", "@A", "@F", "@1", "@5", "@2"]  # of Diädema: the second player threatens to win at C


def threat_position() -> str:
    match = quinconce.Match(quinconce.game("diadema"))
    for text in MOVES:
        match.play(text)
    return match.game.write(match.position)


def win_at_c(_question: EngineQuestion) -> str:
    return "@C"


async def read_remark(match: MatchDriver, language: str = "en") -> Any:
    answer = await match.people[0].get(f"{match.path}/remark?lang={language}")
    assert answer.status_code == 200, answer.text
    return answer.json()


@anyio
async def test_one_alone_is_told_what_is_threatened_and_how_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def find_and_count(*about: Any) -> Any:
        asked.append(about)
        return jobs.find_remark(*about)

    monkeypatch.setattr(remarks, "find_remark", find_and_count)
    async with open_app(tmp_path, win_at_c) as app:
        match = await app.create_match("diadema", seats=ALONE, position=threat_position())
        told = await read_remark(match)
        assert told == {"seq": 0, "kind": "threat", "words": "Your opponent threatens to win at C."}
        assert (await read_remark(match, "fr"))[
            "words"
        ] == "Votre adversaire menace de gagner en C."
        assert len(asked) == 1  # the same event is looked at once
        await match.play("@4")
        while (told := await read_remark(match))["kind"] == "exposed":
            assert told["words"] == "Your opponent can win now with @C."
        assert told["kind"] == "end"
        assert told["words"].startswith("After move 1 (@4) the game was lost:")


@anyio
async def test_who_resigns_is_not_told_that_the_game_was_lost(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match("diadema", seats=ALONE)
        await match.send_ok(0, "resignations")
        assert (await read_remark(match))["kind"] is None


@anyio
async def test_people_who_play_each_other_get_no_remarks(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match("diadema")
        answer = await match.people[0].get(f"{match.path}/remark")
        assert (answer.status_code, answer.json()["code"]) == (403, "hints")


@anyio
async def test_those_who_watch_get_no_remarks(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match("diadema", seats=[{"kind": "friend"}, ALONE[1]])
        answer = await match.watcher.get(f"{match.path}/remark")
        assert answer.status_code == 403


@anyio
async def test_after_a_failure_one_may_ask_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_about: object) -> None:
        raise EngineFailedError

    async with open_app(tmp_path) as app:
        match = await app.create_match("diadema", seats=ALONE)
        with monkeypatch.context() as broken:
            broken.setattr(remarks, "find_remark", fail)
            answer = await match.people[0].get(f"{match.path}/remark")
            assert answer.status_code == 503
        assert (await read_remark(match))["kind"] is None
