"""Matches for clubs and classrooms: many at once, their links as CSV, their records exported."""

from __future__ import annotations

import asyncio
import csv
import io
from pathlib import Path
from typing import Any

import pytest
from app_client import TWO_FRIENDS, ApiUser, open_app
from postgresql_server import ON_POSTGRESQL, database_for
from sqlalchemy.exc import OperationalError

import quinconce
from quinconce.cli import main
from quinconce.server import serve
from quinconce.server.matches.create import escape_formula
from quinconce.server.storage import store

anyio = pytest.mark.anyio
SETUP: dict[str, Any] = {"game": "diam", "seats": TWO_FRIENDS, "order": "given"}


@anyio
async def test_many_matches_are_made_at_once_and_exported(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        names = [["Ada", "Zoë"], ["Ivo"], []]
        path = "/api/tags/class-3b/matches"
        answer = await app.visitor.post(path, {"setup": SETUP, "names": names})
        assert answer.status_code == 201, answer.text
        made = answer.json()
        assert [[seat["name"] for seat in match["seats"]] for match in made["matches"]] == [
            ["Ada", "Zoë"],
            ["Ivo", ""],
            ["", ""],
        ]
        link = made["matches"][0]["seats"][0]["link"]
        player = ApiUser(app.client, link.split("#")[1])
        match = f"/api/matches/{made['matches'][0]['id']}"
        assert (await player.post(f"{match}/moves", {"seq": 0, "move": "r@1"})).status_code == 200
        teacher = ApiUser(app.client, made["tag_key"])
        records = (await teacher.get("/api/tags/class-3b/records")).json()
        assert [record["id"] for record in records] == [each["id"] for each in made["matches"]]
        first = quinconce.Record.read(records[0]["record"])
        assert first.moves == ("r@1",)
        assert [seat.name for seat in first.seats] == ["Ada", "Zoë"]
        assert first.tags == {"Event": "class-3b"}


@anyio
async def test_a_tag_belongs_to_who_has_its_key(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        made = (await app.visitor.post("/api/tags/club/matches", {"setup": SETUP})).json()
        owner, stranger = ApiUser(app.client, made["tag_key"]), ApiUser(app.client)
        body = {"setup": SETUP, "count": 2}
        assert (await stranger.post("/api/tags/club/matches", body)).status_code == 403
        assert (await stranger.get("/api/tags/club/records")).status_code == 403
        assert (await stranger.post("/api/matches", {**SETUP, "tag": "club"})).status_code == 403
        assert (await stranger.get("/api/tags/other/records")).status_code == 404
        again = (await owner.post("/api/tags/club/matches", body)).json()
        assert (again["tag_key"], len(again["matches"])) == (None, 2)
        assert len((await owner.get("/api/tags/club/records")).json()) == 3


@anyio
async def test_a_tag_whose_matches_could_not_be_stored_has_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        requests = [
            ("/api/tags/club/matches", {"setup": SETUP, "count": 2}),
            ("/api/matches", {**SETUP, "tag": "club"}),
        ]

        def fail(*_arguments: object) -> None:
            raise OperationalError("INSERT", None, Exception("the disk is full"))

        with monkeypatch.context() as patch:
            patch.setattr(store, "insert_match", fail)
            for path, body in requests:
                assert (await app.visitor.post(path, body)).status_code == 507
        path, body = requests[0]
        made = await app.visitor.post(path, body)
        assert made.status_code == 201, made.text
        owner = ApiUser(app.client, made.json()["tag_key"])
        assert len((await owner.get("/api/tags/club/records")).json()) == 2


@anyio
async def test_of_two_who_use_a_new_tag_at_once_one_gets_its_key(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        body = {"setup": SETUP}
        answers = await asyncio.gather(
            *(ApiUser(app.client).post("/api/tags/club/matches", body) for _somebody in range(3))
        )
        assert sorted(answer.status_code for answer in answers) == [201, 403, 403]
        (made,) = [answer.json() for answer in answers if answer.status_code == 201]
        owner = ApiUser(app.client, made["tag_key"])
        assert len((await owner.get("/api/tags/club/records")).json()) == 1


@anyio
async def test_the_links_come_as_csv_that_no_spreadsheet_runs(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        body = {"setup": SETUP, "names": [['=HYPERLINK("x")', "a, b"]]}
        answer = await app.visitor.post("/api/tags/t/matches.csv", body)
        assert answer.headers["content-type"].startswith("text/csv")
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert [row["name"] for row in rows] == ['\'=HYPERLINK("x")', "a, b"]
        for row in rows:
            player = ApiUser(app.client, row["link"].split("#")[1])
            view = (await player.get(f"/api/matches/{row['match']}")).json()
            assert view["mine"] == [int(row["player"]) - 1]
        assert escape_formula("Ada") == "Ada"


@anyio
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"setup": {**SETUP, "seats": [{"kind": "me"}, TWO_FRIENDS[0]]}}, 422),
        ({"setup": SETUP, "names": [["a", "b", "c"]]}, 422),
        ({"setup": {**SETUP, "game": "chess"}}, 422),
        ({"setup": SETUP, "count": 0}, 400),
        ({}, 400),
    ],
)
async def test_what_cannot_be_made_is_refused(tmp_path: Path, body: Any, status: int) -> None:
    async with open_app(tmp_path) as app:
        answer = await app.visitor.post("/api/tags/t/matches", body)
        assert answer.status_code == status, answer.text
        assert (await app.visitor.get("/api/tags/t/records")).status_code == 404


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("QUINCONCE_DATABASE", database_for(tmp_path))
    return database_for(tmp_path)


def test_the_command_makes_lists_and_exports(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "names.csv").write_text("Ada,Zoë\n\nIvo,Eve\n", encoding="utf-8")
    make = ["matches", "make", "club", "diam", "--names", str(tmp_path / "names.csv"), "--given"]
    main([*make, "--minutes", "5", "--increment", "3", "--url", "https://games.example/"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["name"] for row in rows] == ["Ada", "Zoë", "Ivo", "Eve"]
    assert rows[0]["link"].startswith(f"https://games.example/match/{rows[0]['match']}#")
    main(["matches", "make", "club", "buts", "--count", "3", "--csv", str(tmp_path / "links.csv")])
    assert len((tmp_path / "links.csv").read_text().splitlines()) == 7
    main(["matches", "list"])
    assert capsys.readouterr().out == "club\t5\t0\n"
    main(["matches", "export", "club", str(tmp_path / "records")])
    assert capsys.readouterr().out == f"5 records are in {tmp_path / 'records'}\n"
    for file in (tmp_path / "records").iterdir():
        assert quinconce.Record.read(file.read_text(encoding="utf-8")).tags == {"Event": "club"}
    assert Path(database.removeprefix("sqlite:///")).exists() or ON_POSTGRESQL


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["make", "t", "chess"], "there is no game"),
        (["make", "t", "buts", "--seat", "3=engine:1"], "N from 1 to 2"),
        (["make", "t", "buts", "--seat", "1=engine:11"], "'11' is not a level"),
        (["make", "t", "buts", "--minutes", "1", "--days", "1"], "a clock has minutes"),
        (["make", "t", "buts", "--minutes", "-1"], "cannot be set up"),
        (["make", "a tag", "buts"], "cannot be set up"),
        (["export", "nothing", "folder"], "there are no matches under 'nothing'"),
    ],
)
@pytest.mark.usefixtures("database")
def test_the_command_refuses_on_one_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["matches", *arguments])
    assert exit_.value.code == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("app", "begins"),
    [
        (None, "http://localhost:8642/match/"),
        (serve.RunningServer("http://localhost:9000", None), "http://localhost:9000/match/"),
        (
            serve.RunningServer("http://localhost:9000", "http://192.168.1.4:9000"),
            "http://192.168.1.4:9000/match/",
        ),
    ],
)
@pytest.mark.usefixtures("database")
def test_links_lead_to_where_the_server_is_open(
    app: serve.RunningServer | None,
    begins: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(serve, "find_running_server", lambda _database: app)
    main(["matches", "make", "club", "diam"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["link"].startswith(begins) for row in rows] == [True, True]
