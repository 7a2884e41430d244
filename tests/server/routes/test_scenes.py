"""What a view tells each reader of a position: only the player to move is told what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_client import open_app

pytestmark = pytest.mark.anyio
MUST_CAPTURE = "...../...../...../..w../wb..b turn=0 phase=2 duty=0"
BEFORE_BLOCKED = "...../...../...../b.b../wwb.. turn=1 phase=2 duty=0"


async def test_only_the_player_to_move_is_told_what_to_do(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match("seega", position=MUST_CAPTURE)
        guidance = (await match.view(0))["scene"]["guidance"]
        assert guidance["prompt"] == "You must capture: c2 can."
        assert guidance["aim"].startswith("To win")
        assert guidance["choose"]["w"] == "Choose where the white pawn goes."
        assert "a1" in guidance["hindrances"]["You must capture: c2 can."]
        assert sum("c2" in places for places in guidance["hindrances"].values()) == 0
        for other in (1, None):
            assert (await match.view(other))["scene"]["guidance"] is None


async def test_everybody_is_told_the_last_move_and_what_is_counted(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match("seega", position=MUST_CAPTURE)
        assert (await match.view())["scene"]["told"] is None
        await match.play("c2xc1")
        said = "moved c2 to c1 and captured b1"
        assert (await match.view(0))["scene"]["told"] == f"You {said}"
        assert (await match.view(1))["scene"]["told"] == f"Player 1 (White) {said}"
        french = (await match.watcher.get(f"{match.path}?lang=fr")).json()["scene"]
        assert french["told"] == "Joueur 1 (Blanc) a joué de c2 en c1 et pris b1"
        assert [tally["words"] for tally in french["tallies"][0]] == ["2 pions", "11 pris"]
        assert [tally["n"] for tally in french["tallies"][1]] == [1, 10]
        past = (await match.watcher.get(f"{match.path}/plies/0")).json()
        assert past["told"] is None
        assert [tally["n"] for tally in past["tallies"][1]] == [2, 10]


async def test_the_end_is_told_to_each_reader(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        await match.play("r@1 m@1 r@5 m@5")
        told = [(await match.view(who))["scene"]["outcome"]["told"] for who in (0, 1, None)]
        assert told == [
            "You lost: two brown pawns face to face at level 2.",
            "You won: two brown pawns face to face at level 2.",
            "Player 2 (brown and black) wins: two brown pawns face to face at level 2.",
        ]


async def test_the_server_never_passes_for_anybody(tmp_path: Path) -> None:
    """Programs send the pass themselves; a takeback goes behind it, to a move that was chosen."""
    async with open_app(tmp_path) as app:
        match = await app.create_match("seega", position=BEFORE_BLOCKED)
        view = await match.play("c2-b2")
        assert view["moves"] == ["c2-b2"]
        scene = (await match.view(0))["scene"]
        assert [move["move"] for move in scene["legal"]] == ["pass"]
        assert scene["guidance"]["prompt"].startswith("You cannot move: you pass")
        assert (await match.send(0, "agreements", matter="takeback")).status_code == 422
        await match.play("pass")
        assert (await match.send(0, "agreements", matter="takeback")).status_code == 422
        await match.send_ok(1, "agreements", matter="takeback")
        await match.send_ok(0, "agreements", matter="takeback")
        assert (await match.view())["moves"] == []
