"""A database that cannot be written, or is damaged: people are told so, and nothing is lost."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path

import pytest
from app_client import AppClient, open_app
from command_line import run_refused
from sqlalchemy import Connection, event

anyio = pytest.mark.anyio
pytestmark = pytest.mark.sqlite


def fill_disk(app: AppClient) -> None:
    """From now on the database cannot grow by a single page."""

    @event.listens_for(app.services.database.sync_engine, "begin")
    def forbid_growth(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")  # which means: no more than now


@anyio
async def test_on_a_full_disk_a_move_is_not_taken_and_one_is_told_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match(seats=[{"kind": "me"}, {"kind": "here"}])
        view = await match.play("r@1 m@2")
        fill_disk(app)
        answer = await match.send(0, "seat", name="Zoë")
        for turn in range(500):  # until the last page is full
            if answer.status_code != 200:
                break
            answer = await match.send(0, "seat", name=f"Zoë {turn} {'é' * 20}")
        with caplog.at_level(logging.CRITICAL):
            before = await match.view(0)
            answer = await match.send(0, "moves", move="r@3")
        assert (answer.status_code, answer.json()["code"]) == (507, "storage"), answer.text
        assert "cannot save now" in answer.json()["error"]
        after = await match.view(0)
        assert (after["seq"], after["moves"]) == (before["seq"], view["moves"])
        assert after["scene"]["turn"] == 0
    async with open_app(tmp_path) as app:  # there is room again
        match.people[0].client = app.client
        done = await match.people[0].post(
            f"{match.path}/moves", {"seq": before["seq"], "move": "r@3"}
        )
        assert done.status_code == 200, done.text
        assert done.json()["view"]["moves"] == ["r@1", "m@2", "r@3"]


@anyio
async def test_on_a_full_disk_no_match_is_made(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        await app.create_match()
        fill_disk(app)
        body = {"game": "diam", "seats": [{"kind": "friend"}] * 2}
        answers = [await app.visitor.post("/api/matches", body) for _match in range(100)]
        assert {answer.status_code for answer in answers} == {201, 507}


@pytest.mark.usefixtures("in_english")
def test_a_damaged_database_ends_serve_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play() -> None:
        async with open_app(tmp_path) as app:
            for _match in range(40):
                await app.create_match()

    asyncio.run(play())
    file = tmp_path / "matches.sqlite"
    size = file.stat().st_size
    with file.open("r+b") as database:  # noise from the second page on
        database.seek(4096)
        database.write(os.urandom(size - 4096))
    said = run_refused(capsys, "serve", "--port", "0", "--database", f"sqlite:///{file}")
    assert str(file) in said
    assert "is damaged" in said
    assert ".recover" in said
