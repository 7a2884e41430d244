"""The engine in the terminal, before and after it is compiled; nothing is compiled here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from fake_warmups import FakeCompiler, play
from rich.console import Console
from waiting import PATIENCE

from quinconce import Match, Record, Seat, game
from quinconce.core.worker_pools import WorkerPool
from quinconce.terminal import opponent as module
from quinconce.terminal.match_prompt import MatchPrompt
from quinconce.terminal.opponent import Opponent
from quinconce.words import Voice

DIADEMA = play("diadema")


class FakeOpponent:
    """An opponent whose process without compiled code is a thread, which says that it is plain."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.compiler = FakeCompiler()
        self.go = threading.Event()
        self.go.set()
        self.prepared = threading.Event()  # in this process
        self.told: list[float] = []
        monkeypatch.setattr(module, "TELL_EVERY", 0.01)
        monkeypatch.setattr(module, "load_engine", lambda: None)
        monkeypatch.setattr(module, "choose_move", self.think_plainly)
        monkeypatch.setattr("quinconce.engine.move_choice.choose", self.think)
        monkeypatch.setattr("quinconce.engine.preparation.prepare", self.prepare)
        monkeypatch.setattr(module, "count_compiled", self.count)
        pool = WorkerPool(lambda: ThreadPoolExecutor(1))
        self.opponent = Opponent(game("diadema"), self.compiler.warmup([DIADEMA]), pool)

    def think_plainly(self, _data: object, level: int, _seed: int | None) -> str:
        self.go.wait(PATIENCE)
        if level == 10:
            raise ValueError("something is proved")
        return "plain"

    def think(self, _match: object, _level: int, *, seed: int | None) -> str:
        return "compiled"

    @contextmanager
    def count(self, tell: Callable[[int], object]) -> Iterator[None]:
        tell(20)
        yield

    def prepare(self, _game: object, *, informed: bool) -> None:
        self.prepared.wait(PATIENCE)

    def move(self, level: int) -> str:
        return self.opponent.move(Match(game("diadema")), Seat(level=level, seed=1), self.tell)

    def tell(self, share: float) -> None:
        """What is being told can change what happens next."""
        self.told.append(share)
        if share:
            self.prepared.set()


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpponent]:
    made = FakeOpponent(monkeypatch)
    yield made
    made.go.set()
    made.prepared.set()
    made.compiler.finish(10)
    made.opponent.close()


def test_plain_python_plays_until_the_engine_is_compiled(fake: FakeOpponent) -> None:
    fake.compiler.wait_for(DIADEMA)
    assert fake.move(3) == "plain"
    assert fake.move(4) == "plain"
    fake.compiler.finish()
    fake.compiler.done.add(DIADEMA)
    fake.prepared.set()
    assert fake.move(3) == "compiled"


def test_full_strength_is_compiled_here_where_something_is_proved_and_progress_is_told(
    fake: FakeOpponent,
) -> None:
    fake.compiler.wait_for(DIADEMA)
    assert fake.move(10) == "compiled"
    assert fake.told[-1] == 0.4
    assert not fake.opponent.warmup.is_open(DIADEMA)  # one process compiles, not two


def test_compiled_code_answers_if_it_is_there_first(fake: FakeOpponent) -> None:
    fake.compiler.wait_for(DIADEMA)
    fake.go.clear()
    fake.compiler.finish()
    assert fake.move(3) == "compiled"


def test_a_warmup_that_dies_is_not_waited_for(fake: FakeOpponent) -> None:
    fake.compiler.errors = [MemoryError(), MemoryError()]
    fake.go.clear()
    fake.compiler.finish(2)
    assert fake.move(3) == "compiled"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Preparing the engine for Diädema (first time only): about 40 %"),
        (
            "fr",
            "Préparation du moteur pour Diädema (la première fois seulement)\u00a0: "
            "environ 40\u00a0%",
        ),
    ],
)
def test_the_terminal_says_what_is_prepared(
    language: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match(game("diadema"))
    console = Console(force_terminal=True, width=100, legacy_windows=False)
    prompt = MatchPrompt(match, Record.of(match, ()), None, console, Voice(language))
    with prompt.progress(match.game.title) as tell:
        tell(0.4)
    assert said in capsys.readouterr().out
