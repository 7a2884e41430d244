"""The engine in the terminal: only what needs a proof waits until it is loaded."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from waiting import PATIENCE, until

from quinconce import Match, Seat, game
from quinconce.terminal.opponent import Opponent


class SlowProofs:
    """An engine that moves at once; what is proved is loaded when a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.loaded = threading.Event()
        self.informed: list[bool] = []
        monkeypatch.setattr("quinconce.engine.preparation.prepare", self.prepare)
        monkeypatch.setattr("quinconce.engine.move_choice.choose", self.choose)
        monkeypatch.setattr("quinconce.engine.move_choice.accepts_offer", self.accepts_offer)
        self.match = Match(game("diadema"))
        self.opponent = Opponent(self.match.game)

    def prepare(self, _game: object, *, informed: bool) -> None:
        self.informed.append(informed)
        assert self.loaded.wait(PATIENCE)

    def choose(self, _match: object, level: int, *, seed: int | None) -> str:
        assert level < 10 or self.loaded.is_set()
        return f"{level} {seed}"

    def accepts_offer(self, _match: object, seat: int) -> bool:
        assert self.loaded.is_set()
        return seat == 1


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowProofs]:
    made = SlowProofs(monkeypatch)
    yield made
    made.loaded.set()
    made.opponent.loading.join()


def test_a_level_moves_while_what_is_proved_is_loaded(engine: SlowProofs) -> None:
    assert engine.opponent.move(engine.match, Seat(level=3, seed=1)) == "3 1"
    until(lambda: engine.informed == [True])
    assert engine.opponent.loading.is_alive()


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (lambda engine: engine.opponent.move(engine.match, Seat(level=10, seed=1)), "10 1"),
        (lambda engine: engine.opponent.hint(engine.match), "10 None"),
        (lambda engine: engine.opponent.would_stop(engine.match, 1), True),
        (lambda engine: engine.opponent.would_stop(engine.match, 0), False),
    ],
    ids=["move", "hint", "stop", "play on"],
)
def test_full_strength_and_offers_wait_for_what_is_proved(
    ask: Callable[[SlowProofs], object],
    answer: object,
    engine: SlowProofs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    join = engine.opponent.loading.join

    def load_while_waited_for() -> None:
        engine.loaded.set()
        join()

    monkeypatch.setattr(engine.opponent.loading, "join", load_while_waited_for)
    assert ask(engine) == answer
