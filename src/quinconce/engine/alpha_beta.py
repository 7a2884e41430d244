"""A search of one position between two sides: its moves, its table, its threads."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from quinconce.core.match import Match
from quinconce.engine import deepening
from quinconce.engine.deepening import (
    DEPTH,
    FIRST_DEPTH_DONE,
    INTERRUPTED,
    NODE_BUDGET,
    PROGRESS_SIZE,
    ROOT_COUNT,
    ROUND,
    STOP_REQUESTED,
    WHOLE_DEPTH,
    Roots,
    think,
)
from quinconce.engine.limits import MAX_DEPTH, NO_LIMITS, UNLIMITED_NODES, Limits
from quinconce.engine.position_search import (
    PositionSearch,
    RootMove,
    occurrence_table,
    oracle_score,
    oracle_score_order,
)
from quinconce.engine.principal_variation import Line, VariationBuilder
from quinconce.engine.scores import INFINITE, NO_SCORE
from quinconce.engine.solved import (
    NO_ENDGAME_DISTANCES,
    endgame_distances,
    move_oracle,
    oracle_values,
)
from quinconce.engine.transpositions import acquire_table
from quinconce.engine.weakness import Weakness
from quinconce.engine.weights import weight_values
from quinconce.engine.workspace import (
    DEFER_SLOTS,
    DRAW_SCORE,
    MAX_PLY,
    NODE_LIMIT,
    QUIET_LIMIT,
    STOP_FLAG,
    THREAD_COUNT,
    Workspace,
    acquire_thread_buffers,
)
from quinconce.kernels import calls
from quinconce.kernels.arrays import ArrayMaker
from quinconce.kernels.compiled import IS_NATIVE
from quinconce.kernels.protocol import Weights

HELPER_START_NODES: Final = 20_000  # of one thread before the others are worth starting


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
        if not IS_NATIVE:
            limits = replace(limits, threads=1)  # a module has one thread
        super().__init__(match, limits, weakness)
        distances = self.arrays.keep(
            endgame_distances(self.game) if use_proofs else NO_ENDGAME_DISTANCES
        )
        self.oracle = move_oracle(self.game) if use_proofs else None
        if self.oracle:
            found = oracle_values(match, self.oracle)
            for root in self.root_moves:
                root.known = found.get(root.text)
            self.root_moves.sort(key=oracle_score_order)
        self.control[NODE_LIMIT] = UNLIMITED_NODES
        self.control[QUIET_LIMIT] = match.game.quiet_limit or 0
        self.control[THREAD_COUNT] = limits.threads
        self.control[DRAW_SCORE] = contempt if self.game.side(match.seat) else -contempt
        self.workspaces = self._new_workspaces(
            acquire_table(self, limits.table_megabytes, self.arrays),
            occurrence_table(match, self.kernel, self.arrays),
            self.arrays.zeros(DEFER_SLOTS),
            self.arrays.array(weight_values(self.kernel) if weights is None else weights),
            distances,
        )
        self.roots = new_roots(self.root_moves, len(self.state), self.arrays)
        self.helper_roots = [
            new_helper_roots(self.roots, self.arrays) for _space in self.workspaces[1:]
        ]
        self.progress = self.roots.progress
        self.progress[NODE_BUDGET] = limits.max_nodes_per_thread
        self.by_number = list(self.root_moves)
        self.variations = VariationBuilder(
            match,
            self.kernel,
            self.oracle,
            self.roots,
            self.workspaces[0],
            self.arrays.zeros(MAX_PLY, len(self.state)),
        )

    def _new_workspaces(self, *shared: Any) -> list[Workspace]:
        """What each thread searches with, the first with the settings of the search itself."""
        key, spaces = calls.key(self.state), list[Workspace]()
        for thread in range(self.limits.threads):
            control = self.control if thread == 0 else self.arrays.array(self.control)
            own = acquire_thread_buffers(self, self.kernel, self.arrays)
            space = Workspace._make((*own, control, *shared))
            if spaces:  # what refutes a move refutes it in every thread
                space = space._replace(history=spaces[0].history)
            space.path[0] = key
            spaces.append(space)
        return spaces

    def shuffle_equal_moves(self, chance: random.Random) -> None:
        """Choose between equal moves by chance; what is known to win still comes first."""
        chance.shuffle(self.root_moves)
        if self.oracle:
            self.root_moves.sort(key=oracle_score_order)

    def stop(self) -> None:
        """Let `deepen`, which another thread has called, return; the first depth it finishes."""
        self.progress[STOP_REQUESTED] = 1
        if self.progress[FIRST_DEPTH_DONE]:
            self.interrupt()

    def interrupt(self) -> None:
        """Let every thread come back at once."""
        self.progress[INTERRUPTED] = 1
        for space in self.workspaces:
            space.control[STOP_FLAG] = 1

    def resume(self, nodes: int | None = None) -> None:
        """Go on with the depth after the last one that was searched whole."""
        most = self.limits.max_nodes_per_thread
        self.progress[NODE_BUDGET] = most if nodes is None else min(most, self.nodes + nodes)
        self.progress[STOP_REQUESTED] = self.progress[INTERRUPTED] = 0
        self.depth = self.depth_reached
        self.progress[DEPTH] = self.depth
        for space in self.workspaces:
            space.control[STOP_FLAG] = 0

    @property
    def nodes(self) -> int:
        """Positions searched so far, by all threads."""
        return sum(int(space.nodes[0]) for space in self.workspaces)

    @property
    def depth_reached(self) -> int:
        """Plies that were searched whole."""
        return int(self.progress[WHOLE_DEPTH])

    def deepen(self, lines: int) -> bool:
        """Search one ply deeper than before; False if that was stopped half way.

        The first ply is searched whole, however few nodes are allowed.
        """
        return self._think(lines, self.depth_reached + 1)

    def deepen_until_done(self, lines: int) -> bool:
        """Search deeper until a limit, or until nothing can change; False if it was stopped."""
        if self.helper_roots:
            return super().deepen_until_done(lines)
        return self._think(lines, MAX_DEPTH if self.limits.depth is None else self.limits.depth)

    def _think(self, lines: int, depth: int) -> bool:
        """Search to a depth, the other threads one ply of it."""
        write_order(self.root_moves, self.roots)
        helpers = self._start_helpers(lines)
        try:
            whole = bool(think(self.state, lines, depth, self.roots, self.workspaces[0]))
        finally:
            for space in self.workspaces[1:]:
                space.control[STOP_FLAG] = 1
            for helper in helpers:
                helper.join()
        self.depth = int(self.progress[DEPTH])
        order = self.roots.order
        self.root_moves = [self.by_number[order[rank]] for rank in range(len(self.root_moves))]
        for root in self.root_moves:
            root.score = int(self.roots.scores[root.number])
        return whole

    def _start_helpers(self, lines: int) -> list[threading.Thread]:
        """The threads that search the next depth too, if there is enough to do for them."""
        enough = min(HELPER_START_NODES, int(self.progress[NODE_BUDGET]) // 64)
        if self.nodes < enough:
            return []
        helpers = []
        # They begin at the end: what they find, the first will find in the table.
        backwards = self.root_moves[:1] + self.root_moves[:0:-1]
        for roots, space in zip(self.helper_roots, self.workspaces[1:], strict=True):
            write_order(backwards, roots)
            for word in (WHOLE_DEPTH, ROUND, NODE_BUDGET):
                roots.progress[word] = self.progress[word]
            space.control[STOP_FLAG] = 0
            arguments = (self.state, lines, self.depth_reached + 1, roots, space)
            helpers.append(threading.Thread(target=think, args=arguments))
        for helper in helpers:
            helper.start()
        return helpers

    def warm_up(self) -> None:
        """Do everything once, so that all of it is compiled."""
        self.deepen(1)
        self.is_final()
        self.lines(1)

    def is_final(self, lines: int = 1) -> bool:
        """Whether searching deeper cannot change anything: the shortest win or loss is known."""
        return bool(deepening.is_final(self.state, lines, self.roots))

    def lines(self, most: int) -> tuple[Line, ...]:
        """What is known now, the best first."""
        return self.variations.lines(self.root_moves, most, self.depth_reached)


def new_roots(moves: Sequence[RootMove], fields: int, arrays: ArrayMaker) -> Roots:
    """The moves of a position, numbered, for compiled code."""
    count = len(moves)
    roots = Roots(
        states=arrays.zeros(count, fields),
        quiet_turns=arrays.array([root.quiet_turns for root in moves]),
        known=arrays.array(
            [oracle_score(each.known) if each.known else NO_SCORE for each in moves]
        ),
        upper_bounds=arrays.zeros(count),
        leaders=arrays.zeros(count),
        scores=arrays.zeros(count),
        order=arrays.zeros(count),
        found=arrays.zeros(count, 2),
        taken=arrays.zeros(count),
        progress=arrays.zeros(PROGRESS_SIZE),
    )
    roots.upper_bounds.fill(INFINITE)
    roots.scores.fill(-INFINITE)
    for number, root in enumerate(moves):
        root.number = number
        roots.states[number] = root.state
    return roots


def new_helper_roots(roots: Roots, arrays: ArrayMaker) -> Roots:
    """The same moves for another thread."""
    count = len(roots.order)
    return roots._replace(
        scores=arrays.zeros(count),
        order=arrays.zeros(count),
        found=arrays.zeros(count, 2),
        taken=arrays.zeros(count),
        progress=arrays.zeros(PROGRESS_SIZE),
    )


def write_order(moves: Sequence[RootMove], roots: Roots) -> None:
    """Say which moves are searched, and in which order."""
    roots.progress[ROOT_COUNT] = len(moves)
    for rank, root in enumerate(moves):
        roots.order[rank] = root.number
