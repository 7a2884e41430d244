"""The search of one position among more than two sides: its moves, and what was found."""

from __future__ import annotations

import math
import random
from typing import Any, Final

from quinconce.core.match import Match
from quinconce.engine.limits import MAX_ROUNDS, NO_LIMITS, Limits
from quinconce.engine.mcts_tree import (
    MAX_TREE_PLIES,
    ODDS_SCALE,
    SearchTree,
    expand_leaf,
    plies_to_win,
    run_visits,
)
from quinconce.engine.position_search import (
    PositionSearch,
    RootMove,
    move_between,
    occurrence_table,
)
from quinconce.engine.principal_variation import Line
from quinconce.engine.scores import MAX_ESTIMATE, PROVED_THRESHOLD, WIN
from quinconce.engine.weakness import Weakness
from quinconce.engine.weights import weight_values
from quinconce.engine.workspace import STOP_FLAG
from quinconce.kernels import calls
from quinconce.kernels.protocol import WIN_IN_ONE, Weights

MAX_TREE_NODES: Final = 1 << 20  # nodes of a tree
FIRST_ROUND_VISITS: Final = 256  # of the first round; each round doubles them
MIN_LINE_VISITS: Final = 20  # visits that a move of an expected line must have got
MIN_SHARE: Final = 1e-4  # the share of a move that is not seen to win any more


class TreeSearch(PositionSearch):
    """The search of one position among several sides; it deepens by doubling visits to its tree."""

    def __init__(
        self,
        match: Match[Any],
        limits: Limits = NO_LIMITS,
        *,
        weakness: Weakness | None = None,
        weights: Weights | None = None,
    ) -> None:
        weakness = weakness or Weakness()
        super().__init__(match, limits, weakness)
        self.side = match.game.side(match.seat)
        self.node_limit = limits.max_nodes
        capacity = int(min(MAX_TREE_NODES, (self.node_limit + 1) * self.kernel.max_successors + 1))
        arrays, fields = self.arrays, len(self.state)
        sides = [match.game.side(seat) for seat in match.game.cycle]
        several = len(match.game.sides)
        self.tree = SearchTree(
            states=arrays.zeros(capacity, fields),
            visits=arrays.zeros(capacity),
            share_sums=arrays.zeros(capacity, dtype="float64"),
            priors=arrays.zeros(capacity, dtype="float64"),
            first_child=arrays.zeros(capacity),
            child_count=arrays.zeros(capacity),
            possible_winners=arrays.zeros(capacity),
            node_count=arrays.array([1]),
            rows=arrays.empty(self.kernel.max_successors, fields),
            scratch_row=arrays.zeros(1, fields),
            path=arrays.zeros(MAX_TREE_PLIES + 1),
            shares=arrays.zeros(several, dtype="float64"),
            first_shares=arrays.zeros(len(self.root_moves), several, dtype="float64"),
            sides=arrays.array(sides),
            first_step=arrays.array([sides.index(side) for side in range(several)]),
            turn_field=arrays.array([self.state._fields.index("turn")]),
            occurrences=occurrence_table(match, self.kernel, self.arrays),
            control=self.control,
            weights=arrays.array(weight_values(self.kernel) if weights is None else weights),
        )
        self.tree.states[0] = self.state
        self.node_by_state: dict[Any, int] = {}  # by the state that a move leads to
        self.visits = 0
        self.round_end = 0  # the visits after which the round is over

    @property
    def nodes(self) -> int:
        """Visits to leaves so far."""
        return self.visits

    @property
    def depth_reached(self) -> int:
        """Rounds played; one that was stopped counts too."""
        return self.depth

    def interrupt(self) -> None:
        """Come back at once."""
        self.tree.control[STOP_FLAG] = 1

    def resume(self, nodes: int | None = None) -> None:
        """Go on with the round that was stopped, or with the next."""
        most = self.limits.max_nodes
        self.node_limit = most if nodes is None else min(most, self.visits + nodes)
        self.stop_requested = False
        self.tree.control[STOP_FLAG] = 0

    def shuffle_equal_moves(self, chance: random.Random) -> None:
        """Choose between equal moves by chance."""
        chance.shuffle(self.root_moves)

    def deepen(self, lines: int) -> bool:
        """Visit the tree as often again as before; False if that was stopped half way."""
        if not self.node_by_state:
            self.expand_root()
        if self.visits >= self.round_end:
            self.depth += 1
            self.round_end = self.visits + max(FIRST_ROUND_VISITS, self.visits)
        visits = min(self.round_end, self.node_limit) - self.visits
        made = int(run_visits(self.state, visits, self.tree))
        self.visits += made
        self.sort_root_moves()
        self.finish_depth()
        return made == visits and self.nodes < self.node_limit

    def warm_up(self) -> None:
        """Do everything once, so that all of it is compiled."""
        self.deepen(1)
        self.lines(1)
        calls.winner(
            calls.load(self.state, self.tree.rows, calls.successors(self.state, self.tree.rows) - 1)
        )

    def expand_root(self) -> None:
        """The moves become the first nodes, in their order: of equal ones the first is tried."""
        for row, root in enumerate(self.root_moves):
            for field, value in enumerate(root.state):
                self.tree.rows[row, field] = value
        expand_leaf(self.state, self.state, len(self.root_moves), 0, self.tree)
        self.node_by_state = {self.state_of(node): node for node in self.children_of(0)}

    def sort_root_moves(self) -> None:
        """Order the moves: wins, the soonest first; then by their visits; what loses is last."""
        places = {root.text: self.score_root_move(root) for root in self.root_moves}
        self.root_moves.sort(key=lambda root: places[root.text], reverse=True)

    def score_root_move(self, root: RootMove) -> tuple[int, int, int]:
        """Give a move its score; returns how it compares with others."""
        tree, node = self.tree, self.node_by_state[root.state]
        own, hopes, visits = (
            1 << self.side,
            int(tree.possible_winners[node]),
            int(tree.visits[node]),
        )
        plies = self.plies_to_win_from(node)
        if plies >= 0:
            root.score = WIN - 1 - plies
            return 2, root.score, visits
        fair = 1 / len(self.game.sides)
        share = (float(tree.share_sums[node]) + fair) / (visits + 1) if hopes & own else MIN_SHARE
        root.score = round(ODDS_SCALE * math.log10(odds(share) / odds(fair)))
        # A draw is no win, and still better than a loss.
        better = 1 if hopes & own else 0 if hopes == 1 << len(self.game.sides) else -1
        return better, 0 if self.loses_at_once(root) else 1, visits

    def loses_at_once(self, root: RootMove) -> bool:
        """Whether a move gives somebody else the game, on the board or on the next turn."""
        return (
            calls.winner(root.state) not in (-1, self.side)
            or calls.urgency(root.state) == WIN_IN_ONE
        )

    def is_final(self, lines: int = 1) -> bool:
        """Whether more visits cannot change anything: a win is proved."""
        return self.root_moves[0].score > PROVED_THRESHOLD or self.depth >= MAX_ROUNDS

    def lines(self, most: int) -> tuple[Line, ...]:
        """What is known now, the best first."""
        return tuple(self.line(root) for root in self.root_moves[:most])

    def line(self, root: RootMove) -> Line:
        """How the match is expected to go on after a move; a proved line goes on to its end."""
        if root.score > PROVED_THRESHOLD:
            plies = int(WIN - root.score)
            return Line(self.most_visited_line(root, plies), int(root.score), "win", plies)
        return Line(self.most_visited_line(root, None), max(int(root.score), -MAX_ESTIMATE))

    def side_shares(self) -> tuple[float, ...]:
        """What each side may expect of 1 in all after the best move."""
        several = len(self.game.sides)
        if self.root_moves[0].score > PROVED_THRESHOLD:
            return tuple(float(side == self.side) for side in range(several))
        node = self.node_by_state.get(self.root_moves[0].state, 0)
        visits = int(self.tree.visits[node]) if node else 0
        if not visits:
            return (1 / several,) * several
        sums, row = self.tree.first_shares, node - int(self.tree.first_child[0])
        return tuple(
            (float(sums[row, side]) + 1 / several) / (visits + 1) for side in range(several)
        )

    def most_visited_line(self, root: RootMove, plies: int | None) -> tuple[str, ...]:
        """The moves after a first one that were visited most, or that make a proved line."""
        moves, position, node = [root.text], root.position, self.node_by_state.get(root.state, 0)
        while node and (following := self.children_of(node)):
            if plies is None:
                node = max(following, key=lambda child: int(self.tree.visits[child]))
                if self.tree.visits[node] < MIN_LINE_VISITS:
                    break
            else:
                left = plies - len(moves) - 1
                node = next(child for child in following if self.plies_to_win_from(child) == left)
            after = self.kernel.decode(self.state_of(node))
            moves.append(move_between(self.game, position, after))
            position = after
        if plies is not None and len(moves) < plies:
            moves.append(self.winning_move(position))
        return tuple(moves)

    def children_of(self, node: int) -> range:
        """The children of a node."""
        first = int(self.tree.first_child[node])
        return range(first, first + int(self.tree.child_count[node]))

    def plies_to_win_from(self, node: int) -> int:
        """How many plies a proved win is away from a node, or -1 if none is proved."""
        return int(plies_to_win(self.state_of(node), node, self.side, self.tree))

    def winning_move(self, position: Any) -> str:
        """A move that wins at once."""
        after = self.kernel.successor_states(self.kernel.encode(position))
        won = next(found for found in after if calls.winner(found) == self.side)
        return move_between(self.game, position, self.kernel.decode(won))

    def state_of(self, node: int) -> Any:
        """The state of a node."""
        return calls.load(self.state, self.tree.states, node)


def odds(share: float) -> float:
    """How many games are won for each that is not."""
    share = min(max(share, MIN_SHARE), 1 - MIN_SHARE)
    return share / (1 - share)
