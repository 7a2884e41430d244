"""Games with more than two sides: a tree grown where it promises most, that proves what it can.

Every node keeps who may still win there. A win on the board or on the next turn leaves one side;
the sides that a move leaves are those its answers leave, if everybody keeps to answers with which
they may still win. A node that leaves one side alone is that side's win against any play.
Leaves are judged by the evaluation of every side.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

from quinconce.core.match import LAST_OCCURRENCE
from quinconce.engine.search import occurrence_count
from quinconce.engine.weakness import evaluation_noise, is_overlooked
from quinconce.engine.workspace import STOP_FLAG
from quinconce.kernels.array_types import Float64Array, Int64Array
from quinconce.kernels.compiled import compiled, entry
from quinconce.kernels.exponentials import log, power_of_ten
from quinconce.kernels.protocol import (
    WIN_IN_ONE,
    Weights,
    evaluate,
    key,
    load,
    successors,
    urgency,
    winner,
)

EXPLORATION: Final = 0.12  # how much a move that was tried less is preferred
FIRST_PLAY_VALUE: Final = 0.25  # what a move promises that was never tried
PRIOR_WEIGHT: Final = 0.3  # how much the mover's own evaluation counts before a move is tried often
LOST_PENALTY: Final = -1000.0  # what a move promises with which one cannot win
ODDS_SCALE: Final = 400  # points for every ten times as good odds, as the evaluations are fitted
MAX_TREE_PLIES: Final = 200  # plies of a tree


class SearchTree(NamedTuple):
    """Nodes by number, the root 0; the children of a node follow each other."""

    states: Int64Array
    visits: Int64Array
    share_sums: Float64Array  # what the side that moved here got of the visits to this node
    priors: Float64Array  # the chance that the evaluation of the side that moved here gives it
    first_child: Int64Array  # the first child, or 0
    child_count: Int64Array  # how many
    possible_winners: Int64Array  # the sides that may win, as bits, and one more bit for nobody
    node_count: Int64Array  # how many nodes there are
    rows: Int64Array
    scratch_row: Int64Array  # one row: a board with somebody else to move
    path: Int64Array
    shares: Float64Array  # what each side gets of a visit
    first_shares: Float64Array  # what each side got of the visits to each child of the root
    sides: Int64Array  # by the step of the cycle
    first_step: Int64Array  # of the cycle, the first of each side
    turn_field: Int64Array  # which field of a state says whose turn it is
    occurrences: Int64Array  # positions of the match so far, with how often each occurred
    control: Int64Array
    weights: Weights


@compiled
def win_probability(state: Any, step: int, tree: SearchTree) -> float:
    """The chance that the evaluation of one side stands for: as if it were its turn."""
    for field in range(len(state)):
        tree.scratch_row[0, field] = state[field]
    tree.scratch_row[0, tree.turn_field[0]] = step
    seen = load(state, tree.scratch_row, 0)
    value = float(evaluate(seen, tree.weights) + evaluation_noise(seen, tree.control))
    odds = power_of_ten(value / ODDS_SCALE)
    return odds / (1.0 + odds)


@compiled
def is_decided(hopes: int) -> bool:
    """Whether only one result is left."""
    return hopes & (hopes - 1) == 0


@compiled
def select_leaf(root: Any, tree: SearchTree) -> int:
    """Go down from the root by the children that promise most; returns how many nodes deep."""
    node = depth = 0
    tree.path[0] = 0
    while (
        tree.child_count[node]
        and depth < MAX_TREE_PLIES
        and not (depth and is_decided(tree.possible_winners[node]))
    ):
        side = tree.sides[load(root, tree.states, node).turn]
        best, promise = 0, 2 * LOST_PENALTY
        curious = EXPLORATION * math.sqrt(log(tree.visits[node] + 1.0))
        for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
            visits = tree.visits[child]
            hope = FIRST_PLAY_VALUE + curious
            if visits:
                hope = tree.share_sums[child] / visits + curious / math.sqrt(visits)
            hope += PRIOR_WEIGHT * tree.priors[child] / (1.0 + visits)
            if not tree.possible_winners[child] >> side & 1:
                hope += LOST_PENALTY
            if hope > promise:
                best, promise = child, hope
        node = best
        depth += 1
        tree.path[depth] = node
    return depth


@compiled
def repetition_count(root: Any, here: int, depth: int, tree: SearchTree) -> int:
    """How often a position occurred before, in the match and then on the path; all from two on."""
    times = occurrence_count(tree.occurrences, here)
    if times == 1:
        for ply in range(1, depth):
            times += key(load(root, tree.states, tree.path[ply])) == here
    return times


@compiled
def possible_winners_in(root: Any, state: Any, depth: int, tree: SearchTree) -> int:
    """The sides that may win in a position so deep in the tree, as far as one sees at once."""
    won = winner(state)
    if won >= 0:
        return 1 << won
    nobody: int = 1 << tree.shares.shape[0]
    here = key(state)
    if repetition_count(root, here, depth, tree) >= LAST_OCCURRENCE:
        return nobody
    if urgency(state) == WIN_IN_ONE and not is_overlooked(here, depth, tree.control):
        mover: int = tree.sides[state.turn]
        return 1 << mover
    return 2 * nobody - 1


@entry
def expand_leaf(root: Any, state: Any, n: int, depth: int, tree: SearchTree) -> None:
    """Make the states in `rows` the children of the node at the end of the path, if they fit.

    What is overlooked is left out below the root, but for the last if there is nothing else.
    """
    node, first = tree.path[depth], tree.node_count[0]
    if n == 0 or first + n > tree.states.shape[0]:
        return
    child = first
    for row in range(n):
        after = load(state, tree.rows, row)
        if (
            depth
            and is_overlooked(key(after), depth + 1, tree.control)
            and (child > first or row + 1 < n)
        ):
            continue
        for field in range(tree.states.shape[1]):
            tree.states[child, field] = tree.rows[row, field]
        tree.possible_winners[child] = possible_winners_in(root, after, depth + 1, tree)
        tree.priors[child] = win_probability(after, state.turn, tree)
        child += 1
    tree.first_child[node], tree.child_count[node] = first, child - first
    tree.node_count[0] = child
    back_up_winners(root, depth, tree)


@compiled
def possible_winners_after(side: int, node: int, tree: SearchTree) -> int:
    """The sides that may win after the best a side can do here."""
    own = 1 << side
    good = every = 0
    for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
        hopes = tree.possible_winners[child]
        if hopes == own:
            return own
        every |= hopes
        if hopes & own:
            good |= hopes
    return good if good else every


@compiled
def back_up_winners(root: Any, depth: int, tree: SearchTree) -> None:
    """What the newest children leave to hope for, all the way up the path."""
    for ply in range(depth, -1, -1):
        node = tree.path[ply]
        side = tree.sides[load(root, tree.states, node).turn]
        hopes = possible_winners_after(side, node, tree)
        if hopes == tree.possible_winners[node]:
            return
        tree.possible_winners[node] = hopes


@compiled
def estimate_shares(state: Any, hopes: int, tree: SearchTree) -> None:
    """What each side may expect, of 1 in all; what cannot be hoped for is nothing."""
    sides = tree.shares.shape[0]
    total = 0.0
    for side in range(sides):
        tree.shares[side] = 0.0
        if hopes >> side & 1:
            alone = is_decided(hopes)
            tree.shares[side] = (
                1.0 if alone else win_probability(state, tree.first_step[side], tree)
            )
        total += tree.shares[side]
    for side in range(sides):
        tree.shares[side] = tree.shares[side] / total if total else 1.0 / sides


@entry
def run_visits(root: Any, visits: int, tree: SearchTree) -> int:
    """Visit leaves up to a number; returns how many. A win that is proved ends it early."""
    own = 1 << tree.sides[root.turn]
    for visit in range(visits):
        if tree.control[STOP_FLAG] or tree.possible_winners[0] == own:
            return visit
        depth = select_leaf(root, tree)
        node = tree.path[depth]
        state = load(root, tree.states, node)
        if (
            tree.visits[node]
            and not tree.child_count[node]
            and not is_decided(tree.possible_winners[node])
        ):
            n = successors(state, tree.rows)
            expand_leaf(root, state, n, depth, tree)
        estimate_shares(state, tree.possible_winners[node], tree)
        tree.visits[0] += 1
        if depth:
            for side in range(tree.shares.shape[0]):
                tree.first_shares[tree.path[1] - tree.first_child[0], side] += tree.shares[side]
        for ply in range(1, depth + 1):
            mover = load(root, tree.states, tree.path[ply - 1])
            tree.visits[tree.path[ply]] += 1
            tree.share_sums[tree.path[ply]] += tree.shares[tree.sides[mover.turn]]
    return visits


@entry
def plies_to_win(state: Any, node: int, side: int, tree: SearchTree) -> int:
    """How far from a node the proved win of a side is, if the others hold out; -1 if none is."""
    if tree.possible_winners[node] != 1 << side:
        return -1
    if not tree.child_count[node]:
        return 0 if winner(state) >= 0 else 1
    own = tree.sides[state.turn] == side
    best = -1
    for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
        plies = plies_to_win(load(state, tree.states, child), child, side, tree)
        if plies >= 0 and (best < 0 or (plies < best if own else plies > best)):
            best = plies
    return best + 1
