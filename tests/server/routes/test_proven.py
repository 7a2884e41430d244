"""Proven results, over the network: of a whole match, from some position on, of legal moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import fake_engines
import pytest
from app_client import AppClient, open_app

import quinconce
from quinconce.solvers.endgames.tables import endgame_table
from quinconce.solvers.retrograde import solution

anyio = pytest.mark.anyio
pytestmark = pytest.mark.sqlite("it never comes to the database")
MOVES = ["@A", "@1", "@2", "@5", "@B"]


async def ask_truths(app: AppClient, **wish: Any) -> Any:
    return await app.visitor.post("/api/truths", wish)


@anyio
async def test_every_position_of_a_solved_game_has_its_value(tmp_path: Path) -> None:
    game = quinconce.game("diadema")
    match, table = quinconce.Match(game), solution(game)
    assert table
    expected = [table.value(match.position)]
    played = []
    for text in MOVES:
        played.append(table.move_values(match.position)[text])
        expected.append(table.value(match.play(text)))
    async with open_app(tmp_path, fake_engines.first_move) as app:
        told = (await ask_truths(app, game="diadema", moves=MOVES)).json()
        assert [(each["result"], each["plies"]) for each in told["positions"]] == expected
        assert [(each["result"], each["plies"]) for each in told["played"]] == played
        assert set(told["legal"]) == set(match.legal())
        late = (await ask_truths(app, game="diadema", moves=MOVES, since=4)).json()
        assert (late["since"], late["positions"]) == (4, told["positions"][4:])
        assert late["played"] == told["played"][4:]
        assert [each["moves"] for each in told["positions"]] == [
            None if plies is None else (plies + (result == "win")) // 2
            for result, plies in expected
        ]
        words = {
            "win": "Player 2 (dark) wins in ",
            "draw": "drawn",
            "loss": "Player 1 (light) wins",
        }
        assert {each["result"] for each in told["legal"].values()} - {"draw"}
        for each in told["legal"].values():
            assert each["words"].startswith(words[each["result"]])
        french = await app.visitor.post("/api/truths?lang=fr", {"game": "diadema"})
        assert french.json()["positions"][0]["words"] == "nulle"


@anyio
async def test_where_nothing_is_proved_nothing_is_said(tmp_path: Path) -> None:
    async with open_app(tmp_path, fake_engines.first_move) as app:
        told = (await ask_truths(app, game="buts", moves=["G2^E4"])).json()
        assert (told["positions"], told["played"], told["legal"]) == ([None, None], [None], {})


@anyio
async def test_it_is_said_how_far_the_endings_are_solved_here(tmp_path: Path) -> None:
    seven = "w.w.w/...../b.b.b/...../..w.. turn=0 phase=2 duty=0"
    jam = "w..../...../...../...../....b turn=0 phase=2 duty=0"
    async with open_app(tmp_path, fake_engines.first_move) as app:
        for position, options, words in (
            (jam, {}, "Proven: neither side can force another capture."),
            (
                seven,
                {"reach": "step"},
                "Not proven. Endings with at most 6 pawns are solved here; "
                "for more, run «quinconce solve seega -o reach=step --pawns 7».",
            ),
        ):
            game = quinconce.game("seega", **options)
            assert endgame_table(game)  # as far as it is solved at need
            told = (await ask_truths(app, game="seega", options=options, position=position)).json()
            assert (told["positions"], told["notes"]) == ([None], [words])
        told = (await ask_truths(app, game="buts")).json()
        assert told["notes"] == [None]  # nothing is solved of this game


@anyio
async def test_nonsense_is_refused(tmp_path: Path) -> None:
    async with open_app(tmp_path, fake_engines.first_move) as app:
        for wish, status in (
            ({"game": "chess"}, 422),
            ({}, 422),
            ({"game": "diadema", "moves": ["@Z"]}, 422),
            ({"game": "diadema", "since": -1}, 400),
            ({"game": "diadema", "moves": ["@A"] * 2001}, 400),
        ):
            answer = await ask_truths(app, **wish)
            assert answer.status_code == status, wish
            assert answer.json()["error"]
