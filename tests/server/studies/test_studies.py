"""Studies: kept, read by everybody, changed and deleted by who has the secret."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from app_client import ApiUser, AppClient, Body, FakeClock, open_app

from quinconce import Record, Variations
from quinconce.server.routes import studies as studies_routes
from quinconce.server.security.secrets import new_secret
from quinconce.server.settings import DAY

anyio = pytest.mark.anyio
NODES = [
    {"after": -1, "move": "@A", "mark": "!"},
    {"after": -1, "move": "@B", "note": "or this }"},
    {"after": 0, "move": "@D"},
]
BOARDS: list[Body] = [
    {"game": "diadema", "title": "The middle", "nodes": NODES, "note": "first"},
    {"game": "diam", "options": {"players": 3}, "nodes": [{"after": -1, "move": "r@1"}]},
]


class StudyDriver:
    """A study, somebody who has its secret, and somebody who has not."""

    def __init__(self, app: AppClient, made: Body) -> None:
        self.made = made
        self.path = f"/api/studies/{made['id']}"
        self.owner = ApiUser(app.client, made["secret"])
        self.reader = ApiUser(app.client)

    async def view(self) -> Body:
        answer = await self.reader.get(self.path)
        assert answer.status_code == 200, answer.text
        view: Body = answer.json()
        return view

    async def change(self, version: int, **content: Any) -> Any:
        return await self.owner.request("PUT", self.path, {"version": version, **content})


async def create_study(app: AppClient, **content: Any) -> StudyDriver:
    answer = await app.visitor.post("/api/studies", {"boards": BOARDS, **content})
    assert answer.status_code == 201, answer.text
    return StudyDriver(app, answer.json())


@anyio
async def test_a_study_is_read_as_it_was_kept(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        study = await create_study(app, title="  Two \n boards ")
        assert study.made["edit_link"] == f"{study.made['link']}#{study.made['secret']}"
        view = await study.view()
        assert (view["title"], view["version"], view["editable"]) == ("Two boards", 1, False)
        first, second = view["boards"]
        assert first["nodes"] == NODES
        assert (first["title"], first["note"], first["position"]) == ("The middle", "first", None)
        assert second["options"] == {"edition": "2003", "players": "3"}
        assert study.made["secret"] not in (await study.reader.get(study.path)).text
        assert (await study.owner.get(study.path)).json()["editable"] is True


@anyio
async def test_a_study_survives_a_restart_and_its_secret_is_not_stored(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        study = await create_study(app)
        row = app.call_in_app(app.services.studies.store.study, study.made["id"])
        assert study.made["secret"] not in str(row)
    async with open_app(tmp_path) as app:
        again = StudyDriver(app, study.made)
        assert (await again.view())["boards"][0]["nodes"] == NODES
        assert (await again.change(1, boards=BOARDS[:1])).json() == {"version": 2}


@anyio
async def test_of_two_editors_none_undoes_what_the_other_wrote(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        study = await create_study(app)
        assert (await study.change(1, boards=BOARDS, title="mine")).json() == {"version": 2}
        late = await study.change(1, boards=BOARDS[:1], title="theirs")
        assert late.status_code == 409
        assert (late.json()["code"], late.json()["version"]) == ("changed", 2)
        assert "changed elsewhere" in late.json()["error"]
        assert (await study.view())["title"] == "mine"
        at_once = await asyncio.gather(
            *(study.change(2, boards=BOARDS, title=f"editor {n}") for n in range(5))
        )
        codes = [answer.status_code for answer in at_once]
        assert sorted(codes) == [200, 409, 409, 409, 409]
        view = await study.view()
        assert (view["title"], view["version"]) == (f"editor {codes.index(200)}", 3)


@anyio
async def test_a_study_saved_again_because_its_answer_was_lost_is_saved(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        study = await create_study(app)
        for _time in range(2):
            answer = await study.change(1, boards=BOARDS, title="  mine ")
            assert (answer.status_code, answer.json()) == (200, {"version": 2})
        assert (await study.change(1, boards=BOARDS, title="other")).status_code == 409
        at_once = await asyncio.gather(
            *(study.change(2, boards=BOARDS[:1], title="mine") for _time in range(3))
        )
        assert [answer.json() for answer in at_once] == 3 * [{"version": 3}]
        # What was written two versions ago is no longer what the study says.
        assert (await study.change(1, boards=BOARDS, title="mine")).status_code == 409
        assert (await study.view())["version"] == 3


@anyio
async def test_the_secret_of_a_study_is_replaced_by_who_has_it(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        study = await create_study(app)
        path, new = f"{study.path}/secret", {"secret": new_secret()}
        stranger = ApiUser(app.client, new_secret())
        assert (await stranger.request("PUT", path, new)).status_code == 401
        assert (await study.reader.request("PUT", path, new)).status_code == 401
        for weak in ("", "short", "x" * 23, "x" * 22 + "\n", "é" * 22):
            assert (await study.owner.request("PUT", path, {"secret": weak})).status_code == 400
        for _time in range(2):  # the second time because the answer was lost
            replaced = await study.owner.request("PUT", path, new)
            assert replaced.status_code == 200, replaced.text
        assert replaced.json()["edit_link"] == f"{study.made['link']}#{new['secret']}"
        assert (await study.change(1, boards=BOARDS)).status_code == 401
        assert (await study.owner.request("DELETE", study.path)).status_code == 401
        owner = ApiUser(app.client, new["secret"])
        assert (await owner.get(study.path)).json()["editable"] is True
        row = app.call_in_app(app.services.studies.store.study, study.made["id"])
        assert new["secret"] not in str(row)


@anyio
async def test_only_the_secret_changes_or_deletes_a_study(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        study, other = await create_study(app), await create_study(app)
        change = {"version": 1, "boards": BOARDS[:1]}
        for stranger in (study.reader, other.owner, ApiUser(app.client, "x" * 22)):
            assert (await stranger.request("PUT", study.path, change)).status_code == 401
            assert (await stranger.request("DELETE", study.path)).status_code == 401
        assert (await other.owner.get(study.path)).status_code == 401
        assert (await study.view())["version"] == 1
        assert (await study.owner.request("DELETE", study.path)).status_code == 204
        gone = await study.reader.get(study.path)
        assert (gone.status_code, gone.json()["code"]) == (404, "study")
        assert (await study.change(1, boards=BOARDS)).status_code == 404
        assert (await study.owner.request("DELETE", study.path)).status_code == 404
        assert (await other.view())["version"] == 1


@anyio
async def test_wrong_secrets_are_limited(tmp_path: Path) -> None:
    limits = {"wrong_secrets_per_hour": 2}
    async with open_app(tmp_path, limits=limits, now=FakeClock()) as app:
        study = await create_study(app)
        guesser = ApiUser(app.client, "guess")
        codes = [(await guesser.request("DELETE", study.path)).status_code for _try in range(4)]
        assert codes == [401, 401, 429, 429]
        assert (await study.view())["version"] == 1
        assert (await study.owner.request("DELETE", study.path)).status_code == 204


@anyio
async def test_a_study_is_limited_in_size_and_number(tmp_path: Path) -> None:
    limits = {"study_boards": 2, "study_moves": 5, "total_studies": 2, "studies_per_hour": 4}
    async with open_app(tmp_path, limits=limits) as app:

        async def refusal(**content: Any) -> tuple[int, str]:
            answer = await app.visitor.post("/api/studies", content)
            return answer.status_code, answer.json()["error"]

        assert await refusal(boards=BOARDS[1:] * 3) == (413, "a study has at most 2 boards")
        code, why = await refusal(boards=BOARDS[:1] * 2)
        assert (code, why) == (413, "a study has at most 5 moves on all its boards")
        study = await create_study(app)
        large = await study.change(1, boards=BOARDS[:1] * 2)
        assert (large.status_code, large.json()["code"]) == (413, "large")
        await create_study(app)
        assert (await refusal(boards=BOARDS))[0] in (429, 507)
        assert (await study.change(1, boards=BOARDS)).status_code == 200


@anyio
async def test_a_full_server_says_so(tmp_path: Path) -> None:
    async with open_app(tmp_path, limits={"total_studies": 1}) as app:
        await create_study(app)
        answer = await app.visitor.post("/api/studies", {"boards": BOARDS})
        assert (answer.status_code, answer.json()["code"]) == (507, "full")


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """From which address everybody asks from now on."""

    def move(to: str) -> None:
        monkeypatch.setattr(studies_routes, "client_address", lambda _request: to)

    return move


async def exists(study: StudyDriver) -> bool:
    return bool((await study.reader.get(study.path)).status_code == 200)


@anyio
async def test_each_address_has_a_share_of_the_studies(
    tmp_path: Path, address: Callable[[str], None]
) -> None:
    clock = FakeClock()
    async with open_app(tmp_path, now=clock, limits={"studies_per_address": 2}) as app:
        address("203.0.113.7")
        first, second = await create_study(app), await create_study(app)
        refused = await app.visitor.post("/api/studies", {"boards": BOARDS})
        assert (refused.status_code, refused.json()["code"]) == (429, "studies")
        assert "from your address" in refused.json()["error"]
        assert int(refused.headers["retry-after"]) > DAY
        address("203.0.113.8")
        elsewhere = await create_study(app)
        # After a day, what nobody has opened since gives way; what somebody has stays.
        clock.now += 2 * DAY
        await first.view()
        address("203.0.113.7")
        third = await create_study(app)
        assert [await exists(each) for each in (first, second, third, elsewhere)] == [
            True,
            False,
            True,
            True,
        ]
        assert (await app.visitor.post("/api/studies", {"boards": BOARDS})).status_code == 429


@anyio
async def test_the_studies_of_an_address_have_a_bounded_size(
    tmp_path: Path, address: Callable[[str], None]
) -> None:
    clock = FakeClock()
    async with open_app(tmp_path, now=clock, limits={"study_bytes_per_address": 1000}) as app:
        address("203.0.113.7")
        notes = [{"game": "diadema", "note": n * "é"} for n in (100, 150, 300)]
        study = await create_study(app, boards=notes[:1])
        assert (await study.change(1, boards=notes[1:2])).status_code == 200
        answer = await study.change(2, boards=notes[1:])
        assert (answer.status_code, answer.json()["code"]) == (429, "studies")
        more = await app.visitor.post("/api/studies", {"boards": notes[2:]})
        assert (more.status_code, more.json()["code"]) == (429, "studies")
        assert (await study.change(2, boards=notes[:1])).status_code == 200  # it shrinks
        address("203.0.113.8")
        unused, other = [await create_study(app, boards=notes[:1]) for _study in range(2)]
        clock.now += 2 * DAY
        assert (await other.change(1, boards=notes[2:])).status_code == 200
        assert not await exists(unused)


@anyio
async def test_on_a_full_server_the_address_with_most_unused_studies_makes_room(
    tmp_path: Path, address: Callable[[str], None]
) -> None:
    clock = FakeClock()
    async with open_app(tmp_path, now=clock, limits={"total_studies": 4}) as app:
        address("203.0.113.7")
        theirs = await create_study(app)
        address("203.0.113.8")
        many = [await create_study(app) for _study in range(3)]
        address("203.0.113.9")
        full = await app.visitor.post("/api/studies", {"boards": BOARDS})
        assert (full.status_code, full.json()["code"]) == (507, "full")
        clock.now += 2 * DAY
        mine = await create_study(app)
        kept = [await exists(each) for each in (theirs, *many, mine)]
        assert kept == [True, False, True, True, True]


@anyio
@pytest.mark.parametrize(
    ("board", "why"),
    [
        ({"game": "chess"}, "board 2: "),
        ({"game": "diam", "options": {"players": 9}}, "board 2: option players cannot be"),
        ({"game": "diadema", "position": "x"}, "board 2: "),
        ({"game": "diadema", "nodes": [{"after": -1, "move": "A"}]}, "not a move of this game"),
        ({"game": "diadema", "nodes": [{"after": 0, "move": "@A"}]}, "is not the number of a node"),
        (
            {"game": "diadema", "nodes": [*NODES, {"after": 2, "move": "@A"}]},
            "A is not empty",
        ),
        ({"game": "diadema", "nodes": [{"after": -1, "move": "@A", "mark": "x"}]}, "not a mark"),
    ],
)
async def test_what_does_not_hold_is_refused_and_the_board_named(
    tmp_path: Path, board: Body, why: str
) -> None:
    async with open_app(tmp_path) as app:
        answer = await app.visitor.post("/api/studies", {"boards": [BOARDS[0], board]})
        assert (answer.status_code, answer.json()["code"]) == (422, "refused")
        assert why in answer.json()["error"]
        assert answer.json()["error"].startswith("board 2: ")


@anyio
async def test_what_is_malformed_is_refused(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        malformed: list[Body] = [
            {},
            {"boards": []},
            {"boards": [{}]},
            {"boards": BOARDS, "title": "x" * 101},
            {"boards": BOARDS, "more": 1},
            {"boards": [{"game": "diadema", "nodes": [{"after": "x", "move": "@A"}]}]},
            {"boards": [{"game": "diadema", "nodes": [{"after": -1, "move": "@A", "x": 1}]}]},
        ]
        for body in malformed:
            assert (await app.visitor.post("/api/studies", body)).status_code == 400
        for path in ("/api/studies/short", "/api/studies/abcdefABCDEF/boards/x/record"):
            assert (await app.visitor.get(path)).status_code in (400, 404)


@anyio
async def test_a_board_is_downloaded_as_a_record(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        study = await create_study(app, title="Étude")
        path = f"{study.path}/boards/0/record"
        text = await study.reader.get(path)
        name = f"diadema-{study.made['id']}-1"
        assert f'filename="{name}.quinconce"' in text.headers["content-disposition"]
        record = Record.read(text.text)
        assert record.tags == {"Event": "Étude", "Board": "The middle"}
        assert record.variations is not None
        assert (record.variations.json(), record.variations.root.note) == (NODES, "first")
        assert Record.read((await study.reader.get(f"{path}.json")).text) == record
        plain = await study.reader.get(f"{study.path}/boards/1/record")
        assert Record.read(plain.text).moves == ("r@1",)
        missing = await study.reader.get(f"{study.path}/boards/2/record")
        assert (missing.status_code, missing.json()["code"]) == (404, "study")


@anyio
async def test_a_study_that_nobody_opens_for_a_year_expires(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_app(tmp_path, now=clock) as app:
        read, unread, changed = [await create_study(app) for _study in range(3)]
        clock.now += 300 * DAY
        await read.view()
        await changed.change(1, boards=BOARDS)
        clock.now += 100 * DAY
        app.call_in_app(app.services.studies.delete_unused)
        assert (await unread.reader.get(unread.path)).status_code == 404
        assert (await read.view())["version"] == 1
        assert (await changed.view())["version"] == 2
        clock.now += 366 * DAY
        app.call_in_app(app.services.studies.delete_unused)
        assert (await read.reader.get(read.path)).status_code == 404


@anyio
async def test_a_page_of_others_cannot_change_a_study(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        study = await create_study(app)
        answer = await study.owner.request("DELETE", study.path, origin="https://evil.example")
        assert answer.status_code == 403
        assert (await study.view())["version"] == 1


@anyio
async def test_a_study_is_checked_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check, threads = Variations.check, set[int]()

    def watched(tree: Variations) -> None:
        threads.add(threading.get_ident())
        check(tree)

    monkeypatch.setattr(Variations, "check", watched)
    async with open_app(tmp_path) as app:
        study = await create_study(app)
        assert (await study.change(1, boards=BOARDS)).status_code == 200
        assert threads
        assert app.call_in_app(threading.get_ident) not in threads
