"""Matches played inside the kernels: thousands, with few nodes a move.

Rules, texts and roots of a match cost more than a search of some hundred nodes does. Here a match
is a list of states; what ends one is the same as in a real one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from quinconce import Game
from quinconce.engine.alpha_beta import ENTRY, LAST_DEPTH, UNLIMITED
from quinconce.engine.analysis import prepare
from quinconce.engine.match_runner import LONGEST
from quinconce.engine.root_moves import entered
from quinconce.engine.scores import INFINITE, PROVED, plies_to
from quinconce.engine.search import answered, search
from quinconce.engine.solved import NO_ENDINGS
from quinconce.engine.transpositions import table_for
from quinconce.engine.workspace import (
    APART,
    DEEPEST,
    NODES,
    NOISE,
    QUIET,
    SEED,
    SLOTS,
    STOP,
    THREADS,
    Workspace,
    desk_for,
)
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel
from quinconce.kernels.protocol import Weights

BALANCING: Final = 3000  # nodes to see whether an opening is fair
SEEN: Final = 1 << 11  # room for the positions of a match, a power of two
DECIDED: Final = 2  # a victory on the board, beside 1 for one by counting


class Bout(NamedTuple):
    """A match after its opening: its states, and what the first side got, from -2 to 2."""

    states: list[Any]
    result: int


class Corner:
    """A player: his weights, and room to search so many nodes."""

    def __init__(self, game: Game[Any], weighing: Weights, nodes: int) -> None:
        prepare(game)
        self.nodes = nodes
        control = np.zeros(APART, np.int64)
        control[[QUIET, THREADS]] = game.quiet_limit or 0, 1
        self.space = Workspace._make(
            (
                *desk_for(self, kernel(game)),
                control,
                table_for(self, ENTRY * nodes / (1 << 20)),
                np.zeros((SEEN, 2), np.int64),
                np.zeros(SLOTS, np.int64),
                weighing,
                NO_ENDINGS,
            )
        )

    def best(self, state: Any, calm: int, before: Counter[int]) -> tuple[int, int]:
        """The row of the best move, and its score."""
        space = self.space
        for used in (space.table, space.killers, space.history, space.nodes):
            used.fill(0)
        entered(before, space.seen)
        space.control[[STOP, NODES]] = 0, UNLIMITED
        row = score = 0
        for depth in range(1, LAST_DEPTH):
            found = int(search(state, depth, -INFINITE, INFINITE, 0, calm, space))
            if space.control[STOP]:
                break
            row, score = max(0, int(answered(state, calm, space))), found
            if abs(score) > PROVED and plies_to(score) <= depth:
                break
            space.control[NODES] = self.nodes
        return row, score


class Ring:
    """Where two corners meet; a third is the judge of openings."""

    def __init__(self, game: Game[Any], judge: Weights, fair: int = INFINITE) -> None:
        self.judge, self.fair = Corner(game, judge, BALANCING), fair
        self.limit = game.quiet_limit or 0
        self.start = kernel(game).encode(game.start())
        self.rows = self.judge.space.rows[DEEPEST]

    def opened(self, chance: random.Random, openings: Sequence[int]) -> Any:
        """The state after some turns of chance that leave neither side far ahead."""
        while True:
            state = self.start
            for _turn in range(chance.randint(*openings)):
                n = calls.successors(state, self.rows)
                if n == 0:
                    break
                state = calls.load(state, self.rows, chance.randrange(n))
            if calls.winner(state) >= 0 or calls.successors(state, self.rows) == 0:
                continue
            if self.fair == INFINITE or self.fair >= abs(self.judge.best(state, 0, Counter())[1]):
                return state

    def bout(
        self, state: Any, corners: Sequence[Corner], chance: random.Random, noise: int
    ) -> Bout:
        """One match to its end, with a corner for each side."""
        states, before, calm = [state], Counter[int](), 0
        while len(states) < LONGEST:
            won = calls.winner(state)
            if won >= 0:
                return Bout(states, DECIDED if won == 0 else -DECIDED)
            here = calls.key(state)
            if before[here] == 2 or (self.limit and calm >= self.limit):
                break
            corner = corners[state.turn & 1]
            corner.space.control[[NOISE, SEED]] = noise, chance.getrandbits(62)
            row, _score = corner.best(state, calm, before)
            before[here] += 1
            if calls.successors(state, self.rows) == 0:
                break
            after = calls.load(state, self.rows, row)
            calm = calm + 1 if calls.is_quiet(state, after) else 0
            state = after
            states.append(state)
        return Bout(states, int(calls.jammed(state)) * (1 if state.turn & 1 == 0 else -1))
