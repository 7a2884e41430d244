"""Matches of the engine against itself, played inside the kernels: many, with few nodes a move.

Rules, texts and roots of a match cost more than a search of some hundred nodes does. Here a match
is a list of states; what ends one is the same as in a real one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from quinconce import Game
from quinconce.engine.analysis import prepare
from quinconce.engine.duel import LONGEST
from quinconce.engine.search import (
    APART,
    DEEPEST,
    INFINITE,
    NODES,
    NOISE,
    PROVED,
    QUIET,
    SEED,
    SLOTS,
    STOP,
    THREADS,
    Numbers,
    Workspace,
    answered,
    desk_for,
    plies_to,
    search,
)
from quinconce.engine.table import new_table
from quinconce.engine.thought import ENTRY, LAST_DEPTH, UNLIMITED
from quinconce.kernels.protocol import (
    Weights,
    asked,
    expanded,
    hashed,
    kernel,
    loaded,
    quiet,
    stopped,
)

BALANCING: Final = 3000  # nodes to see whether an opening is fair
SEEN: Final = 1 << 11  # room for the positions of a match, a power of two
DECIDED: Final = 2  # a victory on the board, beside 1 for one by counting


class Bout(NamedTuple):
    """A match after its opening: its states, and what the first side got, from -2 to 2."""

    states: list[Any]
    result: int


class Ring:
    """Where an engine with these weights plays itself."""

    def __init__(self, game: Game[Any], weighing: Weights, nodes: int) -> None:
        prepare(game)
        self.numbers, self.limit, self.nodes = kernel(game), game.quiet_limit or 0, nodes
        self.start = self.numbers.encode(game.start())
        control = np.zeros(APART, np.int64)
        control[[QUIET, THREADS]] = self.limit, 1
        most = max(nodes, BALANCING)
        self.space = Workspace._make(
            (
                *desk_for(self.numbers),
                control,
                new_table(ENTRY * most / (1 << 20)),
                np.zeros((SEEN, 2), np.int64),
                np.zeros(SLOTS, np.int64),
                weighing,
            )
        )

    def bouts(self, games: int, openings: Sequence[int], fair: int, noise: int) -> Iterator[Bout]:
        """So many matches after openings of chance, and fair ones as a short search sees it."""
        chance = random.Random(1)
        while games:
            state = self.opened(chance, chance.randint(*openings))
            if state is None:
                continue
            if fair < INFINITE and abs(self.best(state, 0, Counter(), BALANCING)[1]) > fair:
                continue
            yield self.bout(state, noise, chance)
            games -= 1

    def opened(self, chance: random.Random, turns: int) -> Any:
        """The state after some turns of chance, or None where they have ended the match."""
        state = self.start
        for _turn in range(turns):
            n = expanded(state, self.space.rows[DEEPEST])
            if n == 0:
                return None
            state = loaded(state, self.space.rows[DEEPEST], chance.randrange(n))
        return state if asked(state) < 0 else None

    def bout(self, state: Any, noise: int, chance: random.Random) -> Bout:
        """One match to its end."""
        states, before, calm = [state], Counter[int](), 0
        while len(states) < LONGEST:
            won = asked(state)
            if won >= 0:
                return Bout(states, DECIDED if won == 0 else -DECIDED)
            here = hashed(state)
            if before[here] == 2 or (self.limit and calm >= self.limit):
                break
            self.space.control[[NOISE, SEED]] = noise, chance.getrandbits(62)
            row, _score = self.best(state, calm, before, self.nodes)
            before[here] += 1
            if expanded(state, self.space.rows[DEEPEST]) == 0:
                break
            after = loaded(state, self.space.rows[DEEPEST], row)
            calm = calm + 1 if quiet(state, after) else 0
            state = after
            states.append(state)
        self.space.control[NOISE] = 0
        return Bout(states, int(stopped(state)) * (1 if state.turn & 1 == 0 else -1))

    def best(self, state: Any, calm: int, before: Counter[int], nodes: int) -> tuple[int, int]:
        """The row of the best move, and its score."""
        space = self.space
        for used in (space.table, space.killers, space.history, space.nodes):
            used.fill(0)
        remembered(before, space.seen)
        space.control[[STOP, NODES]] = 0, UNLIMITED
        row = score = 0
        for depth in range(1, LAST_DEPTH):
            found = int(search(state, depth, -INFINITE, INFINITE, 0, calm, space))
            if space.control[STOP]:
                break
            row, score = max(0, int(answered(state, calm, space))), found
            if abs(score) > PROVED and plies_to(score) <= depth:
                break
            space.control[NODES] = nodes
        return row, score


def remembered(before: Counter[int], seen: Numbers) -> None:
    """Write what occurred in a match, as the search looks it up."""
    seen.fill(0)
    for number, times in before.items():
        slot = number & len(seen) - 1
        while seen[slot, 1]:
            slot = slot + 1 & len(seen) - 1
        seen[slot] = number, times
