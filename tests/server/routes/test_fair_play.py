"""Fair play: a game that people play just now is analysed by nobody, on no server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_client import AppClient, MatchDriver, open_app

from quinconce.core.match import replay
from quinconce.core.registry import game
from quinconce.engine.slices import AnalysisReport, ReportLine
from quinconce.server.matches.fair_play import FIRST_PLY, NEAR_PLIES
from quinconce.server.routes import analysis as analysis_route

pytestmark = pytest.mark.anyio
PATH = "/api/analysis"
REPORT = AnalysisReport(1, 1, 0.1, (ReportLine(("m@2",), 0.5),), done=True)
WORDS = "people play this game just now: the engine stays off until it is over"
OPENING = ["r@1", "m@2", "r@3", "m@4", "o@5", "n@6", "o@7", "n@8"]  # FIRST_PLY moves
ONWARD = ["r@1", "m@2", "r@3", "m@4"]
ALONE = [{"kind": "me"}, {"kind": "here"}]


def answer_at_once(app: AppClient) -> None:
    """Let the engine know everything at once."""
    app.services.engines.compiled.slicer = lambda _question: REPORT


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
    monkeypatch.setattr(analysis_route, "LOOK_SECONDS", 0.0)
    async with open_app(tmp_path) as app:
        answer_at_once(app)
        app.services.engines.compiled.slicer = lambda _question: AnalysisReport(
            1, 1, 0.1, REPORT.lines, done=False
        )
        check = app.services.live_matches.check_line
        asked: list[int] = []

        async def check_later(hashes: Any) -> None:
            asked.append(len(hashes))
            if len(asked) == 2:
                match = await app.services.store.match(driver.id)
                assert match
                await check(hashes)

        driver = await play_match(app, OPENING)
        monkeypatch.setattr(app.services.live_matches, "check_line", check_later)
        answer = await app.visitor.post(PATH, {"game": "diam", "moves": OPENING})
        assert '"code":"fair_play"' in answer.text.splitlines()[-1]
        assert asked[0] == min(len(OPENING), NEAR_PLIES) + 1
