"""A search of one position between two sides: its moves, its table, its threads."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from quinconce.core.match import Match
from quinconce.engine.limits import MAX_DEPTH, NO_LIMITS, UNLIMITED_NODES, Limits
from quinconce.engine.position_search import (
    PositionSearch,
    RootMove,
    occurrence_table,
    oracle_score,
    oracle_score_order,
)
from quinconce.engine.principal_variation import Line, VariationBuilder
from quinconce.engine.scores import INFINITE, MAX_ESTIMATE, PROVED_THRESHOLD, is_endgame_score
from quinconce.engine.search import search
from quinconce.engine.solved import (
    NO_ENDGAME_DISTANCES,
    endgame_distances,
    move_oracle,
    oracle_values,
)
from quinconce.engine.transpositions import acquire_table, plies_to_end
from quinconce.engine.weakness import Weakness, new_control
from quinconce.engine.weights import evaluation_weights
from quinconce.engine.workspace import (
    DEFER_SLOTS,
    DRAW_SCORE,
    NODE_LIMIT,
    QUIET_LIMIT,
    STOP_FLAG,
    THREAD_COUNT,
    Workspace,
    acquire_thread_buffers,
)
from quinconce.kernels import calls
from quinconce.kernels.arrays import lookup_table, writable
from quinconce.kernels.protocol import Weights

HELPER_START_NODES: Final = 20_000  # of one thread before the others are worth starting

ScoredMove = tuple[int, RootMove]


class AlphaBetaSearch(PositionSearch):
    """The search of one position between two sides; it deepens by a ply."""

    def __init__(
        self,
        match: Match[Any],
        limits: Limits = NO_LIMITS,
        *,
        weakness: Weakness | None = None,
        weights: Weights | None = None,
        use_proofs: bool = False,
        contempt: int = 0,
    ) -> None:
        weakness = weakness or Weakness()
        super().__init__(match, limits, weakness)
        self.node_limit = limits.max_nodes_per_thread
        self.oracle = move_oracle(self.game) if use_proofs else None
        if self.oracle:
            found = oracle_values(match, self.oracle)
            for root in self.root_moves:
                root.known = found.get(root.text)
            self.root_moves.sort(key=oracle_score_order)
        table = acquire_table(self, limits.table_megabytes)
        being_searched = np.zeros(DEFER_SLOTS, np.int64)
        occurrences = occurrence_table(match, self.kernel)
        weights = lookup_table(evaluation_weights(self.kernel) if weights is None else weights)
        distances = endgame_distances(self.game) if use_proofs else NO_ENDGAME_DISTANCES
        shared = (table, occurrences, being_searched, weights, distances)
        state = self.kernel.encode(match.position)
        self.workspaces: list[Workspace] = []
        for _thread in range(limits.threads):
            control = new_control(weakness)
            control[NODE_LIMIT] = UNLIMITED_NODES
            control[QUIET_LIMIT] = match.game.quiet_limit or 0
            control[THREAD_COUNT] = limits.threads
            control[DRAW_SCORE] = contempt if self.game.side(match.seat) else -contempt
            own = acquire_thread_buffers(self, self.kernel)
            space = Workspace._make(map(writable, (*own, control, *shared)))
            if self.workspaces:  # what refutes a move refutes it in every thread
                space = space._replace(history=self.workspaces[0].history)
            space.path[0] = calls.key(state)
            self.workspaces.append(space)
        self.whole_depth = 0
        self.leaders: list[ScoredMove] = []  # what a thread found best for a while, at this depth
        self.variations = VariationBuilder(match, self.kernel, self.oracle, self.workspaces[0])

    def shuffle_equal_moves(self, chance: random.Random) -> None:
        """Choose between equal moves by chance; what is known to win still comes first."""
        chance.shuffle(self.root_moves)
        if self.oracle:
            self.root_moves.sort(key=oracle_score_order)

    def interrupt(self) -> None:
        """Let every thread come back at once."""
        self.variations.stopped = True
        for space in self.workspaces:
            space.control[STOP_FLAG] = 1

    def resume(self, nodes: int | None = None) -> None:
        """Go on with the depth after the last one that was searched whole."""
        most = self.limits.max_nodes_per_thread
        self.node_limit = most if nodes is None else min(most, self.nodes + nodes)
        self.stop_requested = self.variations.stopped = False
        self.depth = self.whole_depth
        for space in self.workspaces:
            space.control[STOP_FLAG] = 0
            if self.first_depth_done:
                space.control[NODE_LIMIT] = self.node_limit

    @property
    def nodes(self) -> int:
        """Positions searched so far, by all threads."""
        return sum(int(space.nodes[0]) for space in self.workspaces)

    @property
    def depth_reached(self) -> int:
        """Plies that were searched whole."""
        return self.whole_depth

    def deepen(self, lines: int) -> bool:
        """Search one ply deeper than before; False if that was stopped half way.

        The first ply is searched whole, however few nodes are allowed.
        """
        self.depth += 1
        self.leaders = []
        if self.depth == 2:
            for space in self.workspaces:
                space.control[NODE_LIMIT] = self.node_limit
        # The others begin at the end: what they find, the first will find in the table.
        backwards = self.root_moves[:1] + self.root_moves[:0:-1]
        helped = self.nodes >= min(HELPER_START_NODES, self.node_limit // 64)
        companions = [
            threading.Thread(target=self.best_moves, args=(space, list(backwards), lines))
            for space in self.workspaces[1:]
            if helped
        ]
        for space in self.workspaces[1:]:
            space.control[STOP_FLAG] = 0
        for companion in companions:
            companion.start()
        try:
            found, whole = self.best_moves(self.workspaces[0], list(self.root_moves), lines)
        finally:
            for space in self.workspaces[1:]:
                space.control[STOP_FLAG] = 1
            for companion in companions:
                companion.join()
        if not whole and found and found[-1][0] < -PROVED_THRESHOLD:
            self.demote_move(*found.pop())
        for rank, (score, root) in enumerate(found):
            root.score = score
            self.root_moves.remove(root)
            self.root_moves.insert(rank, root)
        if whole:
            self.whole_depth = self.depth
        self.finish_depth()
        return whole

    def demote_move(self, score: int, root: RootMove) -> None:
        """A move has turned out to lose before the others could be searched as deep.

        The best of those that do not, as far as they were searched, takes its place.
        """
        hoped, root.score = root.score, score
        others = [
            other
            for other in self.root_moves
            if other is not root and other.upper_bound > -PROVED_THRESHOLD
        ]
        if others:
            best = max(others, key=lambda other: other.upper_bound)
            best.score = max(min(best.upper_bound, hoped, MAX_ESTIMATE), -MAX_ESTIMATE)
            self.root_moves.remove(root)
            self.root_moves.remove(best)
            self.root_moves = [best, *self.root_moves, root]

    def best_moves(
        self, space: Workspace, roots: list[RootMove], lines: int
    ) -> tuple[list[ScoredMove], bool]:
        """The best moves, as many as are asked for; and whether the search was finished."""
        found: list[ScoredMove] = []
        for _line in range(min(lines, len(roots))):
            best, whole = self.best_move(space, roots)
            if best:
                found.append(best)
                roots.remove(best[1])
            if not whole:
                return found, False
        return found, True

    def best_move(
        self, space: Workspace, roots: Sequence[RootMove]
    ) -> tuple[ScoredMove | None, bool]:
        """The best of some moves with its score; all but the first have only to be compared."""
        best: ScoredMove | None = None
        for root in roots:
            best = self.best_of_all_threads(best, roots)
            if root.known:
                score = oracle_score(root.known)
                space.nodes[0] += 1
            else:
                score = self.scout(space, root, self.depth - 1, best[0] if best else None)
                if space.control[STOP_FLAG]:
                    return best, False
            root.upper_bound = score
            if best is None or score > best[0]:
                best = score, root
                self.leaders.append(best)
        return best, True

    def best_of_all_threads(
        self, best: ScoredMove | None, roots: Sequence[RootMove]
    ) -> ScoredMove | None:
        """The best of some moves, unless another thread knows a better one."""
        for leader in tuple(self.leaders):
            if (best is None or leader[0] > best[0]) and leader[1] in roots:
                best = leader
        return best

    def scout(self, space: Workspace, root: RootMove, depth: int, best: int | None) -> int:
        """The score of a move; if there is a better one, only that it is not better."""
        alpha = -INFINITE if best is None else best
        scout = INFINITE if best is None else best + 1
        score = -search(root.state, depth, -scout, -alpha, 1, root.quiet_turns, space)
        if best is not None and score > alpha:
            score = -search(root.state, depth, -INFINITE, -alpha, 1, root.quiet_turns, space)
        return int(score)

    def warm_up(self) -> None:
        """Do everything once, so that all of it is compiled."""
        self.deepen(1)
        self.deepen(1)
        self.lines(1)
        self.variations.successor(self.kernel.encode(self.game.start()), 0)

    def is_final(self, lines: int = 1) -> bool:
        """Whether searching deeper cannot change anything: the shortest win or loss is known."""
        if self.depth >= MAX_DEPTH or all(root.known for root in self.root_moves[:lines]):
            return True
        score = self.root_moves[0].score
        proved = abs(score) > PROVED_THRESHOLD and not is_endgame_score(score)
        return proved and plies_to_end(score) <= self.depth

    def lines(self, most: int) -> tuple[Line, ...]:
        """What is known now, the best first."""
        return self.variations.lines(self.root_moves, most, self.depth_reached)
