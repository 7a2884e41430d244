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
from quinconce.engine.limits import MAX_DEPTH, UNLIMITED_NODES, table_megabytes_for
from quinconce.engine.match_runner import MAX_MATCH_MOVES
from quinconce.engine.position_search import fill_occurrence_table
from quinconce.engine.preparation import prepare
from quinconce.engine.scores import INFINITE, PROVED_THRESHOLD
from quinconce.engine.search import search, table_move_row
from quinconce.engine.solved import NO_ENDGAME_DISTANCES
from quinconce.engine.transpositions import acquire_table, plies_to_end
from quinconce.engine.workspace import (
    CONTROL_SIZE,
    DEFER_SLOTS,
    EVALUATION_NOISE,
    MAX_PLY,
    NODE_LIMIT,
    QUIET_LIMIT,
    ROOT_QUIET,
    STOP_FLAG,
    THREAD_COUNT,
    WEAKNESS_SEED,
    Workspace,
    acquire_thread_buffers,
)
from quinconce.kernels import calls
from quinconce.kernels.arrays import NativeArrays
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import Weights

BALANCE_NODES: Final = 3000  # nodes to see whether an opening is fair
OCCURRENCE_SLOTS: Final = 1 << 11  # room for the positions of a match, a power of two
BOARD_WIN: Final = 2  # a victory on the board, beside 1 for one by counting


class FastMatch(NamedTuple):
    """A match after its opening: its states, and what the first side got, from -2 to 2."""

    states: list[Any]
    result: int


class FastPlayer:
    """A player: its weights, and room to search a number of nodes."""

    def __init__(self, game: Game[Any], weighing: Weights, nodes: int) -> None:
        prepare(game)
        self.nodes = nodes
        control = np.zeros(CONTROL_SIZE, np.int64)
        control[[QUIET_LIMIT, THREAD_COUNT]] = game.quiet_limit or 0, 1
        self.space = Workspace._make(
            (
                *acquire_thread_buffers(self, kernel_for(game), NativeArrays()),
                control,
                acquire_table(self, table_megabytes_for(nodes), NativeArrays()),
                np.zeros((OCCURRENCE_SLOTS, 2), np.int64),
                np.zeros(DEFER_SLOTS, np.int64),
                weighing,
                NO_ENDGAME_DISTANCES,
            )
        )

    def best_row(self, state: Any, calm: int, before: Counter[int]) -> tuple[int, int]:
        """The row of the best move, and its score."""
        space = self.space
        for used in (space.table, space.killers, space.history, space.nodes):
            used.fill(0)
        fill_occurrence_table(before, space.occurrences)
        space.control[[STOP_FLAG, NODE_LIMIT, ROOT_QUIET]] = 0, UNLIMITED_NODES, calm
        row = score = 0
        for depth in range(1, MAX_DEPTH):
            found = int(search(state, depth, -INFINITE, INFINITE, 0, calm, space))
            if space.control[STOP_FLAG]:
                break
            row, score = max(0, int(table_move_row(state, calm, space))), found
            if abs(score) > PROVED_THRESHOLD and plies_to_end(score) <= depth:
                break
            space.control[NODE_LIMIT] = self.nodes
        return row, score


class FastMatchRunner:
    """Plays matches between two players; a third judges the openings."""

    def __init__(self, game: Game[Any], judge: Weights, fair: int = INFINITE) -> None:
        self.opening_judge, self.max_imbalance = FastPlayer(game, judge, BALANCE_NODES), fair
        self.limit = game.quiet_limit or 0
        self.start = kernel_for(game).encode(game.start())
        self.rows = self.opening_judge.space.rows[MAX_PLY]

    def random_opening(self, chance: random.Random, openings: Sequence[int]) -> Any:
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
            if self.max_imbalance == INFINITE or self.max_imbalance >= abs(
                self.opening_judge.best_row(state, 0, Counter())[1]
            ):
                return state

    def play(
        self, state: Any, players: Sequence[FastPlayer], chance: random.Random, noise: int
    ) -> FastMatch:
        """One match to its end, with a player for each side."""
        states, before, calm = [state], Counter[int](), 0
        while len(states) < MAX_MATCH_MOVES:
            won = calls.winner(state)
            if won >= 0:
                return FastMatch(states, BOARD_WIN if won == 0 else -BOARD_WIN)
            here = calls.key(state)
            if before[here] == 2 or (self.limit and calm >= self.limit):
                break
            player = players[state.turn & 1]
            player.space.control[[EVALUATION_NOISE, WEAKNESS_SEED]] = noise, chance.getrandbits(62)
            row, _score = player.best_row(state, calm, before)
            before[here] += 1
            if calls.successors(state, self.rows) == 0:
                break
            after = calls.load(state, self.rows, row)
            calm = calm + 1 if calls.is_quiet(state, after) else 0
            state = after
            states.append(state)
        return FastMatch(states, int(calls.jammed(state)) * (1 if state.turn & 1 == 0 else -1))
