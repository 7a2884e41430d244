"""The route of the position editor."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_client import open_app

pytestmark = [pytest.mark.anyio, pytest.mark.sqlite("it never comes to the database")]


async def test_a_position_is_set_up_touch_by_touch(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:

        async def edit(**wish: object) -> dict[str, object]:
            answer = await app.visitor.post("/api/editor", {"game": "seega", **wish})
            assert answer.status_code == 200, answer.text
            told: dict[str, object] = answer.json()
            return told

        start = await edit()
        assert start["fault"] is None
        assert start["position"] == "...../...../...../...../..... turn=0 phase=1 duty=0"
        draft = await edit(position=start["position"], put={"place": "a5", "piece": "w"})
        assert "two at a time" in str(draft["fault"])
        assert 'data-piece="w"' in str(draft["svg"])
        draft = await edit(position=draft["position"], fields={"phase": 2, "turn": 1})
        assert draft["position"] == "w..../...../...../...../..... turn=1 phase=2 duty=0"
        assert draft["fault"] is None
        fields = draft["fields"]
        assert isinstance(fields, list)
        assert [(field["name"], field["value"], field["first"]) for field in fields] == [
            ("turn", 1, 0),
            ("phase", 2, 1),
            ("duty", 0, 0),
        ]
        assert fields[0]["values"] == ["Player 1 (White)", "Player 2 (Black)"]
        empty = await edit(position=draft["position"], clear=True)
        assert empty["fault"] == "the board is empty"


async def test_who_has_two_turns_in_a_round_is_told_with_who_follows(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        wish = {"game": "diam", "options": {"players": 3}}
        turns = (await app.visitor.post("/api/editor", wish)).json()["fields"][0]["values"]
        assert turns[0] == "Player 1 (red and orange), then player 2"
        assert turns[1] == "Player 2 (brown)"


async def test_what_is_no_position_is_refused_in_one_sentence(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        for wish in (
            {"game": "chess"},
            {"game": "diam", "position": "nonsense"},
            {"game": "diam", "position": "xxxx/" * 7 + "xxxx turn=0"},
            {"game": "diam", "fields": {"turn": 7}},
            {"game": "diam", "fields": {"board": 7}},
            {"game": "diam", "put": {"place": "9", "piece": "r"}},
            {"game": "diam", "put": {"place": "3", "piece": "z"}},
        ):
            answer = await app.visitor.post("/api/editor", wish)
            assert answer.status_code == 422, answer.text
            assert answer.json()["error"].count("\n") == 0
