"""A search of one position between two sides: its moves, its table, its threads."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from quinconce.core.match import Match
from quinconce.engine.principal_variation import Line, Teller
from quinconce.engine.root_moves import (
    Root,
    Weakness,
    given,
    occurrences,
    prospect,
    roots_of,
    seen_by,
)
from quinconce.engine.scores import INFINITE, MOST_HOPED, PROVED, is_promise, plies_to
from quinconce.engine.search import search
from quinconce.engine.solved import NO_ENDINGS, endings_of, truth, values, ways_to_hold
from quinconce.engine.transpositions import MEMORY, table_for
from quinconce.engine.weights import weights
from quinconce.engine.workspace import (
    APART,
    BLIND,
    DEEPEST,
    NODES,
    NOISE,
    QUIET,
    SEED,
    SIGHT,
    SLOTS,
    STOP,
    THREADS,
    Workspace,
    desk_for,
)
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel
from quinconce.kernels.protocol import Weights

UNLIMITED: Final = 1 << 60
ENTRY: Final = 64  # bytes of a table for every node, where nodes are few
LAST_DEPTH: Final = DEEPEST // 2
ALONE: Final = 20_000  # nodes that one thread has searched by the time the others are under way

Scored = tuple[int, Root]


class Thought:
    """The search of one position. It deepens when it is told to, and can be stopped any time."""

    def __init__(
        self,
        match: Match[Any],
        *,
        nodes: int | None = None,
        threads: int = 1,
        memory: float = MEMORY,
        weakness: Weakness | None = None,
        weighing: Weights | None = None,
        informed: bool = False,
    ) -> None:
        self.game = match.game
        self.kernel = kernel(match.game)
        self.limit = UNLIMITED if nodes is None else max(1, nodes // threads)
        weakness = weakness or Weakness()
        self.roots = seen_by(weakness, roots_of(match, self.kernel))
        self.truth = truth(self.game) if informed else None
        if self.truth:
            found = values(match, self.truth)
            for root in self.roots:
                root.known = found.get(root.text)
            self.roots.sort(key=prospect)
        table = table_for(self, min(memory, ENTRY * self.limit / (1 << 20)))
        busy = np.zeros(SLOTS, np.int64)
        seen = occurrences(match, self.kernel)
        weighing = weights(self.kernel) if weighing is None else weighing
        endings = endings_of(self.game) if informed else NO_ENDINGS
        state = self.kernel.encode(match.position)
        self.spaces: list[Workspace] = []
        for _thread in range(threads):
            control = np.zeros(APART, np.int64)
            control[NODES] = UNLIMITED
            control[QUIET] = match.game.quiet_limit or 0
            control[THREADS] = threads
            control[[NOISE, BLIND, SIGHT, SEED]] = weakness
            desk = desk_for(self, self.kernel)
            space = Workspace._make((*desk, control, table, seen, busy, weighing, endings))
            if self.spaces:  # what refutes a move refutes it in every thread
                space = space._replace(history=self.spaces[0].history)
            space.path[0] = calls.key(state)
            self.spaces.append(space)
        self.depth = 0
        self.finished_depth = 0
        self.leaders: list[Scored] = []  # what a thread found best for a while, at this depth
        self.teller = Teller(self.game, self.kernel, self.truth, self.spaces[0])

    def vary(self, chance: random.Random) -> None:
        """Choose between equal moves by chance; but set problems where something is known.

        Then those come first after which the other has fewest ways to hold.
        """
        chance.shuffle(self.roots)
        if self.truth:
            self.roots.sort(key=prospect)
            first = self.roots[0]
            equal = [root for root in self.roots if first.known and root.known == first.known]
            ways = {root.text: ways_to_hold(self.truth, self.game, root.position) for root in equal}
            self.roots.sort(key=lambda root: (prospect(root), ways.get(root.text, 0)))

    def stop(self) -> None:
        """Let every thread come back at once."""
        self.teller.stopped = True
        for space in self.spaces:
            space.control[STOP] = 1

    @property
    def nodes(self) -> int:
        """Positions searched so far, by all threads."""
        return sum(int(space.nodes[0]) for space in self.spaces)

    def deepen(self, lines: int) -> bool:
        """Search one ply deeper than before; False if that was stopped half way.

        The first ply is searched whole, however few nodes are allowed.
        """
        self.depth += 1
        self.leaders = []
        if self.depth == 2:
            for space in self.spaces:
                space.control[NODES] = self.limit
        # The others begin at the end: what they find, the first will find in the table.
        backwards = self.roots[:1] + self.roots[:0:-1]
        helped = self.nodes >= min(ALONE, self.limit // 64)
        companions = [
            threading.Thread(target=self.best_lines, args=(space, list(backwards), lines))
            for space in self.spaces[1:]
            if helped
        ]
        for space in self.spaces[1:]:
            space.control[STOP] = 0
        for companion in companions:
            companion.start()
        try:
            found, whole = self.best_lines(self.spaces[0], list(self.roots), lines)
        finally:
            for space in self.spaces[1:]:
                space.control[STOP] = 1
            for companion in companions:
                companion.join()
        if not whole and found and found[-1][0] < -PROVED:
            self.put_last(*found.pop())
        for rank, (score, root) in enumerate(found):
            root.score = score
            self.roots.remove(root)
            self.roots.insert(rank, root)
        if whole:
            self.finished_depth = self.depth
        return whole

    def put_last(self, score: int, root: Root) -> None:
        """A move has turned out to lose before the others could be searched as deep.

        The best of those that do not, as far as they were searched, takes its place.
        """
        hoped, root.score = root.score, score
        others = [other for other in self.roots if other is not root and other.most > -PROVED]
        if others:
            best = max(others, key=lambda other: other.most)
            best.score = max(min(best.most, hoped, MOST_HOPED), -MOST_HOPED)
            self.roots.remove(root)
            self.roots.remove(best)
            self.roots = [best, *self.roots, root]

    def best_lines(
        self, space: Workspace, roots: list[Root], lines: int
    ) -> tuple[list[Scored], bool]:
        """The best moves, as many as are asked for; and whether the search was finished."""
        found: list[Scored] = []
        for _line in range(min(lines, len(roots))):
            best, whole = self.best_of(space, roots)
            if best:
                found.append(best)
                roots.remove(best[1])
            if not whole:
                return found, False
        return found, True

    def best_of(self, space: Workspace, roots: Sequence[Root]) -> tuple[Scored | None, bool]:
        """The best of some moves with its score; all but the first have only to be compared."""
        best: Scored | None = None
        for root in roots:
            best = self.ahead(best, roots)
            if root.known:
                score = given(root.known)
                space.nodes[0] += 1
            else:
                score = self.compared(space, root, self.depth - 1, best[0] if best else None)
                if space.control[STOP]:
                    return best, False
            root.most = score
            if best is None or score > best[0]:
                best = score, root
                self.leaders.append(best)
        return best, True

    def ahead(self, best: Scored | None, roots: Sequence[Root]) -> Scored | None:
        """The best of some moves, unless another thread knows a better one."""
        for leader in tuple(self.leaders):
            if (best is None or leader[0] > best[0]) and leader[1] in roots:
                best = leader
        return best

    def compared(self, space: Workspace, root: Root, depth: int, best: int | None) -> int:
        """The score of a move; if there is a better one, only that it is not better."""
        alpha = -INFINITE if best is None else best
        scout = INFINITE if best is None else best + 1
        score = -search(root.state, depth, -scout, -alpha, 1, root.quiet, space)
        if best is not None and score > alpha:
            score = -search(root.state, depth, -INFINITE, -alpha, 1, root.quiet, space)
        return int(score)

    def warm_up(self) -> None:
        """Do everything once, so that all of it is compiled."""
        self.deepen(1)
        self.deepen(1)
        self.lines(1)
        self.teller.successor(self.kernel.encode(self.game.start()), 0)

    def finished(self, lines: int = 1) -> bool:
        """Whether searching deeper cannot change anything: the shortest win or loss is known."""
        if self.depth >= LAST_DEPTH or all(root.known for root in self.roots[:lines]):
            return True
        score = self.roots[0].score
        proved = abs(score) > PROVED and not is_promise(score)
        return proved and plies_to(score) <= self.depth

    def lines(self, most: int) -> tuple[Line, ...]:
        """What is known now, the best first."""
        return self.teller.lines(self.roots, most, self.finished_depth)
