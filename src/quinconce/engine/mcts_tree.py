"""Games with more than two sides: a tree grown where it promises most, that proves what it can.

Every node keeps who may still win there. A win on the board or on the next turn leaves one side;
the sides that a move leaves are those its answers leave, if everybody keeps to answers with which
he may still win himself. A node that leaves one side alone is that side's win against any play.
Leaves are judged by the evaluation of every side.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.engine.search import misses, occurred
from quinconce.engine.workspace import BLIND, NOISE, SEED, SIGHT, STOP, Numbers
from quinconce.kernels.bits import mixed
from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import (
    WON,
    Weights,
    evaluate,
    key,
    load,
    successors,
    urgency,
    winner,
)

Floats = npt.NDArray[np.float64]

CURIOSITY: Final = 0.12  # how much a move that was tried less is preferred
UNTRIED: Final = 0.25  # what a move promises that was never tried
LIKING: Final = 0.3  # how much the mover's own evaluation counts before a move is tried often
HOPELESS: Final = -1000.0  # what a move promises with which one cannot win
UNIT: Final = 400  # points for every ten times as good odds, as the evaluations are fitted
LONGEST: Final = 200  # plies of a tree


class Tree(NamedTuple):
    """Nodes by number, the root 0; the children of a node follow each other."""

    states: Numbers
    visits: Numbers
    gains: Floats  # what the side that moved here got of the visits to this node
    likings: Floats  # the chance that the evaluation of the side that moved here gives it
    first: Numbers  # the first child, or 0
    children: Numbers  # how many
    hopes: Numbers  # the sides that may win here, as bits, and one more bit for nobody
    used: Numbers  # how many nodes there are
    rows: Numbers
    other: Numbers  # one row: a board with somebody else to move
    path: Numbers
    shares: Floats  # what each side gets of a visit
    sides: Numbers  # by the step of the cycle
    steps: Numbers  # of the cycle, the first of each side
    turn: Numbers  # which field of a state says whose turn it is
    seen: Numbers  # positions of the match so far, with how often each occurred
    control: Numbers
    weights: Weights


@compiled
def chance_of(state: Any, step: int, tree: Tree) -> float:
    """The chance that the evaluation of one side stands for: as if it were its turn."""
    for field in range(len(state)):
        tree.other[0, field] = state[field]
    tree.other[0, tree.turn[0]] = step
    seen = load(state, tree.other, 0)
    value = float(evaluate(seen, tree.weights))
    noise = tree.control[NOISE]
    if noise:
        value += ((mixed(key(seen) ^ tree.control[SEED]) & 0xFFFF) * (2 * noise + 1) >> 16) - noise
    odds: float = 10.0 ** (value / UNIT)
    return odds / (1.0 + odds)


@compiled
def lone(hopes: int) -> bool:
    """Whether only one result is left."""
    return hopes & (hopes - 1) == 0


@compiled
def descended(root: Any, tree: Tree) -> int:
    """Go down from the root by the children that promise most; returns how many nodes deep."""
    node = depth = 0
    tree.path[0] = 0
    while tree.children[node] and depth < LONGEST and not (depth and lone(tree.hopes[node])):
        side = tree.sides[load(root, tree.states, node).turn]
        best, promise = 0, 2 * HOPELESS
        curious = CURIOSITY * math.sqrt(math.log(tree.visits[node] + 1.0))
        for child in range(tree.first[node], tree.first[node] + tree.children[node]):
            visits = tree.visits[child]
            hope = UNTRIED + curious
            if visits:
                hope = tree.gains[child] / visits + curious / math.sqrt(visits)
            hope += LIKING * tree.likings[child] / (1.0 + visits)
            if not tree.hopes[child] >> side & 1:
                hope += HOPELESS
            if hope > promise:
                best, promise = child, hope
        node = best
        depth += 1
        tree.path[depth] = node
    return depth


@compiled
def times_before(root: Any, here: int, depth: int, tree: Tree) -> int:
    """How often a position occurred before, in the match and then on the path; all from two on."""
    times = occurred(tree.seen, here)
    if times == 1:
        for ply in range(1, depth):
            times += key(load(root, tree.states, tree.path[ply])) == here
    return times


@compiled
def overlooked(state: Any, depth: int, tree: Tree) -> bool:
    """Whether a weak player does not see a position so deep in the tree."""
    blind = tree.control[BLIND]
    return (
        blind > 0 and depth >= tree.control[SIGHT] and misses(key(state), blind, tree.control[SEED])
    )


@compiled
def hopes_in(root: Any, state: Any, depth: int, tree: Tree) -> int:
    """The sides that may win in a position so deep in the tree, as far as one sees at once."""
    won = winner(state)
    if won >= 0:
        return 1 << won
    nobody: int = 1 << tree.shares.shape[0]
    here = key(state)
    if times_before(root, here, depth, tree) >= 2:
        return nobody
    if urgency(state) == WON and not overlooked(state, depth, tree):
        mover: int = tree.sides[state.turn]
        return 1 << mover
    return 2 * nobody - 1


@compiled
def plant(root: Any, state: Any, n: int, depth: int, tree: Tree) -> None:
    """Make the states in `rows` the children of the node at the end of the path, if they fit.

    What is overlooked is left out below the root, but for the last if there is nothing else.
    """
    node, first = tree.path[depth], tree.used[0]
    if n == 0 or first + n > tree.states.shape[0]:
        return
    child = first
    for row in range(n):
        after = load(state, tree.rows, row)
        if depth and overlooked(after, depth + 1, tree) and (child > first or row + 1 < n):
            continue
        for field in range(tree.states.shape[1]):
            tree.states[child, field] = tree.rows[row, field]
        tree.hopes[child] = hopes_in(root, after, depth + 1, tree)
        tree.likings[child] = chance_of(after, state.turn, tree)
        child += 1
    tree.first[node], tree.children[node] = first, child - first
    tree.used[0] = child
    settle(root, depth, tree)


@compiled
def hopes_left(side: int, node: int, tree: Tree) -> int:
    """The sides that may win after the best a side can do here."""
    own = 1 << side
    good = every = 0
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        hopes = tree.hopes[child]
        if hopes == own:
            return own
        every |= hopes
        if hopes & own:
            good |= hopes
    return good if good else every


@compiled
def settle(root: Any, depth: int, tree: Tree) -> None:
    """What the newest children leave to hope for, all the way up the path."""
    for ply in range(depth, -1, -1):
        node = tree.path[ply]
        side = tree.sides[load(root, tree.states, node).turn]
        hopes = hopes_left(side, node, tree)
        if hopes == tree.hopes[node]:
            return
        tree.hopes[node] = hopes


@compiled
def judge(state: Any, hopes: int, tree: Tree) -> None:
    """What each side may expect, of 1 in all; what cannot be hoped for is nothing."""
    sides = tree.shares.shape[0]
    total = 0.0
    for side in range(sides):
        tree.shares[side] = 0.0
        if hopes >> side & 1:
            alone = lone(hopes)
            tree.shares[side] = 1.0 if alone else chance_of(state, tree.steps[side], tree)
        total += tree.shares[side]
    for side in range(sides):
        tree.shares[side] = tree.shares[side] / total if total else 1.0 / sides


@compiled
def grow(root: Any, visits: int, tree: Tree) -> int:
    """Visit so many leaves; returns how many. A win that is proved ends it early."""
    own = 1 << tree.sides[root.turn]
    for visit in range(visits):
        if tree.control[STOP] or tree.hopes[0] == own:
            return visit
        depth = descended(root, tree)
        node = tree.path[depth]
        state = load(root, tree.states, node)
        if tree.visits[node] and not tree.children[node] and not lone(tree.hopes[node]):
            n = successors(state, tree.rows)
            plant(root, state, n, depth, tree)
        judge(state, tree.hopes[node], tree)
        tree.visits[0] += 1
        for ply in range(1, depth + 1):
            mover = load(root, tree.states, tree.path[ply - 1])
            tree.visits[tree.path[ply]] += 1
            tree.gains[tree.path[ply]] += tree.shares[tree.sides[mover.turn]]
    return visits


@compiled
def plies_to_win(state: Any, node: int, side: int, tree: Tree) -> int:
    """How far from a node the proved win of a side is, if the others hold out; -1 if none is."""
    if tree.hopes[node] != 1 << side:
        return -1
    if not tree.children[node]:
        return 0 if winner(state) >= 0 else 1
    own = tree.sides[state.turn] == side
    best = -1
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        plies = plies_to_win(load(state, tree.states, child), child, side, tree)
        if plies >= 0 and (best < 0 or (plies < best if own else plies > best)):
            best = plies
    return best + 1
