"""The top of the tree of a proof: what is known of each position, and what to ask about next.

Positions stand for their symmetric ones, each with the plies left, of which every move takes one.
So no path leads back, and all paths to a position are of the same length.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from quinconce.kernels.array_types import Int64Array
from quinconce.solvers.proofs import dfpn
from quinconce.solvers.proofs.checkpoint import DAMAGED
from quinconce.solvers.proofs.dfpn import (
    DEEPEST_PROOF,
    DISPROVED,
    INFINITY,
    NUMBER_BITS,
    PLIES_BITS,
    PROVED,
)
from quinconce.solvers.proofs.prover import Prover, pair_answer

# The tree as a table of a search: what stands there for the work below a position is one of these.
UNEXPANDED: Final = 1
EXPANDED: Final = 2  # the positions after it are in the tree
LIMIT_SLACK: Final = 2  # times the second best, a job goes on: short ones cost more than they save
SETTLED_EFFORT: Final = 40  # in a table it goes before everything else


class Node:
    """A position with a number of plies left, and the pair of numbers reached for it."""

    __slots__ = ("attacker_moves", "children", "jobs", "key", "left", "pair", "parents", "state")

    def __init__(self, state: Any, name: int, left: int, pair: int, attacks: bool) -> None:
        self.state, self.key, self.left, self.pair = state, name, left, pair
        self.attacker_moves = attacks  # whether the attacker moves
        self.parents: set[Node] = set()
        self.children: list[Node] | None = None  # what is not settled there; None while untried
        self.jobs = 0  # under way here or below, on the path that led to them

    @property
    def settling_pair(self) -> int:
        """What one position after it has to be, to settle it."""
        return PROVED if self.attacker_moves else DISPROVED

    def child_numbers(self, after: Node) -> tuple[int, int]:
        """What there is to overcome in one position after it, and what is added up of all."""
        proof, disproof = int(dfpn.proof_number(after.pair)), int(dfpn.disproof_number(after.pair))
        return (proof, disproof) if self.attacker_moves else (disproof, proof)

    def selection_cost(self, after: Node) -> int:
        """The first of these, as one chooses by it.

        Every defence has to be met, so where others are at one already, another is taken. Of all
        attacks one is enough: everybody helps with the best.
        """
        number, _other = self.child_numbers(after)
        return number if self.attacker_moves else number * (1 + after.jobs)

    def child_limits(self, after: Node, limits: tuple[int, int]) -> tuple[int, int]:
        """Up to which numbers a position after it is worth searching, from those of its own."""
        pairs = [self.child_numbers(other) for other in self.children or () if other is not after]
        cost, _other = self.child_numbers(after)
        near = LIMIT_SLACK * max(cost, min((least for least, _other in pairs), default=INFINITY))
        proof, disproof = limits
        others = sum(other for _least, other in pairs)
        if self.attacker_moves:
            return min(proof, near), disproof - others
        return proof - others, min(disproof, near)


class ProofTree:
    """What is known about a question, from the first position on."""

    def __init__(self, prover: Prover) -> None:
        self._prover = prover
        self._won: dict[int, int] = {}  # by name: within how few plies
        self._not_won: dict[int, int] = {}  # and within how many not
        self._nodes: dict[tuple[int, int], Node] = {}
        first = prover.kernel.encode(prover.claim.position)
        self.root = self._node(first, prover.position_key(first), prover.claim.within, prover.pair)

    def _node(self, state: Any, name: int, left: int, pair: int) -> Node:
        """The node of a position, a new one if there is none."""
        node = self._nodes.get((name, left))
        if not node:
            attacks = bool(self._prover.scratch.attacker_moves[state.turn])
            node = self._nodes[name, left] = Node(state, name, left, pair, attacks)
        return node

    def probe(self, name: int, left: int) -> int:
        """The pair of a settled position, 0 if it is not settled.

        Who wins within some plies wins within more, and who does not does not within fewer.
        """
        if self._won.get(name, INFINITY) <= left:
            return PROVED
        return DISPROVED if self._not_won.get(name, -1) >= left else 0

    def _settle(self, name: int, left: int, pair: int) -> None:
        if pair == PROVED:
            self._won[name] = min(left, self._won.get(name, left))
        else:
            self._not_won[name] = max(left, self._not_won.get(name, left))

    def select_path(self) -> list[Node] | None:
        """The path to the position to ask about next; None if there is none that is free."""
        while pair_answer(self.root.pair) is None:
            path = self._path_below(self.root)
            if not path:
                break
            known = self.probe(path[-1].key, path[-1].left)
            if not known:
                return path
            self.update(path[-1], known, {})
        return None

    def _path_below(self, node: Node) -> list[Node]:
        """From a node to the most promising one that is untried; nothing if all are taken."""
        if node.children is None:
            return [] if node.jobs else [node]
        for after in sorted(node.children, key=node.selection_cost):
            if below := self._path_below(after):
                return [node, *below]
        return []

    def search_limits(self, path: list[Node]) -> tuple[int, int]:
        """Up to which proof and disproof number the last position of a path is worth searching."""
        limits, leaf = (INFINITY, INFINITY), path[-1]
        for node, after in pairwise(path):
            limits = node.child_limits(after, limits)
        reached = int(dfpn.proof_number(leaf.pair)), int(dfpn.disproof_number(leaf.pair))
        proof, disproof = (
            min(max(limit, LIMIT_SLACK * number + 1), INFINITY)
            for limit, number in zip(limits, reached, strict=True)
        )
        return proof, disproof

    def update(self, node: Node, pair: int, pairs: Mapping[int, int]) -> None:
        """Take in what was found out: a pair, and those of the positions after it by name.

        Without these the position stays as it is, to be asked about again.
        """
        if pair_answer(node.pair) is not None:
            return
        if pair_answer(pair) is not None:
            self._close(node, pair)
        elif node.children is None:
            node.pair = pair
            if pairs:
                self._expand(node, pairs)
        self._update_ancestors(node)

    def _close(self, node: Node, pair: int) -> None:
        """Settle a node; what is after it is no longer asked for."""
        self._settle(node.key, node.left, pair)
        for after in node.children or ():
            after.parents.discard(node)
        node.pair, node.children = pair, []

    def _expand(self, node: Node, pairs: Mapping[int, int]) -> None:
        """Put the positions after a node into the tree, symmetric ones once."""
        node.children, left = [], node.left - 1
        states = self._prover.kernel.successor_states(node.state)
        for name, state in {self._prover.position_key(state): state for state in states}.items():
            pair = self.probe(name, left) or pairs[name]
            if pair_answer(pair) is None:
                after = self._node(state, name, left, pair)
                after.parents.add(node)
                node.children.append(after)
                continue
            self._settle(name, left, pair)
            if other := self._nodes.get((name, left)):
                self.update(other, pair, {})
            if pair == node.settling_pair:
                self._close(node, pair)
                return

    def _update_ancestors(self, node: Node) -> None:
        """Sum up again whatever depends on a node, ply by ply."""
        level = {node}
        while level:
            above: set[Node] = set()
            for one in level:
                before = one.pair
                if one.children is not None and pair_answer(before) is None:
                    self._update_pair(one)
                if one.pair != before or one is node:
                    above |= one.parents
            level = above

    def _update_pair(self, node: Node) -> None:
        """The pair of a node from those after it."""
        unsettled = []
        for after in node.children or ():
            pair = self.probe(after.key, after.left)
            if pair == node.settling_pair:
                self._close(node, pair)
                return
            if pair:
                after.parents.discard(node)
            else:
                unsettled.append(after)
        node.children = unsettled
        if not unsettled:
            self._close(node, PROVED + DISPROVED - node.settling_pair)
            return
        pairs = [node.child_numbers(after) for after in unsettled]
        least = min(cost for cost, _other in pairs)
        total = min(sum(other for _cost, other in pairs), INFINITY - 1)
        node.pair = (
            least | total << NUMBER_BITS if node.attacker_moves else total | least << NUMBER_BITS
        )

    def _reachable_nodes(self) -> set[Node]:
        """What is still asked for: what only settled positions lead to is not."""
        found, waiting = {self.root}, [self.root]
        while waiting:
            fresh = set(waiting.pop().children or ()) - found
            found |= fresh
            waiting += fresh
        return found

    def to_table(self, unsettled: bool = True) -> Int64Array:
        """All that is known, or only what is settled, as a table of a search."""
        rows = [
            *((name, PROVED, left, SETTLED_EFFORT) for name, left in self._won.items()),
            *((name, DISPROVED, left, SETTLED_EFFORT) for name, left in self._not_won.items()),
        ]
        for node in self._reachable_nodes() if unsettled else ():
            if pair_answer(node.pair) is None:
                kind = UNEXPANDED if node.children is None else EXPANDED
                rows.append((node.key, node.pair, node.left, kind))
        import numpy as np

        words = np.zeros((1 << len(rows).bit_length(), 2), np.int64)
        for row, (name, pair, left, kind) in enumerate(rows):
            words[row] = name, pair | left << 2 * NUMBER_BITS | kind << 2 * NUMBER_BITS + PLIES_BITS
        return words

    def restore(self, words: Int64Array) -> None:
        """Become what the words say; ValueError if something is missing."""
        numbers: dict[int, dict[int, int]] = {}
        opened = set()
        for name, word in words[words[:, 1] != 0].tolist():
            pair, left = word & (1 << 2 * NUMBER_BITS) - 1, word >> 2 * NUMBER_BITS & DEEPEST_PROOF
            if pair_answer(pair) is not None:
                self._settle(name, left, pair)
            else:
                numbers.setdefault(left, {})[name] = pair
            if word >> 2 * NUMBER_BITS + PLIES_BITS == EXPANDED:
                opened.add((name, left))
        waiting = [self.root]
        try:
            while waiting:
                node = waiting.pop()
                known = self.probe(node.key, node.left)
                node.pair = known or numbers[node.left][node.key]
                if not known and node.children is None and (node.key, node.left) in opened:
                    self._expand(node, numbers[node.left - 1])
                    waiting += node.children or ()
        except KeyError:
            raise ValueError(DAMAGED) from None
