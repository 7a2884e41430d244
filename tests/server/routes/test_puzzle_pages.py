"""The pages of puzzles without a browser: the day's, the run's, sheets; hints and refutations."""

from __future__ import annotations

import re
from pathlib import Path

import fake_engines
import pytest
from app_client import open_app

import quinconce
from quinconce.core.registry import game
from quinconce.puzzles.puzzle import (
    daily_puzzle,
    games_with_puzzles,
    puzzles_by_id,
    puzzles_for,
    today,
)

anyio = pytest.mark.anyio
pytestmark = pytest.mark.sqlite("it never comes to the database")


@anyio
async def test_the_puzzle_of_the_day_is_the_same_for_everybody(tmp_path: Path) -> None:
    async with open_app(tmp_path, fake_engines.first_move) as app:
        for name in quinconce.names():
            before = today()
            answers = [await app.visitor.get(f"/puzzles/{name}/today") for _n in range(2)]
            rules = games_with_puzzles(name)[0]
            wanted = {
                puzzle.id for day in (before, today()) if (puzzle := daily_puzzle(rules, day))
            }
            for answer in answers:
                (redirect,) = answer.history
                assert redirect.headers["Cache-Control"] == "no-store"
                id_ = redirect.headers["Location"].partition("#")[2]
                assert id_ in wanted
                assert f'"{id_}"' in answer.text
        assert (await app.visitor.get("/puzzles/seega/today?size=9")).status_code == 404
        assert (await app.visitor.get("/puzzles/chess/today")).status_code == 404


@anyio
async def test_a_run_knows_all_its_puzzles(tmp_path: Path) -> None:
    async with open_app(tmp_path, fake_engines.first_move) as app:
        every = (await app.visitor.get("/puzzles/run")).text
        assert every.count('"grade"') == len(puzzles_by_id())
        one = (await app.visitor.get("/puzzles/diam/run?edition=1997")).text
        rules = game("diam", edition="1997")
        assert one.count('"grade"') == len(puzzles_for(rules))
        assert (await app.visitor.get("/puzzles/chess/run")).status_code == 404


@anyio
async def test_a_sheet_has_as_many_as_asked_for_with_their_solutions(tmp_path: Path) -> None:
    async with open_app(tmp_path, fake_engines.first_move) as app:
        for query, n in (("", 12), ("?count=5", 5), ("?count=60&grade=3", 34)):
            page = (await app.visitor.get(f"/puzzles/diam/print{query}")).text
            assert page.count("<figure>") == n
            numbers = [int(found) for found in re.findall(r"<li><b>(\d+)\.</b> <code>", page)]
            assert len(numbers) == n
            assert numbers == sorted(numbers)
            for number in numbers:
                assert " ".join(puzzles_for(game("diam"))[number - 1].line) in page
        page = (await app.visitor.get("/puzzles/diadema/print?theme=save&count=3&lang=fr")).text
        assert len(re.findall(r"</b> [^<]*nulle", page)) == 3
        assert "style=" not in page
        none = await app.visitor.get("/puzzles/buts/print?theme=captures&lang=en")
        assert "no puzzles of this kind" in none.text
        for query in ("count=0", "count=61", "count=x", "grade=6", "grade=-1"):
            answer = await app.visitor.get(f"/puzzles/diam/print?{query}")
            assert answer.status_code == 422, query


@anyio
async def test_a_hint_says_where_the_next_move_begins(tmp_path: Path) -> None:
    puzzle = puzzles_for(game("seega"))[0]
    async with open_app(tmp_path, fake_engines.first_move) as app:
        path = f"/api/puzzles/{puzzle.id}/hints"
        for moves in ([], list(puzzle.line[:2])):
            answer = await app.visitor.post(path, {"moves": moves})
            assert answer.status_code == 200, answer.text
            move = puzzle.line[len(moves)]
            assert answer.json() == {"places": sorted(puzzle.game.touches(move)[0])}
        for moves in (["nonsense"], ["a1-a2"] * 40):
            assert (await app.visitor.post(path, {"moves": moves})).status_code == 422
        assert (await app.visitor.post(path, {"moves": 3})).status_code == 400


@anyio
async def test_a_wrong_move_comes_back_with_its_refutation(tmp_path: Path) -> None:
    puzzle = puzzles_for(game("diadema"))[0]
    wrong = next(text for text in puzzle.match().legal() if text != puzzle.line[0])
    async with open_app(tmp_path, fake_engines.first_move) as app:
        path = f"/api/puzzles/{puzzle.id}/moves"
        told = (await app.visitor.post(path, {"moves": [wrong]})).json()["refutation"]
        assert told["moves"][0] == wrong
        assert len(told["moves"]) == told["scene"]["ply"] == 2
        assert told["moves"][1] in told["words"]
        right = (await app.visitor.post(path, {"moves": [puzzle.line[0]]})).json()
        assert right["refutation"] is None
