"""Lines that a page has found itself: put into words by the rules, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_client import open_app
from corpus import FORMS

from quinconce.core.match import Match
from quinconce.core.registry import game
from quinconce.engine.page_search import pack, page_search
from quinconce.kernels.kernel import kernel_for

pytestmark = pytest.mark.anyio
PATH = "/api/analysis/words"
MOVES = ["@A", "@D", "@B"]


def packed(moves: list[str]) -> str:
    """The states after each of these moves."""
    match = Match(game("diadema"))
    kernel = kernel_for(match.game)
    states = []
    for text in moves:
        match.play(text)
        states.append(kernel.encode(match.position))
    return pack(states)


def wish(states: str, score: int = 25, proved: int | None = None, **more: Any) -> dict[str, Any]:
    line = {"states": states, "score": score, "proved": score if proved is None else proved}
    return {"game": "diadema", "depth": 7, "lines": [line]} | more


async def test_states_become_moves_and_scores_become_words(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        answer = await app.visitor.post(PATH, wish(packed(MOVES)))
        assert answer.status_code == 200
        (line,) = answer.json()
        assert line["moves"] == MOVES
        assert 0.5 < line["score"] < 0.6
        assert line["words"].startswith("expected score 5")
        answer = await app.visitor.post(PATH, wish(packed(MOVES), 999_995))
        (line,) = answer.json()
        assert (line["value"], line["plies"], line["score"]) == ("win", 5, 1.0)
        assert line["words"] == "Player 1 (light) wins in 3 moves"


async def test_a_line_ends_where_the_rules_know_no_move(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        states = packed(MOVES)  # 32 characters for each
        answer = await app.visitor.post(PATH, wish(states[:32] + states[64:]))
        assert answer.json()[0]["moves"] == MOVES[:1]


@pytest.mark.parametrize(
    "states",
    ["", "no base64!", "AAAA", "AAAAAAAAAAA=", packed(["@A", "@D"])[32:], "/" * 32, "A" * 64],
)
async def test_what_is_no_line_is_refused(tmp_path: Path, states: str) -> None:
    async with open_app(tmp_path) as app:
        answer = await app.visitor.post(PATH, wish(states))
        assert answer.status_code == 422, answer.text


async def test_lines_among_more_than_two_sides_are_refused(tmp_path: Path) -> None:
    form = next(form for form in FORMS if len(form.sides) > 2)
    async with open_app(tmp_path) as app:
        many = wish(packed(MOVES)) | {"game": form.name, "options": dict(form.chosen)}
        answer = await app.visitor.post(PATH, many)
        assert answer.status_code == 422
        assert "two sides only" in answer.text


async def test_a_page_that_asks_gets_what_it_needs_to_search(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        body = {"game": "diadema", "moves": ["@A"]}
        assert (await app.visitor.post("/api/explore", body)).json()["search"] is None
        found = (await app.visitor.post("/api/explore", body | {"search": True})).json()
        match = Match(game("diadema"))
        match.play("@A")
        given = page_search(match)
        assert given
        assert found["search"]["moves"] == given.moves
        assert found["search"]["texts"] == [move["move"] for move in found["scene"]["legal"]]
        form = next(form for form in FORMS if len(form.sides) > 2)
        many = {"game": form.name, "options": dict(form.chosen), "search": True}
        assert (await app.visitor.post("/api/explore", many)).json()["search"] is None
