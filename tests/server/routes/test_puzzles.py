"""Puzzles over the network: read, tried, solved; nonsense is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import fake_engines
import pytest
from app_client import AppClient, open_app
from waiting import until_true

import quinconce
from quinconce.core.registry import game
from quinconce.puzzles.puzzle import Puzzle, games_with_puzzles, puzzles_for

anyio = pytest.mark.anyio
pytestmark = pytest.mark.sqlite("it never comes to the database")
BODIES: list[dict[str, list[str]]] = [
    {},
    {"moves": []},
    {"moves": ["x" * 401]},
    {"moves": ["r@1"] * 129},
]
FIRST = {
    repr(rules): puzzles_for(rules)[0]
    for name in quinconce.names()
    for rules in games_with_puzzles(name)
}


async def try_moves(app: AppClient, puzzle: Puzzle, *moves: str) -> Any:
    return await app.visitor.post(f"/api/puzzles/{puzzle.id}/moves", {"moves": list(moves)})


@anyio
@pytest.mark.slow
@pytest.mark.parametrize("puzzle", FIRST.values(), ids=FIRST.keys())
async def test_a_puzzle_is_solved_move_by_move(puzzle: Puzzle, tmp_path: Path) -> None:
    async with open_app(tmp_path, fake_engines.first_move) as app:
        told = (await app.visitor.get(f"/api/puzzles/{puzzle.id}")).json()
        assert told["position"] == puzzle.game.write(puzzle.position)
        assert told["words"].endswith("moves.")
        assert {each["move"] for each in told["scene"]["legal"]} == set(puzzle.match().legal())
        moves: list[str] = []
        while len(moves) < puzzle.plies:
            answer = await try_moves(app, puzzle, *moves, puzzle.line[len(moves)])
            assert answer.status_code == 200, answer.text
            judged = answer.json()
            moves = judged["moves"]
            assert moves == list(puzzle.line[: len(moves)])
            assert judged["scene"]["ply"] == len(moves)
            assert judged["scene"]["svg"].startswith("<svg")
        assert judged["verdict"] == "solved"
        assert judged["words"] == "Solved!"
        shown = (await app.visitor.get(f"/api/puzzles/{puzzle.id}/solution")).json()
        assert shown["moves"] == list(puzzle.line)
        assert shown["words"].startswith("No other first move wins")


@anyio
async def test_a_wrong_move_is_told_and_may_be_tried_again(tmp_path: Path) -> None:
    puzzle = puzzles_for(game("diadema"))[0]
    wrong = next(text for text in puzzle.match().legal() if text != puzzle.line[0])
    async with open_app(tmp_path, fake_engines.first_move) as app:
        judged = (await try_moves(app, puzzle, wrong)).json()
        assert judged["verdict"] == "wrong"
        assert judged["words"] == "That lets the win slip."
        assert judged["moves"] == []
        assert judged["scene"]["legal"]
        judged = (await try_moves(app, puzzle, puzzle.line[0].lower())).json()  # as people type
        assert judged["verdict"] == "right"
        told = await app.visitor.get(f"/api/puzzles/{puzzle.id}?lang=fr")
        assert told.json()["words"].endswith("de gagner en 2 coups.")


@anyio
async def test_nonsense_is_refused(tmp_path: Path) -> None:
    puzzle = puzzles_for(game("diam"))[0]
    async with open_app(tmp_path, fake_engines.first_move) as app:
        for path in ("/api/puzzles/aaaaaaaa", "/api/puzzles/aaaaaaaa/solution"):
            answer = await app.visitor.get(path)
            assert (answer.status_code, answer.json()["code"]) == (404, "puzzle")
        assert (await app.visitor.get("/api/puzzles/no")).status_code == 400
        path = f"/api/puzzles/{puzzle.id}/moves"
        for body in BODIES:
            assert (await app.visitor.post(path, body)).status_code == 400, body
        for moves in (["nonsense"], [""], ["r@1"] * (puzzle.plies + 1), list(puzzle.line[:2])):
            answer = await try_moves(app, puzzle, *moves)
            assert answer.status_code == 422, moves
            assert answer.json()["error"]
        assert (await app.visitor.get("/api/puzzles?game=chess")).status_code == 422


@anyio
async def test_the_list_names_every_puzzle_of_a_game(tmp_path: Path) -> None:
    async with open_app(tmp_path, fake_engines.first_move) as app:
        for name in quinconce.names():
            told = (await app.visitor.get(f"/api/puzzles?game={name}")).json()
            known = [each for rules in games_with_puzzles(name) for each in puzzles_for(rules)]
            assert [each["id"] for each in told] == [each.id for each in known]
            assert {"id", "options", "grade", "goal", "plies", "themes"} == told[0].keys()


@anyio
async def test_whoever_tries_waits_like_whoever_wants_a_hint(tmp_path: Path) -> None:
    """Judges think where engines do, and as few of them may wait as of hints."""
    gate = fake_engines.Gate()
    puzzle = puzzles_for(game("diadema"))[0]
    async with open_app(tmp_path, gate.first_move, limits={"engine_queue": 2}) as app:
        await app.create_match(seats=[{"kind": "engine", "level": 1}, {"kind": "me"}])
        await until_true(lambda: gate.arrivals)
        answer = await try_moves(app, puzzle, puzzle.line[0])
        gate.open()
        assert answer.status_code == 429
        assert int(answer.headers["Retry-After"]) >= 5


@anyio
async def test_the_page_finds_the_form_or_says_that_there_is_none(tmp_path: Path) -> None:
    async with open_app(tmp_path, fake_engines.first_move) as app:
        for path in ("/puzzles/diam", "/puzzles/diam?edition=1997", "/puzzles/seega"):
            page = await app.visitor.get(path)
            assert page.status_code == 200
            assert 'id="puzzles"' in page.text
        page = await app.visitor.get("/puzzles/seega?size=9")
        assert "no puzzles for these rules" in page.text
        assert 'id="puzzles"' not in page.text
        assert (await app.visitor.get("/puzzles/chess")).status_code == 404
        assert (await app.visitor.get("/puzzles/seega?size=6")).status_code == 422
