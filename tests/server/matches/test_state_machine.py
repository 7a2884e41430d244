"""Anything may be sent in any order: the server and the plain rules stay of one mind."""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import fake_engines
import pytest
from app_client import TEST_HOST, make_settings
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from litestar.testing import TestClient

from quinconce import Game, Match
from quinconce.core.move_input import parse_typed_move
from quinconce.core.registry import game_forms, names
from quinconce.server.app import application

GENEROUS = {"writes_per_minute": 10**6, "matches_per_hour": 10**6}


class Playing(RuleBasedStateMachine):
    """People who move, ask, refuse, retry, come late and resign, and a server that restarts."""

    def __init__(self) -> None:
        super().__init__()
        self.room = tempfile.TemporaryDirectory()
        self.open()

    def open(self) -> None:
        options = make_settings(Path(self.room.name), limits=dict(GENEROUS))
        app = application(options, fake_engines.first_move, ThreadPoolExecutor)
        self.client = TestClient(app, base_url=f"http://{TEST_HOST}")
        self.client.__enter__()

    def teardown(self) -> None:
        self.client.__exit__(None, None, None)
        self.room.cleanup()

    @initialize(
        game=st.sampled_from(names()).flatmap(lambda name: st.sampled_from(game_forms(name)))
    )
    def make(self, game: Game[Any]) -> None:
        self.match = Match(game)
        self.seq = 0
        self.came: set[int] = set()  # who has done something
        self.past: list[tuple[int, int, str]] = []  # what was granted: seq before, seat, move
        self.asked: tuple[str, set[int], int] | None = None
        seats = [{"kind": "friend"}] * game.seats
        body = {"game": game.name, "options": game.chosen, "seats": seats, "order": "given"}
        made = self.client.post("/api/matches", json=body).json()
        self.tokens = [seat["link"].split("#")[1] for seat in made["seats"]]
        self.path = f"/api/matches/{made['id']}"
        self.client.cookies.clear()

    def post(self, what: str, seat: int, seq: int, **body: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        return self.client.post(f"{self.path}/{what}", json={"seq": seq, **body}, headers=headers)

    def view(self, seat: int) -> Any:
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        return self.client.get(self.path, headers=headers).json()

    @property
    def goes_on(self) -> bool:
        return self.match.outcome() is None

    def ended(self) -> int:
        """The end is an event of its own."""
        return 0 if self.goes_on else 1

    @precondition(lambda self: self.goes_on)
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        seat, text = self.match.seat, data.draw(st.sampled_from(sorted(self.match.legal())))
        answer = self.post("moves", seat, self.seq, move=text)
        assert answer.status_code == 200, answer.text
        self.came.add(seat)
        self.past.append((self.seq, seat, text))
        self.match.play(text)
        self.seq += 1 + self.ended()
        self.asked = None

    @rule(data=st.data(), text=st.text("abcdefgh12345@x^-+.rmno", min_size=1, max_size=8))
    def garbage(self, data: st.DataObject, text: str) -> None:
        game, position = self.match.game, self.match.position
        with suppress(ValueError):  # what could mean several moves is garbage too
            if self.goes_on and parse_typed_move(game, position, text) in self.match.legal():
                return
        seat = data.draw(st.integers(0, self.match.game.seats - 1))
        assert self.post("moves", seat, self.seq, move=text).status_code in (409, 422)

    @precondition(lambda self: self.past)
    @rule(data=st.data())
    def again(self, data: st.DataObject) -> None:
        seq, seat, text = data.draw(st.sampled_from(self.past))
        answer = self.post("moves", seat, seq, move=text)
        assert (answer.status_code, answer.json()["new"]) == (200, False)
        other = (seat + 1) % self.match.game.seats
        assert self.post("moves", other, seq, move=text).status_code == 409

    @precondition(lambda self: self.seq and self.goes_on)
    @rule(data=st.data())
    def late(self, data: st.DataObject) -> None:
        seq = data.draw(st.integers(0, self.seq - 1))
        text = min(self.match.legal())
        if (seq, self.match.seat, text) not in self.past:
            assert self.post("moves", self.match.seat, seq, move=text).status_code == 409

    @precondition(lambda self: self.goes_on)
    @rule(data=st.data(), matter=st.sampled_from(["takeback", "stop"]))
    def ask(self, data: st.DataObject, matter: str) -> None:
        game = self.match.game
        seat = data.draw(st.integers(0, game.seats - 1))
        turns = enumerate(zip(self.match.positions, self.match.moves, strict=False))
        plies = [n for n, (p, move) in turns if game.seat(p) == seat and move != "pass"]
        if self.asked and self.asked[0] != matter:
            return
        answer = self.post("agreements", seat, self.seq, matter=matter)
        if matter == "takeback" and not plies and not self.asked:
            assert answer.status_code == 422
            return
        assert answer.status_code == 200, answer.text
        self.seq += 1
        if self.asked is None:
            self.asked = (matter, set(), plies[-1] if plies else 0)
        self.asked[1].add(seat)
        self.came.add(seat)
        wanted = self.came if matter == "takeback" else set(range(game.seats))
        if matter == "stop":
            self.match.agree(seat)
        if self.asked[1] >= wanted:
            ply = self.asked[2]
            self.asked = None
            self.seq += 1
            while matter == "takeback" and len(self.match.moves) > ply:
                self.match.undo()

    @precondition(lambda self: self.asked)
    @rule(data=st.data())
    def refuse(self, data: st.DataObject) -> None:
        assert self.asked
        seat = data.draw(st.integers(0, self.match.game.seats - 1))
        answer = self.post("refusals", seat, self.seq, matter=self.asked[0])
        assert answer.status_code == 200
        self.came.add(seat)
        self.match.agreeing.clear()
        self.asked = None
        self.seq += 1

    @precondition(lambda self: self.goes_on and len(self.match.game.sides) == 2)
    @rule(data=st.data(), really=st.integers(0, 5))
    def resign(self, data: st.DataObject, really: int) -> None:
        if really:  # or every match would end so
            return
        seat = data.draw(st.integers(0, self.match.game.seats - 1))
        assert self.post("resignations", seat, self.seq).status_code == 200
        self.came.add(seat)
        self.match.resign(seat)
        self.seq += 1 + self.ended()
        if not self.goes_on:
            self.asked = None

    @rule(really=st.integers(0, 9))
    def restart(self, really: int) -> None:
        if not really:
            self.client.__exit__(None, None, None)
            self.open()

    @invariant()
    def of_one_mind(self) -> None:
        if not hasattr(self, "match"):
            return
        seat, outcome = self.match.seat, self.match.outcome()
        view = self.view(seat)
        scene = view["scene"]
        assert view["seq"] == self.seq
        assert view["moves"] == self.match.moves
        assert scene["position"] == self.match.game.write(self.match.position)
        assert [move["move"] for move in scene["legal"] or []] == list(self.match.legal())
        assert set(view["resigning"]) == (set() if outcome else self.match.resigning)
        told = scene["outcome"]
        assert (told and tuple(told["winners"])) == (outcome and outcome.winners)
        assert (told and told["reason"]) == (outcome and outcome.reason)


TestPlaying = pytest.mark.slow(Playing.TestCase)
TestPlaying.settings = hypothesis_settings(max_examples=8, stateful_step_count=20, deadline=None)
