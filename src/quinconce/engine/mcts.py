"""The search of one position among more than two sides: its moves, and what was found."""

from __future__ import annotations

import math
import random
from typing import Any, Final

import numpy as np

from quinconce.core.match import Match
from quinconce.engine.alpha_beta import UNLIMITED
from quinconce.engine.mcts_tree import LONGEST, UNIT, Tree, grow, plant, plies_to_win
from quinconce.engine.principal_variation import Line
from quinconce.engine.root_moves import Root, Weakness, occurrences, roots_of, seen_by, text_between
from quinconce.engine.scores import MOST_HOPED, PROVED, WIN
from quinconce.engine.weights import weights
from quinconce.engine.workspace import BLIND, NOISE, SEED, SETTINGS, SIGHT, STOP
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel
from quinconce.kernels.protocol import WON, Weights

ROOM: Final = 1 << 20  # nodes of a tree
FIRST_VISITS: Final = 256  # of the first round; each round doubles them
ROUNDS: Final = 24
WORTH_SHOWING: Final = 20  # visits that a move of an expected line must have got
LOST: Final = 1e-4  # the share of a move that is not seen to win any more


class Crowd:
    """The search of one position; it deepens by as many visits to its tree as it had before."""

    def __init__(
        self,
        match: Match[Any],
        *,
        nodes: int | None = None,
        weakness: Weakness | None = None,
        weighing: Weights | None = None,
    ) -> None:
        self.game = match.game
        self.kernel = kernel(match.game)
        self.state = self.kernel.encode(match.position)
        self.side = match.game.side(match.seat)
        self.limit = UNLIMITED if nodes is None else max(1, nodes)
        weakness = weakness or Weakness()
        self.roots = seen_by(weakness, roots_of(match, self.kernel))
        room = int(min(ROOM, (self.limit + 1) * self.kernel.most + 1))
        rows = self.kernel.rows(1)[0]
        sides = [match.game.side(seat) for seat in match.game.cycle]
        several = len(match.game.sides)
        self.tree = Tree(
            states=np.zeros((room, rows.shape[1]), np.int64),
            visits=np.zeros(room, np.int64),
            gains=np.zeros(room, np.float64),
            likings=np.zeros(room, np.float64),
            first=np.zeros(room, np.int64),
            children=np.zeros(room, np.int64),
            hopes=np.zeros(room, np.int64),
            used=np.ones(1, np.int64),
            rows=rows,
            other=np.zeros((1, rows.shape[1]), np.int64),
            path=np.zeros(LONGEST + 1, np.int64),
            shares=np.zeros(several, np.float64),
            sides=np.array(sides, np.int64),
            steps=np.array([sides.index(side) for side in range(several)], np.int64),
            turn=np.array([self.state._fields.index("turn")], np.int64),
            seen=occurrences(match, self.kernel),
            control=np.zeros(SETTINGS, np.int64),
            weights=weights(self.kernel) if weighing is None else weighing,
        )
        self.tree.states[0] = self.state
        self.tree.control[[NOISE, BLIND, SIGHT, SEED]] = weakness
        self.nodes_of: dict[Any, int] = {}  # by the state that a move leads to
        self.depth = 0
        self.nodes = 0
        self.stopped = False

    @property
    def finished_depth(self) -> int:
        """Rounds played; one that was stopped counts too."""
        return self.depth

    def stop(self) -> None:
        """Come back at once."""
        self.stopped = True
        self.tree.control[STOP] = 1

    def vary(self, chance: random.Random) -> None:
        """Choose between equal moves by chance."""
        chance.shuffle(self.roots)

    def deepen(self, lines: int) -> bool:
        """Visit the tree as often again as before; False if that was stopped half way."""
        if not self.nodes_of:
            self.begin()
        self.depth += 1
        visits = min(max(FIRST_VISITS, self.nodes), self.limit - self.nodes)
        made = int(grow(self.state, visits, self.tree))
        self.nodes += made
        self.rank()
        return made == visits and self.nodes < self.limit

    def warm_up(self) -> None:
        """Do everything once, so that all of it is compiled."""
        self.deepen(1)
        self.lines(1)
        calls.winner(
            calls.load(self.state, self.tree.rows, calls.successors(self.state, self.tree.rows) - 1)
        )

    def begin(self) -> None:
        """The moves become the first nodes, in their order: of equal ones the first is tried."""
        for row, root in enumerate(self.roots):
            self.tree.rows[row] = root.state
        plant(self.state, self.state, len(self.roots), 0, self.tree)
        self.nodes_of = {self.at(node): node for node in self.followers(0)}

    def rank(self) -> None:
        """Order the moves: wins, the soonest first; then by their visits; what loses is last."""
        places = {root.text: self.judged(root) for root in self.roots}
        self.roots.sort(key=lambda root: places[root.text], reverse=True)

    def judged(self, root: Root) -> tuple[int, int, int]:
        """Give a move its score; returns how it compares with others."""
        tree, node = self.tree, self.nodes_of[root.state]
        own, hopes, visits = 1 << self.side, int(tree.hopes[node]), int(tree.visits[node])
        plies = self.plies_from(node)
        if plies >= 0:
            root.score = WIN - 1 - plies
            return 2, root.score, visits
        fair = 1 / len(self.game.sides)
        share = (float(tree.gains[node]) + fair) / (visits + 1) if hopes & own else LOST
        root.score = round(UNIT * math.log10(odds(share) / odds(fair)))
        # A draw is no win, and still better than a loss.
        better = 1 if hopes & own else 0 if hopes == 1 << len(self.game.sides) else -1
        return better, 0 if self.loses_at_once(root) else 1, visits

    def loses_at_once(self, root: Root) -> bool:
        """Whether a move gives somebody else the game, on the board or on his turn."""
        return calls.winner(root.state) not in (-1, self.side) or calls.urgency(root.state) == WON

    def finished(self, lines: int = 1) -> bool:
        """Whether more visits cannot change anything: a win is proved."""
        return self.roots[0].score > PROVED or self.depth >= ROUNDS

    def lines(self, most: int) -> tuple[Line, ...]:
        """What is known now, the best first."""
        return tuple(self.line(root) for root in self.roots[:most])

    def line(self, root: Root) -> Line:
        """How the match is expected to go on after a move; a proved line goes on to its end."""
        if root.score > PROVED:
            plies = int(WIN - root.score)
            return Line(self.expected(root, plies), int(root.score), "win", plies)
        return Line(self.expected(root, None), max(int(root.score), -MOST_HOPED))

    def expected(self, root: Root, plies: int | None) -> tuple[str, ...]:
        """The moves after a first one that were visited most, or that make a proved line."""
        moves, position, node = [root.text], root.position, self.nodes_of.get(root.state, 0)
        while node and (following := self.followers(node)):
            if plies is None:
                node = max(following, key=lambda child: int(self.tree.visits[child]))
                if self.tree.visits[node] < WORTH_SHOWING:
                    break
            else:
                left = plies - len(moves) - 1
                node = next(child for child in following if self.plies_from(child) == left)
            after = self.kernel.decode(self.at(node))
            moves.append(text_between(self.game, position, after))
            position = after
        if plies is not None and len(moves) < plies:
            moves.append(self.winning(position))
        return tuple(moves)

    def followers(self, node: int) -> range:
        """The children of a node."""
        first = int(self.tree.first[node])
        return range(first, first + int(self.tree.children[node]))

    def plies_from(self, node: int) -> int:
        """How many plies a proved win is away from a node, or -1 if none is proved."""
        return int(plies_to_win(self.at(node), node, self.side, self.tree))

    def winning(self, position: Any) -> str:
        """A move that wins at once."""
        state, out = self.kernel.encode(position), self.kernel.rows(1)[0]
        after = (calls.load(state, out, row) for row in range(calls.successors(state, out)))
        won = next(found for found in after if calls.winner(found) == self.side)
        return text_between(self.game, position, self.kernel.decode(won))

    def at(self, node: int) -> Any:
        """The state of a node."""
        return calls.load(self.state, self.tree.states, node)


def odds(share: float) -> float:
    """How many games are won for each that is not."""
    share = min(max(share, LOST), 1 - LOST)
    return share / (1 - share)
