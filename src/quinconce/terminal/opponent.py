"""The engine as somebody who sits at the table: it gets ready in the background, then plays.

Until it is compiled for a game, it thinks in another process as plain Python, more slowly.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import wait
from functools import partial
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match, MatchData
from quinconce.core.record import Seat
from quinconce.core.worker_pools import WorkerPool, plain_process_pool
from quinconce.engine.levels import LAST_LEVEL
from quinconce.engine.warmup import (
    NEARLY_ALL,
    USUAL_FUNCTIONS,
    Step,
    Warmup,
    compile_step,
    count_compiled,
    form_of,
)

TELL_EVERY: Final = 0.3  # seconds between two looks at how far the engine is
Tell = Callable[[float], None]  # is told how much of the engine is compiled, from 0 to 1


def ignore_progress(_share: float) -> None:
    """Show nothing."""


class Opponent:
    """The engine for one game; people can move while it is compiled."""

    def __init__(
        self,
        game: Game[Any],
        warmup: Warmup | None = None,
        plain: WorkerPool | None = None,
    ) -> None:
        self.game = game
        form = form_of(game)
        self.step = Step(form, "play")
        self.warmup = warmup or Warmup([self.step, Step(form, "proofs")], compile_step)
        self.plain = plain or WorkerPool(partial(plain_process_pool, 1))
        self.functions = 0  # compiled in this process
        self.thread = threading.Thread(target=self._load, daemon=True)
        if self.is_compiled():
            self.thread.start()
        else:
            self.plain.submit(load_engine)
            self.warmup.start()

    def is_compiled(self) -> bool:
        """Whether compiled code can play, or is not waited for any more."""
        return not self.warmup.is_open(self.step)

    def move(self, match: Match[Any], seat: Seat, tell: Tell = ignore_progress) -> str:
        """The move it plays in a seat that has a level."""
        assert seat.level is not None
        return self._choose(match, seat.level, seat.seed, tell)

    def hint(self, match: Match[Any], tell: Tell = ignore_progress) -> str:
        """The move it would advise anybody to play."""
        return self._choose(match, LAST_LEVEL, None, tell)

    def would_stop(self, match: Match[Any], seat: int, tell: Tell = ignore_progress) -> bool:
        """Whether it agrees to stop: not if it thinks it is better."""
        self._finish_loading(tell)
        from quinconce.engine.move_choice import accepts_offer

        return accepts_offer(match, seat)

    def _choose(self, match: Match[Any], level: int, seed: int | None, tell: Tell) -> str:
        if not self.is_compiled():
            answer = self.plain.submit(choose_move, MatchData.of(match), level, seed)
            while not (answer.done() or self.is_compiled()):
                tell(self.warmup.share(self.step))
                wait([answer], TELL_EVERY)
            # Plain Python refuses where something is proved.
            if answer.done() and answer.exception() is None:
                return answer.result()
        self._finish_loading(tell)
        from quinconce.engine import choose

        return choose(match, level, seed=seed)

    def _finish_loading(self, tell: Tell) -> None:
        """Compile in this process what is left to compile: somebody waits for it."""
        self.close()
        if self.thread.ident is None:
            self.thread.start()
        while self.thread.is_alive():
            self.thread.join(TELL_EVERY)
            if self.functions:
                tell(min(self.functions / USUAL_FUNCTIONS[self.step.stage], NEARLY_ALL))

    def _load(self) -> None:
        from quinconce.engine import prepare  # Numba is slow to load

        with count_compiled(self._count):
            prepare(self.game, informed=True)

    def _count(self, functions: int) -> None:
        self.functions = functions

    def close(self) -> None:
        """Let its processes go; what they have compiled stays."""
        self.warmup.close()
        self.plain.kill()


# In the process without compiled code.


def load_engine() -> None:
    """Load what is needed to think."""
    from quinconce.engine import move_choice

    assert move_choice


def choose_move(data: MatchData, level: int, seed: int | None) -> str:
    """The move of a level."""
    from quinconce.engine import choose

    return choose(data.match(), level, seed=seed)
