"""The top of the tree of a proof: what is known of each position, and what to ask about next.

Positions stand for their symmetric ones, each with the plies left, of which every move takes one.
So no way leads back, and all ways to a position are of the same length.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

import numpy as np

from quinconce.kernels import calls
from quinconce.solvers.proofs import dfpn
from quinconce.solvers.proofs.checkpoint import NOT_WHOLE
from quinconce.solvers.proofs.dfpn import DEEPEST, DISPROVED, ENDLESS, NUMBER, PLIES, PROVED, Words
from quinconce.solvers.proofs.prover import Prover, answered

# The tree as a table of a search: what stands there for the work below a position is one of these.
UNTRIED: Final = 1
OPENED: Final = 2  # the positions after it are in the tree
SLACK: Final = 2  # times the second best, a job goes on: short ones cost more than they save
SETTLED: Final = 40  # in a table it goes before everything else


class Node:
    """A position with so many plies left, and the pair of numbers reached for it."""

    __slots__ = ("after", "attacks", "before", "jobs", "left", "name", "pair", "state")

    def __init__(self, state: Any, name: int, left: int, pair: int, attacks: bool) -> None:
        self.state, self.name, self.left, self.pair = state, name, left, pair
        self.attacks = attacks  # whether the attacker moves
        self.before: set[Node] = set()
        self.after: list[Node] | None = None  # what is not settled there; None while untried
        self.jobs = 0  # under way here or below, by the way that led to them

    @property
    def goal(self) -> int:
        """What one position after it has to be, to settle it."""
        return PROVED if self.attacks else DISPROVED

    def numbers(self, after: Node) -> tuple[int, int]:
        """What there is to overcome in one position after it, and what is added up of all."""
        proof, disproof = int(dfpn.proof(after.pair)), int(dfpn.disproof(after.pair))
        return (proof, disproof) if self.attacks else (disproof, proof)

    def cost(self, after: Node) -> int:
        """The first of these, as one chooses by it.

        Every defence has to be met, so where others are at one already, another is taken. Of all
        attacks one is enough: everybody helps with the best.
        """
        number, _other = self.numbers(after)
        return number if self.attacks else number * (1 + after.jobs)

    def limits(self, after: Node, limits: tuple[int, int]) -> tuple[int, int]:
        """Up to which numbers a position after it is worth searching, from those of its own."""
        pairs = [self.numbers(other) for other in self.after or () if other is not after]
        cost, _other = self.numbers(after)
        near = SLACK * max(cost, min((least for least, _other in pairs), default=ENDLESS))
        proof, disproof = limits
        others = sum(other for _least, other in pairs)
        if self.attacks:
            return min(proof, near), disproof - others
        return proof - others, min(disproof, near)


class Tree:
    """What is known about a question, from the first position on."""

    def __init__(self, prover: Prover) -> None:
        self._prover = prover
        self._room = prover.kernel.rows(1)[0]
        self._won: dict[int, int] = {}  # by name: within how few plies
        self._not_won: dict[int, int] = {}  # and within how many not
        self._nodes: dict[tuple[int, int], Node] = {}
        first = prover.kernel.encode(prover.position)
        self.root = self._node(first, prover.name(first), prover.within, prover.pair)

    def _node(self, state: Any, name: int, left: int, pair: int) -> Node:
        """The node of a position, a new one if there is none."""
        node = self._nodes.get((name, left))
        if not node:
            attacks = bool(self._prover.scratch.attacks[state.turn])
            node = self._nodes[name, left] = Node(state, name, left, pair, attacks)
        return node

    def known(self, name: int, left: int) -> int:
        """The pair of a settled position, 0 if it is not settled.

        Who wins within some plies wins within more, and who does not does not within fewer.
        """
        if self._won.get(name, ENDLESS) <= left:
            return PROVED
        return DISPROVED if self._not_won.get(name, -1) >= left else 0

    def _settle(self, name: int, left: int, pair: int) -> None:
        if pair == PROVED:
            self._won[name] = min(left, self._won.get(name, left))
        else:
            self._not_won[name] = max(left, self._not_won.get(name, left))

    def chosen(self) -> list[Node] | None:
        """The way to the position to ask about next; None if there is none that is free."""
        while answered(self.root.pair) is None:
            way = self._way(self.root)
            if not way:
                break
            known = self.known(way[-1].name, way[-1].left)
            if not known:
                return way
            self.learn(way[-1], known, {})
        return None

    def _way(self, node: Node) -> list[Node]:
        """From a node to the most promising one that is untried; nothing if all are taken."""
        if node.after is None:
            return [] if node.jobs else [node]
        for after in sorted(node.after, key=node.cost):
            if below := self._way(after):
                return [node, *below]
        return []

    def limits(self, way: list[Node]) -> tuple[int, int]:
        """Up to which proof and disproof number the last position of a way is worth searching."""
        limits, leaf = (ENDLESS, ENDLESS), way[-1]
        for node, after in pairwise(way):
            limits = node.limits(after, limits)
        reached = int(dfpn.proof(leaf.pair)), int(dfpn.disproof(leaf.pair))
        proof, disproof = (
            min(max(limit, SLACK * number + 1), ENDLESS)
            for limit, number in zip(limits, reached, strict=True)
        )
        return proof, disproof

    def learn(self, node: Node, pair: int, pairs: Mapping[int, int]) -> None:
        """Take in what was found out: a pair, and those of the positions after it by name.

        Without these the position stays as it is, to be asked about again.
        """
        if answered(node.pair) is not None:
            return
        if answered(pair) is not None:
            self._close(node, pair)
        elif node.after is None:
            node.pair = pair
            if pairs:
                self._open(node, pairs)
        self._rise(node)

    def _close(self, node: Node, pair: int) -> None:
        """Settle a node; what is after it is no longer asked for."""
        self._settle(node.name, node.left, pair)
        for after in node.after or ():
            after.before.discard(node)
        node.pair, node.after = pair, []

    def _open(self, node: Node, pairs: Mapping[int, int]) -> None:
        """Put the positions after a node into the tree, symmetric ones once."""
        node.after, left = [], node.left - 1
        rows = calls.successors(node.state, self._room)
        states = [calls.load(node.state, self._room, row) for row in range(rows)]
        for name, state in {self._prover.name(state): state for state in states}.items():
            pair = self.known(name, left) or pairs[name]
            if answered(pair) is None:
                after = self._node(state, name, left, pair)
                after.before.add(node)
                node.after.append(after)
                continue
            self._settle(name, left, pair)
            if other := self._nodes.get((name, left)):
                self.learn(other, pair, {})
            if pair == node.goal:
                self._close(node, pair)
                return

    def _rise(self, node: Node) -> None:
        """Sum up again whatever depends on a node, ply by ply."""
        level = {node}
        while level:
            above: set[Node] = set()
            for one in level:
                before = one.pair
                if one.after is not None and answered(before) is None:
                    self._sum_up(one)
                if one.pair != before or one is node:
                    above |= one.before
            level = above

    def _sum_up(self, node: Node) -> None:
        """The pair of a node from those after it."""
        unsettled = []
        for after in node.after or ():
            pair = self.known(after.name, after.left)
            if pair == node.goal:
                self._close(node, pair)
                return
            if pair:
                after.before.discard(node)
            else:
                unsettled.append(after)
        node.after = unsettled
        if not unsettled:
            self._close(node, PROVED + DISPROVED - node.goal)
            return
        pairs = [node.numbers(after) for after in unsettled]
        least = min(cost for cost, _other in pairs)
        total = min(sum(other for _cost, other in pairs), ENDLESS - 1)
        node.pair = least | total << NUMBER if node.attacks else total | least << NUMBER

    def _reached(self) -> set[Node]:
        """What is still asked for: what only settled positions lead to is not."""
        found, waiting = {self.root}, [self.root]
        while waiting:
            fresh = set(waiting.pop().after or ()) - found
            found |= fresh
            waiting += fresh
        return found

    def words(self, unsettled: bool = True) -> Words:
        """All that is known, or only what is settled, as a table of a search."""
        rows = [
            *((name, PROVED, left, SETTLED) for name, left in self._won.items()),
            *((name, DISPROVED, left, SETTLED) for name, left in self._not_won.items()),
        ]
        for node in self._reached() if unsettled else ():
            if answered(node.pair) is None:
                kind = UNTRIED if node.after is None else OPENED
                rows.append((node.name, node.pair, node.left, kind))
        words = np.zeros((1 << len(rows).bit_length(), 2), np.int64)
        for row, (name, pair, left, kind) in enumerate(rows):
            words[row] = name, pair | left << 2 * NUMBER | kind << 2 * NUMBER + PLIES
        return words

    def grow(self, words: Words) -> None:
        """Become what the words say; ValueError if something is missing."""
        numbers: dict[int, dict[int, int]] = {}
        opened = set()
        for name, word in words[words[:, 1] != 0].tolist():
            pair, left = word & (1 << 2 * NUMBER) - 1, word >> 2 * NUMBER & DEEPEST
            if answered(pair) is not None:
                self._settle(name, left, pair)
            else:
                numbers.setdefault(left, {})[name] = pair
            if word >> 2 * NUMBER + PLIES == OPENED:
                opened.add((name, left))
        waiting = [self.root]
        try:
            while waiting:
                node = waiting.pop()
                known = self.known(node.name, node.left)
                node.pair = known or numbers[node.left][node.name]
                if not known and node.after is None and (node.name, node.left) in opened:
                    self._open(node, numbers[node.left - 1])
                    waiting += node.after or ()
        except KeyError:
            raise ValueError(NOT_WHOLE) from None
