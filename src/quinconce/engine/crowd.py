"""Games with more than two sides: a tree grown by random play to the end (MCTS)."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.core.match import Match
from quinconce.engine.search import MOST_HOPED, PROVED, SETTINGS, STOP, WIN, Numbers
from quinconce.engine.thought import (
    UNLIMITED,
    Line,
    Root,
    Weakness,
    roots_of,
    seen_by,
    text_between,
)
from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import (
    WON,
    asked,
    kernel,
    load,
    loaded,
    mixed,
    pressed,
    successors,
    urgency,
    winner,
)

Floats = npt.NDArray[np.float64]

CURIOSITY: Final = 0.7  # how much a move that was tried less is preferred
LONGEST: Final = 200  # plies of a random game; a longer one is nobody's
ROOM: Final = 1 << 20  # nodes of a tree
FIRST_GAMES: Final = 256  # random games of the first round; each round doubles them
ROUNDS: Final = 20
UNIT: Final = 400  # points for every ten times as good odds, as the evaluations are fitted
WORTH_SHOWING: Final = 20  # games that a move of an expected line must have got
STRIDE: Final = 0x1E3779B97F4A7C15


class Tree(NamedTuple):
    """Nodes by number, the root 0; the children of a node follow each other."""

    states: Numbers
    visits: Numbers
    gains: Floats  # what the side that moved here got of the games through this node
    first: Numbers  # the first child, or 0
    children: Numbers  # how many
    used: Numbers  # how many nodes there are; then the seed
    rows: Numbers
    path: Numbers
    shares: Floats  # what each side got of a game
    sides: Numbers  # by the step of the cycle
    control: Numbers


@compiled
def descended(tree: Tree) -> int:
    """Go down from the root by the children that promise most; returns how many nodes deep."""
    node = depth = 0
    tree.path[0] = 0
    while tree.children[node] and depth < LONGEST:
        best, promise = 0, -1.0
        curious = CURIOSITY * math.sqrt(math.log(tree.visits[node] + 1.0))
        for child in range(tree.first[node], tree.first[node] + tree.children[node]):
            visits = tree.visits[child]
            hope = 10.0 + visits
            if visits:
                hope = tree.gains[child] / visits + curious / math.sqrt(visits)
            if hope > promise:
                best, promise = child, hope
        node = best
        depth += 1
        tree.path[depth] = node
    return depth


@compiled
def sprout(state: Any, node: int, tree: Tree) -> None:
    """Give a node its children, if there is room."""
    n = successors(state, tree.rows)
    first = tree.used[0]
    if n == 0 or first + n > tree.states.shape[0]:
        return
    for row in range(n):
        for field in range(tree.states.shape[1]):
            tree.states[first + row, field] = tree.rows[row, field]
    tree.first[node], tree.children[node] = first, n
    tree.used[0] = first + n


@compiled
def played_on(state: Any, tree: Tree) -> int:
    """The side that wins a random game, in which nobody misses a win in one; -1 for nobody."""
    for _ply in range(LONGEST):
        won = winner(state)
        if won >= 0:
            return won
        if urgency(state) == WON:
            side: int = tree.sides[state.turn]
            return side
        n = successors(state, tree.rows)
        tree.used[1] += STRIDE
        state = load(state, tree.rows, (mixed(tree.used[1]) & 0x7FFFFFFF) * n >> 31)
    return -1


@compiled
def grow(root: Any, games: int, tree: Tree) -> int:
    """Play so many random games, each from a leaf of the tree; returns how many were played."""
    for game in range(games):
        if tree.control[STOP]:
            return game
        depth = descended(tree)
        node = tree.path[depth]
        state = load(root, tree.states, node)
        if tree.visits[node] or node == 0:
            sprout(state, node, tree)
        won = played_on(state, tree)
        for ply in range(depth + 1):
            tree.visits[tree.path[ply]] += 1
        for ply in range(1, depth + 1):
            parent = load(root, tree.states, tree.path[ply - 1])
            side = tree.sides[parent.turn]
            gain = 1.0 if won == side else 0.0
            if won < 0:
                gain = 1.0 / tree.shares.shape[0]
            tree.gains[tree.path[ply]] += gain
    return games


class Crowd:
    """The search of one position among several sides; it deepens by playing more games."""

    def __init__(
        self,
        match: Match[Any],
        *,
        nodes: int | None = None,
        weakness: Weakness | None = None,
    ) -> None:
        self.game = match.game
        self.kernel = kernel(match.game)
        self.state = self.kernel.encode(match.position)
        self.limit = UNLIMITED if nodes is None else max(1, nodes)
        self.weakness = weakness or Weakness()
        self.roots = seen_by(self.weakness, roots_of(match, self.kernel))
        room = int(min(ROOM, self.limit * self.kernel.most + self.kernel.most))
        rows = self.kernel.rows(1)[0]
        sides = [match.game.side(seat) for seat in match.game.cycle]
        self.tree = Tree(
            states=np.zeros((room, rows.shape[1]), np.int64),
            visits=np.zeros(room, np.int64),
            gains=np.zeros(room, np.float64),
            first=np.zeros(room, np.int64),
            children=np.zeros(room, np.int64),
            used=np.array([1, self.weakness.seed], np.int64),
            rows=rows,
            path=np.zeros(LONGEST + 1, np.int64),
            shares=np.zeros(len(match.game.sides), np.float64),
            sides=np.array(sides, np.int64),
            control=np.zeros(SETTINGS, np.int64),
        )
        self.tree.states[0] = self.state
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

    def deepen(self, lines: int) -> bool:
        """Play as many games again as before; False if that was stopped half way."""
        self.depth += 1
        games = min(max(FIRST_GAMES, self.nodes), self.limit - self.nodes)
        played = int(grow(self.state, games, self.tree))
        self.nodes += played
        self.rank()
        return played == games and self.nodes < self.limit

    def rank(self) -> None:
        """Order the moves: a win, then by the games they got, what loses at once last."""
        tree, first = self.tree, int(self.tree.first[0])
        own = self.game.side(self.game.cycle[self.state.turn])
        fair = 1 / len(self.game.sides)
        found = {root.state: root for root in self.roots}
        order: list[tuple[int, int, Root]] = []
        for child in range(first, first + int(tree.children[0])):
            root = found.get(self.at(child))
            if root is None:
                continue  # overlooked
            visits = int(tree.visits[child])
            share = (float(tree.gains[child]) + fair) / (visits + 1)
            root.score = round(UNIT * math.log10(odds(share) / odds(fair)))
            if asked(root.state) == own:
                root.score = WIN - 1
            good = 1 if root.score > PROVED else -1 if self.loses_at_once(root, own) else 0
            order.append((good, visits, root))
        order.sort(key=lambda entry: (entry[0], entry[1]), reverse=True)
        ranked = [root for _good, _visits, root in order]
        self.roots = ranked + [root for root in self.roots if root not in ranked]

    def loses_at_once(self, root: Root, own: int) -> bool:
        """Whether a move gives somebody else the game, on the board or on his turn."""
        return asked(root.state) not in (-1, own) or pressed(root.state) == WON

    def at(self, node: int) -> Any:
        """The state of a node."""
        return loaded(self.state, self.tree.states, node)

    def finished(self) -> bool:
        """Whether more games cannot change anything: a move wins at once."""
        return self.roots[0].score > PROVED or self.depth >= ROUNDS

    def lines(self, most: int) -> tuple[Line, ...]:
        """What is known now, the best first."""
        return tuple(self.line(root) for root in self.roots[:most])

    def line(self, root: Root) -> Line:
        """The moves that got most games, one after the other."""
        tree, moves, position = self.tree, [root.text], root.position
        children = range(int(tree.first[0]), int(tree.first[0] + tree.children[0]))
        node = next((child for child in children if self.at(child) == root.state), 0)
        while node and tree.children[node]:
            children = range(int(tree.first[node]), int(tree.first[node] + tree.children[node]))
            node = max(children, key=lambda child: int(tree.visits[child]))
            if tree.visits[node] < WORTH_SHOWING:
                break
            after = self.kernel.decode(self.at(node))
            moves.append(text_between(self.game, position, after))
            position = after
        score = max(root.score, -MOST_HOPED)
        if score > PROVED:
            return Line(tuple(moves), score, "win", 1)
        return Line(tuple(moves), score)


def odds(share: float) -> float:
    """How many games are won for each that is not."""
    share = min(max(share, 1e-4), 1 - 1e-4)
    return share / (1 - share)
