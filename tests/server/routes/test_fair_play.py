"""Fair play: a game that people play just now is analysed by nobody, on no server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_client import AppClient, MatchDriver, open_app
from sqlalchemy import delete, update

from quinconce.core.match import MatchData, replay
from quinconce.core.registry import game
from quinconce.engine.slices import AnalysisReport, ReportLine
from quinconce.server.engines import analyses
from quinconce.server.matches.guarded_positions import FIRST_PLY, NEAR_PLIES, Line
from quinconce.server.storage.schema import GUARDED_POSITIONS, MATCHES

pytestmark = pytest.mark.anyio
PATH = "/api/analysis"
REPORT = AnalysisReport(1, 1, 0.1, (ReportLine(("m@2",), 0.5),), done=True)
WORDS = "people play this game just now: the engine stays off until it is over"
OPENING = ["r@1", "m@2", "r@3", "m@4", "o@5", "n@6", "o@7", "n@8"]  # FIRST_PLY moves
ONWARD = ["r@1", "m@2", "r@3", "m@4"]
ALONE = [{"kind": "me"}, {"kind": "here"}]


def answer_at_once(app: AppClient) -> None:
    """Let the engine know everything at once."""
    app.services.engines.source.pools[-1].slicer = lambda _question: REPORT


async def ask(app: AppClient, moves: list[str], path: str = PATH, **more: Any) -> tuple[int, str]:
    answer = await app.visitor.post(path, {"game": "diam", "moves": moves, **more})
    told = {} if answer.status_code == 200 else answer.json()
    return answer.status_code, told.get("code", "")


async def play_match(app: AppClient, moves: list[str], **setup: Any) -> MatchDriver:
    match = await app.create_match(**setup)
    await match.play(" ".join(moves))
    return match


REFUSED = (403, "fair_play")
ALLOWED = (200, "")


async def test_a_match_that_people_play_is_not_analysed_until_it_is_over(tmp_path: Path) -> None:
    assert len(OPENING) == FIRST_PLY
    async with open_app(tmp_path) as app:
        answer_at_once(app)
        match = await play_match(app, OPENING[:2])
        for path in (PATH, "/api/truths"):
            assert await ask(app, OPENING[:2], path, match=match.id) == REFUSED
            assert await ask(app, [], path, match=match.id) == REFUSED
        answer = await app.visitor.post(PATH, {"game": "diam", "match": match.id})
        assert answer.json()["error"] == WORDS
        assert await ask(app, OPENING[:2]) == ALLOWED  # an opening is everybody's
        await match.play(" ".join(OPENING[2:]))
        assert await ask(app, OPENING) == REFUSED  # by its line, without its name
        await match.send_ok(0, "resignations")
        assert await ask(app, OPENING) == ALLOWED
        assert await ask(app, OPENING, match=match.id) == ALLOWED


async def test_a_line_that_goes_on_from_the_match_and_its_position_alone_are_found(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as app:
        answer_at_once(app)
        match = await play_match(app, OPENING)
        assert await ask(app, [*OPENING, *ONWARD]) == REFUSED
        rules = game("diam")
        position = rules.write(replay(rules, None, OPENING).position)
        assert await ask(app, [], position=position) == REFUSED
        assert await ask(app, ["r@1"], position=position) == REFUSED
        assert await ask(app, OPENING[:-1]) == ALLOWED  # where the match is no longer
        assert await ask(app, [], position=position, options={"edition": "1997"}) != REFUSED
        assert await ask(app, OPENING, "/api/truths") == REFUSED  # without the name of the match
        assert await ask(app, [], "/api/truths", position=position) == REFUSED
        await match.send_ok(0, "agreements", matter="takeback")
        await match.send_ok(1, "agreements", matter="takeback")
        view = await match.view()
        assert view["moves"] != OPENING
        assert await ask(app, OPENING) == ALLOWED


async def test_who_has_agreed_to_hints_or_plays_alone_may_analyse(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        answer_at_once(app)
        alone = await play_match(app, OPENING, seats=ALONE)
        assert await ask(app, OPENING, match=alone.id) == ALLOWED
        match = await play_match(app, OPENING)
        assert await ask(app, OPENING, match=match.id) == REFUSED
        for seat in (0, 1):
            await match.send_ok(seat, "agreements", matter="hints")
        assert await ask(app, OPENING) == ALLOWED
        assert await ask(app, OPENING, match=match.id) == ALLOWED


def written(moves: list[str], turned: int = 0) -> str:
    """The position after some moves, as a symmetry shows it."""
    rules = game("diam")
    place = replay(rules, None, moves).position
    return rules.write(rules.symmetries()[turned].image(place))


@pytest.mark.parametrize("path", [PATH, "/api/truths"])
async def test_the_positions_one_move_away_are_refused_too(tmp_path: Path, path: str) -> None:
    async with open_app(tmp_path) as app:
        answer_at_once(app)
        match = await play_match(app, [*OPENING, *ONWARD])
        after, before = written([*OPENING, *ONWARD, "o@5"]), written([*OPENING, *ONWARD[:-1]])
        two_on = written([*OPENING, *ONWARD, "o@5", "n@6"])
        for position in (after, before):
            assert await ask(app, [], path, position=position) == REFUSED
        assert await ask(app, [*OPENING, *ONWARD[:-1]], path) == REFUSED
        assert await ask(app, [], path, position=two_on) == ALLOWED
        await match.send_ok(0, "resignations")
        assert await ask(app, [], path, position=after) == ALLOWED


@pytest.mark.parametrize("path", [PATH, "/api/truths"])
async def test_a_turned_mirrored_or_recoloured_board_is_refused_too(
    tmp_path: Path, path: str
) -> None:
    async with open_app(tmp_path) as app:
        answer_at_once(app)
        await play_match(app, OPENING)
        for turned in (3, 11, 40, 100):
            position = written(OPENING, turned)
            assert position != written(OPENING)
            assert await ask(app, [], path, position=position) == REFUSED


async def test_an_option_that_changes_no_move_hides_nothing(tmp_path: Path) -> None:
    placed = "@a1+a2 @e4+e5 @a3+a4 @d4+d5 @b1+b2 @c4+c5 @b3+b4 @a5+b5"
    rules = game("seega")
    position = rules.write(replay(rules, None, placed.split()).position)
    async with open_app(tmp_path) as app:
        await play_match(app, placed.split(), game="seega")
        for options, refused in (({"quiet": "41"}, True), ({"reach": "step"}, False)):
            body = {"game": "seega", "options": options, "position": position}
            answer = await app.visitor.post("/api/truths", body)
            assert (answer.status_code == 403) is refused, answer.text


async def test_who_sets_up_the_position_of_others_alone_gets_neither_hints_nor_remarks(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as app:
        match = await play_match(app, OPENING)
        for position in (written(OPENING, 3), written([*OPENING, "r@1"])):
            alone = await app.create_match(position=position, seats=ALONE)
            asked = [
                await app.visitor.post(f"{alone.path}/hints"),
                await app.visitor.get(f"{alone.path}/remark"),
            ]
            assert [(told.status_code, told.json()["code"]) for told in asked] == [REFUSED] * 2
        await match.send_ok(0, "resignations")
        assert (await app.visitor.post(f"{alone.path}/hints")).status_code == 200


async def test_a_game_that_went_through_the_position_of_others_is_reviewed_later(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as app:
        match = await play_match(app, OPENING)
        alone = await app.create_match(position=written(OPENING, 3), seats=ALONE)
        first = min(replay(game("diam"), written(OPENING, 3)).legal())
        await alone.play(first)
        await alone.send_ok(0, "resignations", seat=0)
        refused = await app.visitor.post(f"{alone.path}/review")
        assert (refused.status_code, refused.json()["code"]) == REFUSED
        await match.send_ok(0, "resignations")
        assert (await app.visitor.post(f"{alone.path}/review")).status_code == 200


async def test_a_review_stops_where_people_have_come_to_what_it_tells(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        alone = await app.create_match(position=written(OPENING, 3), seats=ALONE)
        await alone.play(min(replay(game("diam"), written(OPENING, 3)).legal()))
        await alone.send_ok(0, "resignations", seat=0)
        state = app.services.live_matches.loaded[alone.id].state
        data = MatchData.of(state.match)._replace(moves=())
        await play_match(app, OPENING)
        assert app.call_in_app(app.services.reviews._report, state, data) is None


async def test_matches_that_an_older_server_guards_by_their_hash_are_found(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        answer_at_once(app)
        match = await play_match(app, OPENING)
        older = update(MATCHES).values(guarded_hash="0" * 32)
        store, do = app.services.store, app.call_in_app
        do(store.write, lambda connection: connection.execute(delete(GUARDED_POSITIONS)))
        do(store.write, lambda connection: connection.execute(older))
        assert await ask(app, OPENING) == ALLOWED
        do(app.services.live_matches.guard_older_matches)
        assert await ask(app, OPENING) == REFUSED
        assert do(store.matches_guarded_by_hash) == []
        await match.send_ok(0, "resignations")
        assert do(store.guarded_positions, "diam-2003-2") == []


async def test_another_server_on_the_same_database_knows_it_at_once(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await play_match(app, OPENING)
        assert app.services.settings.database
        database = app.services.settings.database
        async with open_app(tmp_path, database=database) as other:
            answer_at_once(other)
            assert await ask(other, OPENING) == REFUSED
            assert await ask(other, [], match=match.id) == REFUSED


async def test_an_analysis_ends_when_people_come_to_what_is_analysed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "LOOK_SECONDS", 0.0)
    async with open_app(tmp_path) as app:
        answer_at_once(app)
        app.services.engines.source.pools[-1].slicer = lambda _question: AnalysisReport(
            1, 1, 0.1, REPORT.lines, done=False
        )
        check = app.services.engines.fair_play.check_line
        asked: list[int] = []

        async def check_later(line: Line) -> None:
            asked.append(len(line.positions))
            if len(asked) == 2:
                match = await app.services.store.match(driver.id)
                assert match
                await check(line)

        driver = await play_match(app, OPENING)
        monkeypatch.setattr(app.services.engines.fair_play, "check_line", check_later)
        answer = await app.visitor.post(PATH, {"game": "diam", "moves": OPENING})
        assert '"code":"fair_play"' in answer.text.splitlines()[-1]
        assert asked[0] == min(len(OPENING), NEAR_PLIES) + 1
