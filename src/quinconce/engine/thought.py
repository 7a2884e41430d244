"""A search of one position between two sides: its moves, its table, its threads."""

from __future__ import annotations

import random
import threading
import weakref
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.engine.known import (
    NO_ENDINGS,
    Known,
    endings_of,
    order,
    truth,
    values,
    ways_to_hold,
)
from quinconce.engine.search import (
    APART,
    BLIND,
    DEEPEST,
    INFINITE,
    MINOR,
    MOST_HOPED,
    NODES,
    NOISE,
    PROMISED,
    PROVED,
    QUIET,
    SEED,
    SIGHT,
    SLOTS,
    STOP,
    THREADS,
    WIN,
    Numbers,
    Workspace,
    answered,
    desk_for,
    hand_back,
    misses,
    plies_to,
    search,
)
from quinconce.engine.table import new_table
from quinconce.engine.weights import weights
from quinconce.kernels.protocol import Kernel, Weights, expanded, hashed, kernel, loaded

UNLIMITED: Final = 1 << 60
MEMORY: Final = 64  # megabytes of a table
ENTRY: Final = 64  # bytes of a table for every node, where nodes are few
LAST_DEPTH: Final = DEEPEST // 2
LONGEST_LINE: Final = 40  # plies that are shown of what is not proved
MOST_KNOWN: Final = 60  # and of what is
TO_COMPLETE: Final = 200_000  # nodes to find the rest of a proved line


class Weakness(NamedTuple):
    """How a player below full strength sees the board; the seed says what he misses this time."""

    noise: int = 0  # how far his estimates are off
    blind: int = 0  # of 1024 positions so many he overlooks
    sight: int = 0  # from this ply on
    seed: int = 0


@dataclass(frozen=True)
class Line:
    """A way the match may go on, the score of its first move, and its value where it is proved."""

    moves: tuple[str, ...]
    score: int  # in hundredths of a pawn or so, from the view of the player to move
    value: str | None = None  # "win", "draw" or "loss" for the player to move
    plies: int | None = None  # from here to the end, where that is proved too


@dataclass
class Root:
    """A legal move, where it leads, and what the search found so far."""

    text: str
    position: Any
    state: Any
    quiet: int
    score: int = -INFINITE
    most: int = INFINITE  # it is worth no more, as far as it was searched
    known: Known | None = None  # what needs no search


def given(known: Known) -> int:
    """The score of what is known; what is uncertain counts as an estimate."""
    value, plies = known.value, known.value.plies or 0
    most = WIN if known.certain else MOST_HOPED
    return {"win": most - plies, "draw": 0, "loss": plies - most}[value.result]


def prospect(root: Root) -> int:
    """What is known to win comes first, what is known to lose last."""
    return -given(root.known) if root.known else 0


def is_promise(score: int) -> bool:
    """Whether it comes from a table of endings, and the end may be nearer or further."""
    return MINOR < abs(score) <= PROMISED


def roots_of(match: Match[Any], numbers: Kernel) -> list[Root]:
    """The legal moves of a match."""
    return [
        Root(text, after, numbers.encode(after), quiet_after(match, after))
        for text, after in match.legal().items()
    ]


def quiet_after(match: Match[Any], after: Any) -> int:
    """How many quiet turns in a row there are after a move."""
    return match.quiet + 1 if match.game.is_quiet(match.position, after) else 0


def seen_by(weakness: Weakness, roots: list[Root]) -> list[Root]:
    """The moves that a player does not overlook; at least one."""
    if weakness.sight > 0:
        return roots
    return [
        root for root in roots if not misses(hashed(root.state), weakness.blind, weakness.seed)
    ] or roots[:1]


def text_between(game: Game[Any], before: Any, after: Any) -> str:
    """The move that leads from one position to another."""
    return next(text for text, position in game.moves(before) if position == after)


def occurrences(match: Match[Any], numbers: Kernel) -> Numbers:
    """The positions of the match by their keys, in open addressing; a third is the end."""
    counted = Counter(hashed(numbers.encode(position)) for position in match.positions)
    size = 1 << (4 * len(counted)).bit_length()
    seen = np.zeros((size, 2), np.int64)
    for number, times in counted.items():
        slot = number & size - 1
        while seen[slot, 1]:
            slot = slot + 1 & size - 1
        seen[slot] = number, times
    return seen


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
        table = new_table(min(memory, ENTRY * self.limit / (1 << 20)))
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
            desk = desk_for(self.kernel)
            weakref.finalize(self, hand_back, type(state), desk)
            space = Workspace._make((*desk, control, table, seen, busy, weighing, endings))
            space.path[0] = hashed(state)
            self.spaces.append(space)
        self.depth = 0
        self.finished_depth = 0
        self.told: dict[str, Line] = {}
        self.stopped = False

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
        self.stopped = True
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
        if self.depth == 2:
            for space in self.spaces:
                space.control[NODES] = self.limit
        # The others begin at the end: what they find, the first will find in the table.
        backwards = self.roots[:1] + self.roots[:0:-1]
        companions = [
            threading.Thread(target=self.best_lines, args=(space, list(backwards), lines))
            for space in self.spaces[1:]
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
    ) -> tuple[list[tuple[int, Root]], bool]:
        """The best moves, as many as are asked for; and whether the search was finished."""
        found: list[tuple[int, Root]] = []
        for _line in range(min(lines, len(roots))):
            best, whole = self.best_of(space, roots)
            if best:
                found.append(best)
                roots.remove(best[1])
            if not whole:
                return found, False
        return found, True

    def best_of(
        self, space: Workspace, roots: Sequence[Root]
    ) -> tuple[tuple[int, Root] | None, bool]:
        """The best of some moves with its score; all but the first have only to be compared."""
        best: tuple[int, Root] | None = None
        alpha = -INFINITE
        deeper = self.depth - 1
        for root in roots:
            if root.known:
                score = given(root.known)
                space.nodes[0] += 1
            else:
                score = self.compared(space, root, deeper, alpha if best else None)
                if space.control[STOP]:
                    return best, False
            root.most = score
            if score > alpha:
                alpha = score
                best = score, root
        return best, True

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
        self.successor(self.kernel.encode(self.game.start()), 0)

    def finished(self, lines: int = 1) -> bool:
        """Whether searching deeper cannot change anything: the shortest win or loss is known."""
        if self.depth >= LAST_DEPTH or all(root.known for root in self.roots[:lines]):
            return True
        score = self.roots[0].score
        proved = abs(score) > PROVED and not is_promise(score)
        return proved and plies_to(score) <= self.depth

    def lines(self, most: int) -> tuple[Line, ...]:
        """What is known now, the best first."""
        known = [self.line(root) for root in self.roots[:most] if root.score > -INFINITE]
        return tuple(known) or (Line((self.roots[0].text,), 0),)  # stopped before it began

    def line(self, root: Root) -> Line:
        """How the match may go on after a move; when time is over, as was said before."""
        told = self.told.get(root.text)
        if (self.stopped or root.known) and told and told.score == root.score:
            return told
        if root.known:
            value, plies = root.known.value if root.known.certain else (None, None)
            line = Line(self.best_play(root), root.score, value, plies)
        else:
            value = None if abs(root.score) <= PROVED else "win" if root.score > 0 else "loss"
            plies = int(plies_to(root.score)) if value and not is_promise(root.score) else None
            moves = self.expected(root, plies)
            # What comes sooner may be among the moves that were not searched as deep.
            exact = plies if plies is not None and plies <= self.finished_depth else None
            line = Line(moves, root.score, value, exact)
        self.told[root.text] = line
        return line

    def best_play(self, root: Root) -> tuple[str, ...]:
        """The moves that follow if both play as well as is known."""
        assert self.truth
        moves, position, seen = [root.text], root.position, {root.position}
        while len(moves) < MOST_KNOWN and not self.game.outcome(position):
            found = self.truth.moves(position)
            if not found:
                break
            best = min(sorted(found), key=lambda text: order(found[text]))
            position = self.game.after(position, best)
            if position in seen:
                break
            seen.add(position)
            moves.append(best)
        return tuple(moves)

    def expected(self, root: Root, plies: int | None) -> tuple[str, ...]:
        """The moves that the table remembers; if time allows, to the end where that is proved."""
        space, game = self.spaces[0], self.game
        moves, position, quiet = [root.text], root.position, root.quiet
        seen = {position}
        while len(moves) < (plies or LONGEST_LINE) and not self.stopped:
            state = self.kernel.encode(position)
            row = int(answered(state, quiet, space))
            if row < 0 and plies is not None:
                row = self.completed(state, plies - len(moves), quiet)
            if row < 0:
                break
            after = self.kernel.decode(self.successor(state, row))
            if plies is None and after in seen:
                break
            quiet = quiet + 1 if game.is_quiet(position, after) else 0
            moves.append(text_between(game, position, after))
            position = after
            seen.add(after)
        return tuple(moves)

    def successor(self, state: Any, row: int) -> Any:
        """Where the move of this row leads."""
        out = self.spaces[0].rows[DEEPEST]
        with suppress(OverflowError):  # more moves than there are rows: this one is among them
            expanded(state, out)
        return loaded(state, out, row)

    def completed(self, state: Any, depth: int, quiet: int) -> int:
        """The move of a proved line that the table has forgotten, searched again."""
        space = self.spaces[0]
        before = space.control[[NODES, STOP]]
        space.control[[NODES, STOP]] = space.nodes[0] + TO_COMPLETE, 0
        search(state, depth, -INFINITE, INFINITE, 1, quiet, space)
        space.control[[NODES, STOP]] = before
        if self.stopped:  # meanwhile
            space.control[STOP] = 1
        return int(answered(state, quiet, space))
